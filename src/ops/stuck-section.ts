import { table } from './table.ts';

/** One kind of thing that a person must look at. */
export interface StuckSection {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether there are more rows than those. */
  readonly hasMore: boolean;
  /** What to do next, in a sentence. */
  readonly next: string;
}

/** The section as text; nothing where it has no row. */
export function formatSection({ title, head, rows, hasMore, next }: StuckSection): string | null {
  if (rows.length === 0) return null;
  const more = hasMore ? ', there are more: raise --limit' : '';
  return [`${title} (${String(rows.length)}${more})`, table(head, rows), `Next: ${next}`].join(
    '\n',
  );
}
