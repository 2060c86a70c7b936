/**
 * The names of changes to workflow code that running workflows must not notice. A change that alters
 * the order of commands goes behind `patched(VERSIONS.<name>)`; the stored histories under
 * test/replay show that old ones still replay.
 */
export const VERSIONS = {
  /** Balances are counted beside what is read, no more within it. */
  balancesApart: 'balances-apart',
} as const satisfies Record<string, string>;
