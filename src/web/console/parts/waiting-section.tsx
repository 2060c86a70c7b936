import type { WaitingKind, WaitingRow } from '../../../db/operations/waiting-store.ts';
import { Card } from '../../kit/parts/card.tsx';
import { Table, type Column } from '../../kit/parts/table.tsx';
import { waitingSentence } from '../words/waiting-words.ts';
import { ROWS_MAX } from './list-page.tsx';

/** What waits, as one moment saw it. */
export interface WaitingAt {
  readonly rows: readonly WaitingRow[];
  readonly now: Date;
}

/** One list of a page: how many wait and since when, then the rows. A sentence where there are none. */
export function WaitingSection<Row>(props: {
  readonly title: string;
  /** Counted by `waiting`; null: the inbox does not count it. */
  readonly kind: WaitingKind | null;
  readonly waiting: WaitingAt;
  /** ROWS_MAX and one more, where there are more. */
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  /** What is said where there is no row. */
  readonly empty: string;
}) {
  const { title, kind, waiting, rows, columns, keyOf, hrefOf, empty } = props;
  const counted = waiting.rows.find((row) => row.kind === kind);
  return (
    <Card title={title} isFlush>
      {counted === undefined ? null : <p class="more">{waitingSentence(counted, waiting.now)}</p>}
      {rows.length === 0 ? (
        <p class="nothing">{empty}</p>
      ) : (
        <Table
          label={title}
          rows={rows.slice(0, ROWS_MAX)}
          columns={columns}
          keyOf={keyOf}
          {...(hrefOf === undefined ? {} : { hrefOf })}
        />
      )}
      {rows.length > ROWS_MAX ? (
        <p class="more muted">{`The first ${String(ROWS_MAX)} are shown.`}</p>
      ) : null}
    </Card>
  );
}
