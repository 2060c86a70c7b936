import type { Children } from '../../kit/parts/types.ts';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { Table, type Column } from '../../kit/parts/table.tsx';

/** Rows that a page shows at most; a list of what waits says so where there are more. */
export const ROWS_MAX = 100;

/** A list of what waits, oldest first: rows, or a sentence where there are none. */
export function Waiting<Row>(props: {
  readonly label: string;
  /** ROWS_MAX and one more, where there are more. */
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  readonly empty: { readonly title: string; readonly text: Children };
}) {
  const { label, rows, columns, keyOf, hrefOf, empty } = props;
  if (rows.length === 0) return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
  return (
    <>
      <div class="card card-flush">
        <Table
          label={label}
          rows={rows.slice(0, ROWS_MAX)}
          columns={columns}
          keyOf={keyOf}
          {...(hrefOf === undefined ? {} : { hrefOf })}
        />
      </div>
      {rows.length > ROWS_MAX ? <p class="muted">The first {ROWS_MAX} are shown.</p> : null}
    </>
  );
}
