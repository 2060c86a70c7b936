import type { StuckSection } from '../../modules/payments/stuck-section.ts';
import { table } from './table.ts';

/** The section as text; nothing where it has no row. */
export function formatSection({ title, head, rows, hasMore, next }: StuckSection): string | null {
  if (rows.length === 0) return null;
  const more = hasMore ? ', there are more: raise --limit' : '';
  return [`${title} (${String(rows.length)}${more})`, table(head, rows), `Next: ${next}`].join(
    '\n',
  );
}
