import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { SKEW_MAX_MS } from './clock-skew.ts';

/** How often a working process measures its clock, and one whose clock is off looks for a right one. */
const CLOCK_CHECKS = { whileWorkingMs: 60_000, whileOffMs: 1_000 } as const;

interface KeepWorkingDeps {
  /** Builds workers that do not poll yet. */
  readonly createWorkers: () => Promise<readonly Worker[]>;
  /** Called each time once workers poll. */
  readonly onWorking: () => Promise<void>;
  /** By how much this machine's clock is off, in milliseconds. */
  readonly measureSkewMs: () => Promise<number>;
  readonly log: Pick<Logger, 'error' | 'info'>;
  /** Ends the work for good. */
  readonly signal: AbortSignal;
  readonly checks?: { readonly whileWorkingMs: number; readonly whileOffMs: number };
}

/**
 * Runs workers until told to stop, except while this machine's clock is off: deadlines are written by
 * one worker and judged by another, so a wrong clock could send a payment again too early. Workers then
 * end in order, and new ones poll once the clock is right. Rejects where a worker fails.
 */
export async function keepWorking(deps: KeepWorkingDeps): Promise<void> {
  const { signal } = deps;
  const { whileWorkingMs, whileOffMs } = deps.checks ?? CLOCK_CHECKS;
  const isOff = async () => Math.abs(await deps.measureSkewMs()) > SKEW_MAX_MS;
  while (!signal.aborted) {
    const workers = await deps.createWorkers();
    const each = workers.map((worker) => worker.run());
    const runs = Promise.all(each);
    const ending = new AbortController();
    const shutDown = () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    const told = AbortSignal.any([signal, ending.signal]);
    told.addEventListener('abort', shutDown, { once: true });
    if (told.aborted) shutDown();
    // A database that does not answer says nothing about the clock.
    const watch = until(() => isOff().catch(() => false), whileWorkingMs, told);
    try {
      await deps.onWorking();
      const wentOff = await Promise.race([watch, runs.then(() => false)]);
      if (wentOff) deps.log.error(await factsOf(deps), CLOCK_IS_OFF);
    } finally {
      ending.abort();
      // All of them, or the connection would be closed under one that still runs.
      await Promise.allSettled(each);
    }
    await runs;
    if (signal.aborted) return;
    if (await until(async () => !(await isOff().catch(() => true)), whileOffMs, signal)) {
      deps.log.info('clock is correct again; work continues');
    }
  }
}

export const CLOCK_IS_OFF =
  "this machine's clock is not PostgreSQL's: no work is done here until it is";

const factsOf = async (deps: KeepWorkingDeps) => ({
  skewMs: await deps.measureSkewMs().catch(() => null),
});

/** Looks again and again, first after one pause; true once it holds, false where it is told to stop. */
async function until(
  holds: () => Promise<boolean>,
  everyMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && (await holds())) return true;
  }
  return false;
}
