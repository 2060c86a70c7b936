import type { Clock } from '../../domain/clock.ts';
import type { Checks } from './monitor-app.ts';

/** One worker of a task queue, as the SDK tells of it. */
export interface PolledWorker {
  readonly options: { readonly taskQueue: string };
  getStatus(): {
    readonly runState: string;
    readonly workflowPollerState: string;
    readonly activityPollerState: string;
  };
}

/** A worker that does not poll for so long is stuck. */
const STUCK_AFTER_MS = 60_000;

/** Not begun, or ended on purpose: while the clock is off, or Temporal was never reached. */
const AT_REST: ReadonlySet<string> = new Set(['INITIALIZED', 'STOPPED']);

/** A worker without workflows has shut that poller from the start. */
const isPolling = (worker: PolledWorker): boolean => {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  return (
    runState === 'RUNNING' && activityPollerState === 'POLLING' && workflowPollerState !== 'FAILED'
  );
};

/** Tells which task queues a process polls. */
export interface Polling {
  /** `ok` for each queue that is polled, or was within 60 s. Polling goes on while Temporal is down. */
  checks(): Checks;
  /** 1 for each queue that is polled at this moment, 0 for each other. */
  values(): ReadonlyMap<string, 0 | 1>;
}

export function watchPolling(workers: () => readonly PolledWorker[], clock: Clock): Polling {
  const quietSince = new Map<PolledWorker, number>();

  function check(worker: PolledWorker, now: number): string {
    if (isPolling(worker) || AT_REST.has(worker.getStatus().runState)) {
      quietSince.delete(worker);
      return 'ok';
    }
    const since = quietSince.get(worker) ?? now;
    quietSince.set(worker, since);
    return now - since < STUCK_AFTER_MS ? 'ok' : 'not_polled';
  }

  return {
    checks() {
      const all = workers();
      for (const known of quietSince.keys()) if (!all.includes(known)) quietSince.delete(known);
      const now = clock.now().getTime();
      return Object.fromEntries(all.map((one) => [one.options.taskQueue, check(one, now)]));
    },
    values: () =>
      new Map(workers().map((one) => [one.options.taskQueue, isPolling(one) ? 1 : 0] as const)),
  };
}
