import type { Clock } from '../../domain/clock.ts';

/** How long after it was told the same alarm is not told again, in ms. */
const AGAIN_AFTER_MS = 10 * 60_000;

/** Alarms that are remembered; beyond it the oldest is forgotten, and told again. */
const KNOWN_MAX = 1_000;

/** What changes from look to look while an alarm lasts. */
const MEASURED: ReadonlySet<string> = new Set(['coins', 'enough']);

/**
 * Tells each alarm at once, and the same one again every 10 minutes while it lasts: a chain is looked at
 * twice a second. It is the same one where only what was measured is another.
 */
export function repeatAlarms<Alarm>(
  clock: Clock,
  tell: (alarm: Alarm) => void,
): (alarm: Alarm) => void {
  const toldAt = new Map<string, number>();
  return (alarm) => {
    const name = JSON.stringify(alarm, (field, value: unknown) =>
      MEASURED.has(field) ? undefined : value,
    );
    const now = clock.now().getTime();
    if (now - (toldAt.get(name) ?? -Infinity) < AGAIN_AFTER_MS) return;
    toldAt.delete(name);
    const [oldest] = toldAt.keys();
    if (toldAt.size >= KNOWN_MAX && oldest !== undefined) toldAt.delete(oldest);
    toldAt.set(name, now);
    tell(alarm);
  };
}
