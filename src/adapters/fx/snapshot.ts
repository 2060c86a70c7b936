import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import type { FxSource } from '../../domain/payments/fx/fx-source.ts';
import snapshot from './snapshot-2026-09-29.json' with { type: 'json' };

/**
 * The offline default: one day's real rates, shipped with the program. They carry that day's own time,
 * so they are marked stale as soon as they are; they never pass for today's.
 */
export function createSnapshotSource(): FxSource {
  const asOf = new Date(`${snapshot.date}T00:00:00.000Z`);
  const legs: FxLeg[] = Object.entries(snapshot.rates).map(([quote, rate]) => ({
    base: snapshot.base,
    quote,
    rate,
    asOf,
    source: 'snapshot',
  }));
  return {
    name: 'snapshot',
    fetch: () => Promise.resolve(legs.map((leg) => ({ ...leg, asOf: new Date(asOf) }))),
  };
}
