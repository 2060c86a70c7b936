import { CORRIDOR_TERMS } from './corridor.ts';
import type { Corridor, CorridorKey, CorridorTerms } from './corridor.ts';
import { corridorFrom, defaultTerms } from './scheme.ts';

/** What an operator says of a corridor: the terms that differ, or those of a new corridor. */
export interface CorridorOverride extends CorridorKey, Partial<CorridorTerms> {
  /** Makes it the default rail of its country and currency. */
  readonly isDefault?: true;
}

/**
 * The table with an operator's changes. A corridor that the table lacks is added behind the local rails
 * and before SWIFT. The overrides have been checked: see `checkOverrides`.
 */
export function applyOverrides(
  shipped: readonly Corridor[],
  overrides: readonly CorridorOverride[],
): Corridor[] {
  let table = [...shipped];
  for (const override of overrides) {
    const known = table.find((way) => isSame(way, override));
    const changed = known === undefined ? newCorridor(override) : changedCorridor(known, override);
    if (override.isDefault === true) {
      table = [changed, ...table.filter((way) => way !== known)];
    } else if (known === undefined) {
      const local = table.filter(({ rail }) => rail !== 'SWIFT');
      const swift = table.filter(({ rail }) => rail === 'SWIFT');
      table = changed.rail === 'SWIFT' ? [...table, changed] : [...local, changed, ...swift];
    } else {
      table = table.map((way) => (way === known ? changed : way));
    }
  }
  return table;
}

/** Whether two speak of the same corridor. */
function isSame(a: CorridorKey, b: CorridorKey): boolean {
  return a.country === b.country && a.currency === b.currency && a.rail === b.rail;
}

function newCorridor(override: CorridorOverride): Corridor {
  const { country, currency, rail } = override;
  return changedCorridor(
    corridorFrom({ country, currency, rail }, defaultTerms(currency)),
    override,
  );
}

function changedCorridor(before: Corridor, override: CorridorOverride): Corridor {
  const said = CORRIDOR_TERMS.filter((term) => override[term] !== undefined);
  const terms = Object.fromEntries(said.map((term) => [term, override[term]]));
  const sources = Object.fromEntries(said.map((term) => [term, { kind: 'OPERATOR' } as const]));
  return { ...before, ...terms, sources: { ...before.sources, ...sources } };
}
