/** The invariants by number, as docs and design name them; FX is the position in currencies. */
type InvariantId =
  | `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23}`
  | 'SIGNED'
  | 'SEALED'
  | 'FX';

/** One thing that breaks an invariant: which row, and what is wrong with it. */
export interface Violation {
  readonly subject: string;
  readonly problem: string;
}

/** What looking found. `samples` holds the first violations; `violations` counts all of them. */
export interface Findings {
  readonly checked: number;
  readonly violations: number;
  readonly samples: readonly Violation[];
}

/** What was not looked at says why: an unchecked invariant never counts as held. */
export type Verdict = { readonly id: InvariantId; readonly name: string } & (
  | ({ readonly status: 'held' | 'violated' } & Findings)
  | { readonly status: 'skipped'; readonly why: string }
);

export const SAMPLES_MAX = 20;

export function judged(id: InvariantId, name: string, findings: Findings): Verdict {
  return { id, name, status: findings.violations === 0 ? 'held' : 'violated', ...findings };
}

export function skipped(id: InvariantId, name: string, why: string): Verdict {
  return { id, name, status: 'skipped', why };
}

/** Several looks at one invariant as one. `checked` is that of the first: the others look again. */
export function combine(first: Findings, ...others: readonly Findings[]): Findings {
  const all = [first, ...others];
  return {
    checked: first.checked,
    violations: all.reduce((sum, findings) => sum + findings.violations, 0),
    samples: all.flatMap((findings) => findings.samples).slice(0, SAMPLES_MAX),
  };
}
