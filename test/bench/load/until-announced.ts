import { setTimeout as pause } from 'node:timers/promises';
import type { BenchReceiver } from '../peers/receiver.ts';

const LOOK_EVERY_MS = 100;
/** Without one more for so long, the rest is given up. */
const STANDSTILL_MS_MAX = 90_000;

/**
 * Waits until the receiver has had so many different events of a type.
 * @throws Error where no further one comes for 90 s, or the bench is to stop.
 */
export async function untilAnnounced(
  receiver: BenchReceiver,
  type: string,
  wanted: number,
  signal: AbortSignal,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<void> {
  let last = -1;
  for (let since = performance.now(); ;) {
    const count = await receiver.count(type);
    if (count >= wanted) return;
    if (signal.aborted) throw new Error('stopped');
    if (count > last) {
      last = count;
      since = performance.now();
    }
    if (performance.now() - since > STANDSTILL_MS_MAX) {
      throw new Error(`${String(count)} of ${String(wanted)} ${type} came, and no more for 90 s`);
    }
    await pause(lookEveryMs);
  }
}
