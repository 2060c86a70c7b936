import { Agent, request } from 'undici';
import type { Clock } from '../domain/clock.ts';
import type { AttemptResult } from '../domain/webhooks/attempt.ts';
import { readRetryAfter } from '../domain/webhooks/retry-after.ts';
import { AnswerTooLong } from './answer-limit.ts';
import { failureCode } from './failure-code.ts';
import { createGuardedConnect } from './guarded-connect.ts';
import { resolveName, type ResolveName } from './resolve-name.ts';
import { judgeUrl, type UrlPolicy } from './url-rules.ts';

/** From the first look-up to the last byte of the answer that is read. */
const TOTAL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** As much of an answer's body is read, so that the connection can serve again; then it is cut. */
const ANSWER_BYTES_MAX = 64 * 1_024;
/** As much of it is kept. */
const KEPT_BYTES_MAX = 4 * 1_024;
/** Below the five seconds after which many servers close: a reused socket should not be a dead one. */
const KEEP_ALIVE_MS = 4_000;

export interface WebhookClientOptions {
  readonly policy: UrlPolicy;
  readonly clock: Clock;
  /** Connections at a time. */
  readonly connectionsMax: number;
  readonly resolve?: ResolveName;
  /** Milliseconds, 15,000 unless told. */
  readonly timeoutMs?: number;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

/** Sends to one endpoint; its connections serve no other endpoint, so a dead one holds up only itself. */
export interface WebhookClient {
  /** One POST. Never rejects, never follows a redirect, never goes through a proxy. */
  post(url: string, headers: Record<string, string>, body: string): Promise<AttemptResult>;
  /** Cuts whatever is still open. */
  close(): Promise<void>;
}

export type OpenWebhookClient = (options: WebhookClientOptions) => WebhookClient;

/** Opens a client for one endpoint. Close it when the endpoint's turn is over. */
export const openWebhookClient: OpenWebhookClient = (options) => {
  const timeoutMs = options.timeoutMs ?? TOTAL_TIMEOUT_MS;
  const agent = new Agent({
    connections: options.connectionsMax,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: createGuardedConnect({
      policy: options.policy,
      resolve: options.resolve ?? resolveName,
      timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      ca: options.ca,
    }),
  });

  async function send(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    // `request` follows no redirect by itself and reads no proxy variable.
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
    const read = await readSome(answer.body);
    const retryAfter = answer.headers['retry-after'];
    return {
      ...read,
      status: answer.statusCode,
      retryAfterSeconds:
        typeof retryAfter === 'string'
          ? readRetryAfter(retryAfter, options.clock.now())
          : undefined,
    };
  }

  return {
    async post(url, headers, body) {
      const startedMs = performance.now();
      const durationMs = () => Math.round(performance.now() - startedMs);
      const verdict = judgeUrl(url, options.policy);
      if (!verdict.ok) return { kind: 'FAILED', code: 'URL_REFUSED', durationMs: 0 };
      const deadline = new AbortController();
      const timer = setTimeout(() => {
        deadline.abort();
      }, timeoutMs);
      try {
        const { cut, ...answer } = await send(verdict.url, headers, body, deadline.signal);
        // Only a success needs its end: who fails to send that may not have kept the event either.
        if (cut === undefined || !mustBeWhole(answer.status)) {
          return { kind: 'ANSWERED', ...answer, durationMs: durationMs() };
        }
        const code = deadline.signal.aborted ? 'TIMEOUT' : failureCode(cut);
        const { status, answer: kept } = answer;
        return { kind: 'FAILED', code, status, answer: kept, durationMs: durationMs() };
      } catch (error) {
        const code = deadline.signal.aborted ? 'TIMEOUT' : failureCode(error);
        return { kind: 'FAILED', code, durationMs: durationMs() };
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await agent.destroy();
    },
  };
};

/** A success, but for 204: it ends with its head, whatever follows (RFC 9110, section 15.3.5). */
const mustBeWhole = (status: number): boolean => status >= 200 && status < 300 && status !== 204;

interface Answer {
  readonly status: number;
  readonly retryAfterSeconds?: number;
  /** The beginning of the body, never inflated. */
  readonly answer: string;
  /** Why the body did not come to its end; undefined where it did. */
  readonly cut?: unknown;
}

/** Reads the answer's body up to the limit: one that is endless, slow or broken is cut. */
async function readSome(body: AsyncIterable<Buffer>): Promise<Pick<Answer, 'answer' | 'cut'>> {
  const kept: Buffer[] = [];
  let bytes = 0;
  let cut: unknown;
  try {
    for await (const chunk of body) {
      if (bytes < KEPT_BYTES_MAX) kept.push(chunk.subarray(0, KEPT_BYTES_MAX - bytes));
      bytes += chunk.length;
      // Leaving the loop destroys the body and with it the connection.
      if (bytes > ANSWER_BYTES_MAX) {
        cut = new AnswerTooLong('answer too long');
        break;
      }
    }
  } catch (error) {
    // The connection is gone, or the deadline or the limit of its bytes has cut it.
    cut = error;
  }
  return { answer: Buffer.concat(kept).toString('utf8'), cut };
}
