import { Agent } from 'undici';
import type { Clock } from '../../domain/clock.ts';
import type { AttemptResult } from '../../domain/webhooks/attempt.ts';
import { readRetryAfter } from '../../domain/webhooks/retry-after.ts';
import { exchange } from './exchange.ts';
import { failureCode } from './failure-code.ts';
import { createGuardedConnect } from './guarded-connect.ts';
import { resolveName, type ResolveName } from './resolve-name.ts';
import { judgeUrl, type UrlPolicy, type UrlVerdict } from './url-rules.ts';

/** From the first look-up to the last byte of the answer that is read. */
const TOTAL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
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

  // The last URL and what it leads to: a drain sends to one, thousands of times. The address that it
  // leads to is judged at every socket.
  let judged: { readonly text: string; readonly target: Target | null } | null = null;
  const targetOf = (text: string): Target | null => {
    if (judged?.text !== text) {
      judged = { text, target: readTarget(judgeUrl(text, options.policy)) };
    }
    return judged.target;
  };

  return {
    async post(url, headers, body) {
      const startedMs = performance.now();
      const target = targetOf(url);
      if (target === null) return { kind: 'FAILED', code: 'URL_REFUSED', durationMs: 0 };
      const { origin, path } = target;
      const request = { origin, path, headers, body, timeoutMs };
      const { status, answer, retryAfter, cut } = await exchange(agent, request);
      const durationMs = Math.round(performance.now() - startedMs);
      if (status === undefined) return { kind: 'FAILED', code: failureCode(cut), durationMs };
      // Only a success needs its end: who fails to send that may not have kept the event either.
      if (cut !== undefined && mustBeWhole(status)) {
        return { kind: 'FAILED', code: failureCode(cut), status, answer, durationMs };
      }
      const retryAfterSeconds =
        typeof retryAfter === 'string'
          ? readRetryAfter(retryAfter, options.clock.now())
          : undefined;
      return { kind: 'ANSWERED', status, answer, retryAfterSeconds, durationMs };
    },
    async close() {
      await agent.destroy();
    },
  };
};

/** A success, but for 204: it ends with its head, whatever follows (RFC 9110, section 15.3.5). */
const mustBeWhole = (status: number): boolean => status >= 200 && status < 300 && status !== 204;

interface Target {
  readonly origin: string;
  readonly path: string;
}

/** Null where the URL was refused. */
function readTarget(verdict: UrlVerdict): Target | null {
  if (!verdict.ok) return null;
  const { origin, pathname, search } = verdict.url;
  return { origin, path: pathname + search };
}
