import type { StatementLineForOps } from '../../../../db/reconciliation/statement-page-store.ts';
import { EmptyState } from '../../../kit/parts/empty-state.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import { ROWS_MAX } from '../../parts/list-page.tsx';
import { momentOrDash } from '../../parts/moments.ts';
import { exceptionWords } from '../../words/statement-words.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  RECONCILED: 'Matches a payment',
  RETURN: 'Return of a payment',
  REPEATED: 'Shown before by another statement',
  OFFSET: 'Cancels out with another line',
  IGNORED: 'Moved no money',
  EXCEPTION: 'Exception',
};

const outcomeWords = (outcome: string | null): string =>
  outcome === null ? 'Not matched yet' : (OUTCOMES[outcome] ?? outcome);

/** Lines of a statement, and the way to those after them. */
export const LinesTable = (props: {
  readonly lines: readonly StatementLineForOps[];
  readonly nextHref: (lastLine: number) => string;
}) => {
  const { lines, nextHref } = props;
  if (lines.length === 0) {
    return <EmptyState title="No lines">This statement has no lines to show here.</EmptyState>;
  }
  const shown = lines.slice(0, ROWS_MAX);
  return (
    <>
      <div class="card card-flush">
        <Table
          label="Lines"
          rows={shown}
          keyOf={({ line }) => String(line)}
          columns={[
            { title: 'Line', cell: ({ line }) => String(line) },
            {
              title: 'Direction',
              cell: ({ direction }) => (direction === 'CRDT' ? 'In' : 'Out'),
            },
            {
              title: 'Amount',
              isNumber: true,
              cell: ({ amount, currency }) => `${amount} ${currency}`,
            },
            {
              title: 'Outcome',
              cell: ({ outcome, exception }) =>
                exception === null ? outcomeWords(outcome) : exceptionWords(exception).words,
            },
            {
              title: 'Payment',
              cell: ({ paymentId }) =>
                paymentId === null ? '–' : <a href={`/payments/${paymentId}`}>{paymentId}</a>,
            },
            { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
            {
              title: 'Booked (UTC)',
              isMuted: true,
              cell: ({ bookedAt }) => momentOrDash(bookedAt),
            },
          ]}
        />
      </div>
      {lines.length > ROWS_MAX ? (
        <a class="button button-plain" href={nextHref(shown.at(-1)?.line ?? 0)}>
          Next lines
        </a>
      ) : null}
    </>
  );
};
