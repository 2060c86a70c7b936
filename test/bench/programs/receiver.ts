import { writeFileSync } from 'node:fs';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import { listenHttp, readBody } from '../peers/http-listen.ts';
import type { Arrival, Arrivals, KeptRequest } from '../peers/receiver.ts';

// Takes webhooks and answers 204 at once. What came is looked into only when the bench asks.

interface Kept {
  readonly atMs: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

let kept: Kept[] = [];
let lookedInto = 0;
let firsts = new Map<string, Arrival>();
let counts = new Map<string, number>();

const url = await listenHttp((request, response) => {
  void readBody(request).then((body) => {
    kept.push({ atMs: nowMs(), headers: request.headers, body });
    response.writeHead(204).end();
  });
});

/** Looks into what came since the last look. Of an event that came twice the first arrival counts. */
function lookInto(): void {
  for (const { atMs, body } of kept.slice(lookedInto)) {
    lookedInto += 1;
    const event = JSON.parse(body.toString()) as {
      readonly id: string;
      readonly type: string;
      readonly resource: { readonly id: string };
    };
    if (firsts.has(event.id)) continue;
    firsts.set(event.id, { type: event.type, resourceId: event.resource.id, atMs });
    counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
  }
}

answerParent({
  url: () => url,
  /** Without a look at them: how many requests came at all. */
  countRequests: () => kept.length,
  count: (type: string) => {
    lookInto();
    return counts.get(type) ?? 0;
  },
  arrivals: (): Arrivals => {
    lookInto();
    return { arrivals: [...firsts.values()], requests: kept.length };
  },
  arrivalTimes: () => kept.map(({ atMs }) => atMs),
  /** Writes what came, one request a line, for a plain client that sends the same again. */
  keepRequests: (file: string) => {
    const lines = kept.map(({ headers, body }): string => {
      const request: KeptRequest = { headers: ownHeaders(headers), body: body.toString() };
      return JSON.stringify(request);
    });
    writeFileSync(file, lines.join('\n'));
  },
  forget: () => {
    kept = [];
    firsts = new Map();
    counts = new Map();
    lookedInto = 0;
  },
});

/** Those that a sender chooses; the rest belongs to the connection. */
function ownHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const own = Object.entries(headers).filter(
    ([name]) => name.startsWith('webhook-') || name === 'content-type' || name === 'user-agent',
  );
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}
