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

/** Why there is no answer: a code, never a foreign text. */
interface RpcSilence {
  readonly kind: 'SILENCE';
  readonly why: string;
}

/** The answers in the order of the calls, or why there are none. */
type RpcOutcome = { readonly kind: 'ANSWERS'; readonly answers: readonly RpcAnswer[] } | RpcSilence;

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
  /**
   * All calls in one request, which is answered as a whole. Calls that the node takes in no request together go in
   * several, one after the other. Never throws for what the node or the network does.
   */
  ask(calls: readonly RpcCall[]): Promise<RpcOutcome>;
  /**
   * Any number of calls that do not depend on each other, in as few requests as the node takes. What is not answered is
   * silence of its own. The last request is sent after the answers to the others. Never throws for what the node or the
   * network does.
   */
  askEach(calls: readonly RpcCall[]): Promise<readonly (RpcAnswer | RpcSilence)[]>;
  close(): Promise<void>;
}

const DEFAULT_LIMITS: JsonRpcLimits = {
  connectTimeoutMs: 3_000,
  timeoutMs: 10_000,
  answerBytesMax: 8 * 1024 * 1024,
  connections: 8,
};

/** Calls of one request: less than what public providers take (Alchemy and Infura: 100 and more). */
export const BATCH_MAX = 50;

/** Requests with a smaller batch, after a refused one, until twice as many calls are tried again. */
const GROW_AFTER = 500;

/** Too many requests (HTTP 429, and -32005 of EIP-1474): the same calls in more requests are refused too. */
const TOO_MANY = { status: 429, code: -32_005 };

/** What says that an answer, or a request, is too large as a whole. */
const TOO_LARGE = /^(?:TOO_LARGE|HTTP_413)$/;

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

  /** The calls of one request: the node may refuse more. */
  let batchMax = BATCH_MAX;
  let answered = 0;

  /** A batch of so many was refused. */
  const shrink = (count: number): void => {
    batchMax = Math.max(1, Math.min(batchMax, Math.floor(count / 2)));
    answered = 0;
  };

  const grow = (): void => {
    answered += 1;
    if (batchMax === BATCH_MAX || answered < GROW_AFTER) return;
    batchMax = Math.min(BATCH_MAX, batchMax * 2);
    answered = 0;
  };

  async function request(calls: readonly RpcCall[]): Promise<Answered> {
    const requests = calls.map((call, index) => ({ jsonrpc: '2.0', id: index + 1, ...call }));
    const isBatch = batchMax > 1;
    const outcome = await exchange(dispatcher, {
      origin,
      path,
      method: 'POST',
      body: Buffer.from(JSON.stringify(isBatch ? requests : requests[0])),
      timeoutMs: limits.timeoutMs,
      bodyBytesMax: limits.answerBytesMax,
    });
    if (outcome.kind === 'NOT_SENT' || outcome.kind === 'BROKEN') {
      return { kind: 'SILENCE', why: outcome.why };
    }
    const { status } = outcome;
    if (outcome.kind === 'HALF_ANSWER') {
      return { kind: 'SILENCE', why: status === 200 ? outcome.why : `HTTP_${status}` };
    }
    const body = readJsonBody(outcome);
    if (isBatch && status !== TOO_MANY.status && isRefusal(body)) return { kind: 'REFUSED' };
    if (status !== 200) return { kind: 'SILENCE', why: `HTTP_${status}` };
    const answers = readAnswers(isBatch ? body : [body], calls.length);
    if (answers === null) return { kind: 'SILENCE', why: 'GARBAGE' };
    grow();
    return { kind: 'ANSWERED', answers };
  }

  async function ask(calls: readonly RpcCall[]): Promise<RpcOutcome> {
    const answers: RpcAnswer[] = [];
    while (answers.length < calls.length) {
      const some = calls.slice(answers.length, answers.length + batchMax);
      const outcome = await request(some);
      if (outcome.kind === 'SILENCE') return outcome;
      if (outcome.kind === 'REFUSED') {
        shrink(some.length);
        continue;
      }
      for (const answer of outcome.answers) {
        if (answer === null) return { kind: 'SILENCE', why: 'GARBAGE' };
        answers.push(answer);
      }
    }
    return { kind: 'ANSWERS', answers };
  }

  async function askEach(
    calls: readonly RpcCall[],
    most: number = calls.length,
  ): Promise<readonly (RpcAnswer | RpcSilence)[]> {
    const size = Math.max(1, Math.min(batchMax, most));
    if (calls.length > size) {
      const last = calls.length - 1 - ((calls.length - 1) % size);
      const parts: Promise<readonly (RpcAnswer | RpcSilence)[]>[] = [];
      for (let at = 0; at < last; at += size) parts.push(askEach(calls.slice(at, at + size)));
      const before = (await Promise.all(parts)).flat();
      return [...before, ...(await askEach(calls.slice(last)))];
    }
    if (calls.length === 0) return [];
    const outcome = await request(calls);
    if (outcome.kind === 'ANSWERED') {
      return outcome.answers.map((answer) => answer ?? { kind: 'SILENCE', why: 'NO_ANSWER' });
    }
    if (outcome.kind === 'REFUSED') {
      shrink(calls.length);
      return askEach(calls);
    }
    if (calls.length > 1 && TOO_LARGE.test(outcome.why)) {
      return askEach(calls, Math.ceil(calls.length / 2));
    }
    return calls.map(() => outcome);
  }

  return { ask, askEach: (calls) => askEach(calls), close: () => dispatcher.destroy() };
}

/** What became of one request. REFUSED: the node takes no batch, or none of so many calls. */
type Answered =
  | { readonly kind: 'ANSWERED'; readonly answers: readonly (RpcAnswer | null)[] }
  | { readonly kind: 'REFUSED' }
  | RpcSilence;

/** One error in the place of the answers to a batch (section 6: the batch itself was refused). */
function isRefusal(body: unknown): boolean {
  if (!isObject(body) || !isObject(body['error'])) return false;
  return body['error']['code'] !== TOO_MANY.code;
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

/**
 * The answers by their ids, in any order (section 6), null in the place of each that is absent; null where one is doubled,
 * malformed or of no call.
 */
function readAnswers(body: unknown, count: number): (RpcAnswer | null)[] | null {
  if (!Array.isArray(body) || body.length > count) return null;
  const answers = new Array<RpcAnswer | null>(count).fill(null);
  for (const item of body as unknown[]) {
    const read = readAnswer(item);
    if (read === null || answers[read.id - 1] !== null) return null;
    answers[read.id - 1] = read.answer;
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
