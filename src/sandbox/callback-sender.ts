import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Clock } from '../domain/clock.ts';
import { signWebhook } from '../vault/webhook-signatures/signature.ts';
import type { SandboxLog } from './sandbox-log.ts';

/** Keeps a burst of callbacks from opening a socket each. */
const CONNECTIONS_MAX = 16;

export interface CallbackTimings {
  readonly triesMax: number;
  readonly firstRetryMs: number;
  readonly retryMaxMs: number;
  readonly timeoutMs: number;
}

export const DEFAULT_CALLBACK_TIMINGS: CallbackTimings = {
  triesMax: 20,
  firstRetryMs: 200,
  retryMaxMs: 10_000,
  timeoutMs: 5_000,
};

interface CallbackSenderDeps {
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly timings: CallbackTimings;
  readonly log: SandboxLog;
}

type CallbackOutcome = 'DELIVERED' | 'ABANDONED' | 'STOPPED';

export interface CallbackSender {
  /** Posts until a 2xx answer, at most `triesMax` times, doubling the pause up to `retryMaxMs`. */
  send(id: string, body: object): Promise<CallbackOutcome>;
  /** Ends every delivery under way as STOPPED. */
  stop(): Promise<void>;
}

/**
 * Sends signed callbacks (Standard Webhooks 1.0): the id stays the same on every try, the
 * timestamp is that of the try. Throws RangeError when the secret is not base64.
 */
export function createCallbackSender(deps: CallbackSenderDeps): CallbackSender {
  const { url, secret, clock, timings, log } = deps;
  // Better a server that does not start than one whose callbacks all fail later.
  signWebhook(secret, { id: 'probe', timestampSeconds: 0, body: '' });
  const agent = new Agent({ connections: CONNECTIONS_MAX });
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  async function isAccepted(id: string, body: string): Promise<boolean> {
    const timestampSeconds = Math.floor(clock.now().getTime() / 1000);
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timings.timeoutMs)]),
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signWebhook(secret, { id, timestampSeconds, body }),
      },
      body,
    });
    await answer.body.dump();
    return answer.statusCode >= 200 && answer.statusCode < 300;
  }

  return {
    async send(id, body) {
      const text = JSON.stringify(body);
      let pauseMs = timings.firstRetryMs;
      for (let tries = 1; tries <= timings.triesMax; tries += 1) {
        const accepted = await isAccepted(id, text).catch(() => false);
        if (accepted) return 'DELIVERED';
        if (isStopped()) return 'STOPPED';
        if (tries === timings.triesMax) break;
        await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (isStopped()) return 'STOPPED';
        pauseMs = Math.min(pauseMs * 2, timings.retryMaxMs);
      }
      log.warn({ callback: id, tries: timings.triesMax }, 'sandbox: callback abandoned');
      return 'ABANDONED';
    },
    async stop() {
      stopping.abort();
      await agent.destroy();
    },
  };
}
