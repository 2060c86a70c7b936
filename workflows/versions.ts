/**
 * The names of changes to workflow code that running workflows must not notice. A change that alters
 * the order of commands goes behind `patched(VERSIONS.<name>)`; the stored histories under
 * test/workflow/replay show that old ones still replay.
 */
export const VERSIONS = {
  /** Balances are checked in an activity of their own, beside what is read. */
  balancesApart: 'balances-apart',
} as const satisfies Record<string, string>;
