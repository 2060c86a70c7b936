import type { FastifyBaseLogger } from 'fastify';
import { writeApiRequests, type ApiRequest } from '../db/customers/api-request-store.ts';
import type { Database } from '../db/client/database.ts';
import { isDatabaseOutage } from '../db/client/outage.ts';
import type { Clock } from '../domain/clock.ts';
import { describeFault } from '../web/kit/http/describe-fault.ts';

const FLUSH_EVERY_MS = 1_000;
/** Requests that wait to be written, about 400 bytes each; what is beyond them pushes out the oldest. */
const WAITING_MAX = 10_000;
/** Of one statement. */
const BATCH_MAX = 5_000;

interface RequestRecorder {
  /** Remembers a request that was answered. Never waits, never throws. */
  note(request: ApiRequest): void;
  /** Writes what is remembered, a batch; what an outage keeps from being written is tried again. */
  flush(): Promise<void>;
  /** Flushes for the last time: all that waits, unless a batch fails. */
  stop(): Promise<void>;
}

/** Batches the request log of API keys: one statement a second, whatever comes in. */
export function createRequestRecorder(
  deps: { readonly db: Pick<Database, 'query'>; readonly clock: Clock },
  log: Pick<FastifyBaseLogger, 'warn'>,
): RequestRecorder {
  let waiting: ApiRequest[] = [];
  let dropped = 0;
  let running: Promise<boolean> = Promise.resolve(true);
  let isFlushing = false;
  const timer = setInterval(() => {
    // A statement that takes longer than a second is not followed by two at once.
    if (!isFlushing) void flush();
  }, FLUSH_EVERY_MS);
  timer.unref();

  function trim(): void {
    const excess = waiting.length - WAITING_MAX;
    if (excess <= 0) return;
    waiting = waiting.slice(excess);
    dropped += excess;
  }

  /** False where nothing could be written. */
  async function write(): Promise<boolean> {
    trim();
    if (dropped > 0) {
      log.warn({ dropped }, 'requests dropped from the request log');
      dropped = 0;
    }
    const batch = waiting.slice(0, BATCH_MAX);
    if (batch.length === 0) return true;
    waiting = waiting.slice(BATCH_MAX);
    isFlushing = true;
    try {
      await writeApiRequests(deps.db, batch, deps.clock.now());
      return true;
    } catch (error) {
      log.warn({ fault: describeFault(error) }, 'request log not written yet');
      // What PostgreSQL refuses for what it says would be refused for ever.
      if (isDatabaseOutage(error)) waiting = [...batch, ...waiting];
      else dropped += batch.length;
      return false;
    } finally {
      isFlushing = false;
    }
  }

  async function flush(): Promise<void> {
    running = running.then(write);
    await running;
  }

  return {
    note(request) {
      waiting.push(request);
      // Trimmed now and then, so that a flood costs no copy a request.
      if (waiting.length >= 2 * WAITING_MAX) trim();
    },
    flush,
    async stop() {
      clearInterval(timer);
      do running = running.then(write);
      while ((await running) && waiting.length > 0);
    },
  };
}
