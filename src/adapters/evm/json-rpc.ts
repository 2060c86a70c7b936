import { Agent } from 'undici';
import { exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';

/** One call of JSON-RPC 2.0. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * What a node answered to one call. Of an error its code is kept and whether it carried bytes, which is
 * how nodes tell a revert; its text is dropped, since every client words it in its own way.
 */
export type RpcAnswer =
  | { readonly kind: 'RESULT'; readonly value: unknown }
  | { readonly kind: 'ERROR'; readonly code: number; readonly hasData: boolean };

/** The answers in the order of the calls, or why there are none: a code, never a foreign text. */
type RpcOutcome =
  | { readonly kind: 'ANSWERS'; readonly answers: readonly RpcAnswer[] }
  | { readonly kind: 'SILENCE'; readonly why: string };

export interface JsonRpcLimits {
  /** To the end of the TLS handshake. */
  readonly connectTimeoutMs: number;
  /** From the call to the answer's last byte. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Connections at a time; calls beyond wait, and their timeout runs. */
  readonly connections: number;
}

export interface JsonRpc {
  /** All calls in one request. Never throws for what the node or the network does. */
  ask(calls: readonly RpcCall[]): Promise<RpcOutcome>;
  close(): Promise<void>;
}

const DEFAULT_LIMITS: JsonRpcLimits = {
  connectTimeoutMs: 3_000,
  timeoutMs: 10_000,
  answerBytesMax: 8 * 1024 * 1024,
  connections: 8,
};

const BYTES = /^0x(?:[0-9a-f]{2})*$/i;

/**
 * A client of JSON-RPC 2.0 over HTTP (www.jsonrpc.org/specification). Nothing is asked twice, redirects
 * are not followed, and no text of the node or part of the URL, which may hold a key, leaves it. Throws
 * TypeError for a URL that is none of http or https, or that carries a user or a fragment.
 */
export function createJsonRpc(rpcUrl: string, given: Partial<JsonRpcLimits> = {}): JsonRpc {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const { origin, path } = readRpcUrl(rpcUrl);
  const dispatcher = new Agent({
    pipelining: 1,
    connections: limits.connections,
    connect: { timeout: limits.connectTimeoutMs },
  });

  return {
    async ask(calls) {
      const requests = calls.map((call, index) => ({ jsonrpc: '2.0', id: index + 1, ...call }));
      const outcome = await exchange(dispatcher, {
        origin,
        path,
        method: 'POST',
        body: Buffer.from(JSON.stringify(requests)),
        timeoutMs: limits.timeoutMs,
        bodyBytesMax: limits.answerBytesMax,
      });
      if (outcome.kind === 'NOT_SENT' || outcome.kind === 'BROKEN') {
        return { kind: 'SILENCE', why: outcome.why };
      }
      if (outcome.status !== 200) return { kind: 'SILENCE', why: `HTTP_${outcome.status}` };
      if (outcome.kind === 'HALF_ANSWER') return { kind: 'SILENCE', why: outcome.why };
      const answers = readAnswers(readJsonBody(outcome), calls.length);
      if (answers === null) return { kind: 'SILENCE', why: 'GARBAGE' };
      return { kind: 'ANSWERS', answers };
    },

    close: () => dispatcher.destroy(),
  };
}

function readRpcUrl(text: string): { origin: string; path: string } {
  // The error of `new URL` carries the text.
  if (!URL.canParse(text)) throw new TypeError('The address of a node is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError('The URL of a node must start with http or https.');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new TypeError('The URL of a node must not contain a user, a password, or a fragment.');
  }
  return { origin: url.origin, path: url.pathname + url.search };
}

/** One answer for each id, in any order (section 6); null where one is absent, doubled or malformed. */
function readAnswers(body: unknown, count: number): RpcAnswer[] | null {
  if (!Array.isArray(body) || body.length !== count) return null;
  const byId = new Map<number, RpcAnswer>();
  for (const item of body as unknown[]) {
    const answer = readAnswer(item);
    if (answer === null || byId.has(answer.id)) return null;
    byId.set(answer.id, answer.answer);
  }
  const answers: RpcAnswer[] = [];
  for (let id = 1; id <= count; id += 1) {
    const answer = byId.get(id);
    if (answer === undefined) return null;
    answers.push(answer);
  }
  return answers;
}

/** Either `result` or `error`, never both (section 5). */
function readAnswer(item: unknown): { id: number; answer: RpcAnswer } | null {
  if (!isObject(item) || item['jsonrpc'] !== '2.0') return null;
  const { id, result, error } = item;
  if (typeof id !== 'number') return null;
  // Some nodes write `error: null` beside a result.
  if (error === undefined || error === null) {
    return result === undefined ? null : { id, answer: { kind: 'RESULT', value: result } };
  }
  if (result !== undefined && result !== null) return null;
  if (!isObject(error)) return null;
  const { code, data } = error;
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return null;
  const hasData = typeof data === 'string' && BYTES.test(data);
  return { id, answer: { kind: 'ERROR', code, hasData } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
