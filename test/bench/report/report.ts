import type { Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import type { Machine } from './machine.ts';

/** One checkout in a report. */
export interface Side {
  /** As it was asked for: `this`, or a revision. */
  readonly name: string;
  /** The abbreviated commit, with `+` where the checkout was changed after it. */
  readonly commit: string;
}

/** All that a report says. Runs stand in the order in which they were made. */
export interface Report {
  readonly command: string;
  /** Roles, clients and sizes, as name and value. */
  readonly settings: Readonly<Record<string, string>>;
  readonly machine: Machine;
  readonly sides: readonly { readonly side: Side; readonly runs: readonly (readonly Figure[])[] }[];
}

/** One figure over all runs. */
export interface Row {
  readonly figure: Omit<Figure, 'value'>;
  /** The median of each side's runs, in the order of the sides; NaN where a side has no such figure. */
  readonly medians: readonly number[];
  /** The median, over the pairs of runs, of the first side's value by the second's. */
  readonly ratio: number | null;
  /** The first side's value by the second's in each pair of runs. */
  readonly ratios: readonly number[];
}

/** Every figure that any side has, in the order of the first run that has it. */
export function rowsOf({ sides }: Pick<Report, 'sides'>): Row[] {
  const known = new Map<string, Omit<Figure, 'value'>>();
  for (const { runs } of sides) {
    for (const { value: _, ...rest } of runs.flat()) {
      if (!known.has(rest.key)) known.set(rest.key, rest);
    }
  }
  return [...known.values()].map((figure) => {
    const values = sides.map(({ runs }) => runs.map((run) => valueOf(run, figure.key)));
    const [ours = [], theirs] = values;
    const ratios =
      theirs === undefined ? [] : ours.map((value, pair) => value / (theirs[pair] ?? NaN));
    return {
      figure,
      medians: values.map((one) => median(one)),
      ratio: theirs === undefined ? null : median(ratios),
      ratios,
    };
  });
}

const valueOf = (run: readonly Figure[], key: string): number =>
  run.find((one) => one.key === key)?.value ?? NaN;
