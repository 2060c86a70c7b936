import { CORRIDOR_TERMS } from '../../../src/domain/payments/corridors/corridor.ts';
import type { Corridor } from '../../../src/domain/payments/corridors/corridor.ts';

export interface CorridorCounts {
  readonly countries: number;
  readonly currencies: number;
  readonly rails: number;
  readonly corridors: number;
  /** Values that a document states, and among them those that say that there is none (null). */
  readonly sourced: number;
  readonly sourcedNone: number;
  readonly byDefault: number;
  /** Null because no source that we know states them. */
  readonly notStated: number;
}

/** What the table holds; docs/reference/corridors.md shows these figures. */
export function countCorridors(all: readonly Corridor[]): CorridorCounts {
  const distinct = (of: (way: Corridor) => string) => new Set(all.map(of)).size;
  const values = all.flatMap((way) =>
    CORRIDOR_TERMS.map((term) => ({ value: way[term], kind: way.sources[term]?.kind ?? null })),
  );
  const count = (isMeant: (value: (typeof values)[number]) => boolean) =>
    values.filter(isMeant).length;
  return {
    countries: distinct(({ country }) => country),
    currencies: distinct(({ currency }) => currency),
    rails: distinct(({ rail }) => rail),
    corridors: all.length,
    sourced: count(({ kind }) => kind === 'SOURCE'),
    sourcedNone: count(({ kind, value }) => kind === 'SOURCE' && value === null),
    byDefault: count(({ kind }) => kind === 'DEFAULT'),
    notStated: count(({ kind }) => kind === null),
  };
}
