import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';

/** Slow drains of one customer's environment at a time: a sixth of a process's slots for them. */
export const SLOW_DRAINS_PER_SCOPE = 3;
/** After this long a drain that got no turn asks again. */
export const ASK_AGAIN_MS = 5_000;
/** An endpoint that has not asked again for so long asks another process: its place is free. */
const FORGET_AFTER_MS = 3 * ASK_AGAIN_MS;

export interface SlowTurn {
  /** Whether another endpoint of the same customer's environment waits for a turn. */
  readonly isWanted: () => boolean;
  /** Gives the turn back. */
  readonly end: () => void;
}

export interface SlowTurns {
  /** A turn for the endpoint; null where it is to ask again after ASK_AGAIN_MS. */
  take(scope: Scope, endpointId: string): SlowTurn | null;
}

interface Queue {
  running: number;
  /** When each that waits has last asked, milliseconds; in the order in which they came. */
  readonly waiting: Map<string, number>;
}

/**
 * Gives out the turns of slow drains in one process, so that the dead endpoints of one customer never
 * take all slots. First come, first served: an endpoint that was sent away keeps its place in the line
 * as long as it asks again, and none behind it overtakes, so none starves.
 */
export function createSlowTurns(deps: { readonly clock: Clock }): SlowTurns {
  const queues = new Map<string, Queue>();

  return {
    take({ customerId, environment }, endpointId) {
      const key = `${environment}/${customerId}`;
      const queue = queues.get(key) ?? { running: 0, waiting: new Map<string, number>() };
      queues.set(key, queue);
      const { waiting } = queue;
      const now = deps.clock.now().getTime();
      for (const [id, askedAt] of waiting) {
        if (now - askedAt > FORGET_AFTER_MS) waiting.delete(id);
      }
      const line = [...waiting.keys()];
      const ahead = waiting.has(endpointId) ? line.indexOf(endpointId) : line.length;
      if (queue.running + ahead >= SLOW_DRAINS_PER_SCOPE) {
        waiting.set(endpointId, now);
        return null;
      }
      waiting.delete(endpointId);
      queue.running += 1;
      return {
        isWanted: () => waiting.size > 0,
        end: () => {
          queue.running -= 1;
          if (queue.running === 0 && waiting.size === 0) queues.delete(key);
        },
      };
    },
  };
}
