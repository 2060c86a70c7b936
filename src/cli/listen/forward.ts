import { Agent, request } from 'undici';
import type { IncomingWebhook, WebhookAnswer } from './receiver.ts';

/** A second below what the engine gives a receiver, so that its log tells of a timeout as 504. */
const TIMEOUT_MS = 14_000;
const ANSWER_BYTES_MAX = 64 * 1_024;
/** Of one connection, not of the message (RFC 9110, 7.6.1); the length is counted anew. */
const HOP_BY_HOP =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length)$/i;
/** What the engine looks at, and what says how to read the body. */
const PASSED_BACK = ['content-type', 'retry-after'];

/** What became of a webhook at the URL that it was handed on to. */
export interface Forwarded {
  /** Null where no answer came. */
  readonly status: number | null;
  /** Why none came: TIMEOUT, or what the system calls it. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface Forwarder {
  /** Never rejects. No answer is told to the engine as 504 or 502. */
  forward(webhook: IncomingWebhook): Promise<{ forwarded: Forwarded; answer: WebhookAnswer }>;
  close(): Promise<void>;
}

/** Hands webhooks on to a URL with their own headers and bytes; follows no redirect and uses no proxy. */
export function createForwarder(url: string): Forwarder {
  const agent = new Agent();
  return {
    async forward({ rawHeaders, body }) {
      const startedMs = performance.now();
      const durationMs = () => Math.round(performance.now() - startedMs);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const answer = await request(url, {
          ...{ dispatcher: agent, method: 'POST', body, signal },
          headers: endToEnd(rawHeaders),
        });
        const passed = PASSED_BACK.flatMap((name) => {
          const value = answer.headers[name];
          return typeof value === 'string' ? [[name, value] as const] : [];
        });
        const said = await readSome(answer.body);
        const status = answer.statusCode;
        return {
          forwarded: { status, error: null, durationMs: durationMs() },
          answer: { status, headers: Object.fromEntries(passed), body: said },
        };
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'no code';
        const isLate = signal.aborted;
        return {
          forwarded: { status: null, error: isLate ? 'TIMEOUT' : code, durationMs: durationMs() },
          answer: { status: isLate ? 504 : 502 },
        };
      }
    },
    close: () => agent.destroy(),
  };
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!HOP_BY_HOP.test(name)) kept.push(name, value);
  }
  return kept;
}

async function readSome(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, ANSWER_BYTES_MAX - bytes));
    bytes += chunk.length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}
