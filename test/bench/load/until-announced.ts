import { setTimeout as pause } from 'node:timers/promises';
import type { BenchReceiver } from '../peers/receiver.ts';

const LOOK_EVERY_MS = 100;
/** Without one more for so long, the rest is given up. */
const STANDSTILL_MS_MAX = 90_000;

/**
 * Waits until the receiver has had so many different events of a type.
 * @throws Error where no further one comes for 90 s, or the bench is to stop.
 */
export function untilAnnounced(
  receiver: BenchReceiver,
  type: string,
  wanted: number,
  signal: AbortSignal,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<void> {
  return untilCounted(() => receiver.count(type), { what: type, wanted, lookEveryMs }, signal);
}

/** The same for whatever `count` counts. */
export async function untilCounted(
  count: () => Promise<number>,
  goal: { readonly what: string; readonly wanted: number; readonly lookEveryMs?: number },
  signal: AbortSignal,
): Promise<void> {
  const { what, wanted, lookEveryMs = LOOK_EVERY_MS } = goal;
  let last = -1;
  for (let since = performance.now(); ;) {
    const now = await count();
    if (now >= wanted) return;
    if (signal.aborted) throw new Error('stopped');
    if (now > last) {
      last = now;
      since = performance.now();
    }
    if (performance.now() - since > STANDSTILL_MS_MAX) {
      throw new Error(`${String(now)} of ${String(wanted)} ${what} came, and no more for 90 s`);
    }
    await pause(lookEveryMs);
  }
}
