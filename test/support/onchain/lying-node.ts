import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request as ask } from 'undici';

/** A call as it came in. */
export interface HeardCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node writes for one call. */
export interface WrittenAnswer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Makes the answer that is given out of the true one. May be asked about each call of a batch. */
export type Lie = (honest: WrittenAnswer, call: HeardCall) => WrittenAnswer;

/** Takes the whole answer over, after the calls were heard. */
export type Takeover = (
  answer: ServerResponse,
  honest: readonly WrittenAnswer[],
  calls: readonly HeardCall[],
) => void;

export interface LyingNode {
  readonly url: string;
  /** The methods of the calls that it heard, in their order. */
  readonly heard: string[];
  /** From now on lies about a method. */
  lieAbout(method: string, lie: Lie): void;
  /** From now on answers everything in a way of its own. */
  takeOver(takeover: Takeover): void;
  /** From now on hands on the truth. */
  repent(): void;
  close(): Promise<void>;
}

/** Makes another result out of the true one. */
export const result =
  <Honest>(change: (honest: Honest) => unknown): Lie =>
  ({ jsonrpc, id, result: honest }) => ({ jsonrpc, id, result: change(honest as Honest) });

/** Changes fields of an object; null stays null. */
export const change = (fields: Readonly<Record<string, unknown>>): Lie =>
  result((honest: object | null) => honest && { ...honest, ...fields });

/** Replaces the answer by an error. */
export const refusal =
  (code: number, data?: unknown): Lie =>
  ({ jsonrpc, id }) => ({ jsonrpc, id, error: { code, message: 'made up', data } });

/** A node that hands every call on to a true one and gives its answers back, unless it is told to lie. */
export async function startLyingNode(target: string): Promise<LyingNode> {
  const lies = new Map<string, Lie>();
  const heard: string[] = [];
  let takeover: Takeover | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readText(request);
    const calls = JSON.parse(asked) as HeardCall[];
    heard.push(...calls.map(({ method }) => method));
    const headers = { 'content-type': 'application/json' };
    // Global fetch takes several times as long.
    const { body } = await ask(target, { method: 'POST', headers, body: asked });
    const truth = await body.text();
    if (takeover === undefined && !calls.some(({ method }) => lies.has(method))) {
      response.setHeader('content-type', 'application/json').end(truth);
      return;
    }
    const honest = JSON.parse(truth) as WrittenAnswer[];
    if (takeover !== undefined) {
      takeover(response, honest, calls);
      return;
    }
    const given = calls.map((call) => {
      const own = honest.find(({ id }) => id === call.id);
      if (own === undefined) throw new Error('the node left out an answer');
      return lies.get(call.method)?.(own, call) ?? own;
    });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(given));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    heard,
    lieAbout(method, lie) {
      lies.set(method, lie);
    },
    takeOver(given) {
      takeover = given;
    },
    repent() {
      lies.clear();
      takeover = undefined;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
