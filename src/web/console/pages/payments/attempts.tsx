import type { OpsAttempt } from '../../../../db/operations/ops-store.ts';
import { toDoAbout } from '../../../../domain/payments/paid-before-restore.ts';
import { Table } from '../../../kit/parts/table.tsx';
import { momentOrDash } from '../../parts/moments.ts';

interface Shown {
  readonly attempts: readonly OpsAttempt[];
}

/** What the bank was asked about a payment, what it said, and what keeps an attempt from being sent. */
export const AttemptsTable = ({ attempts }: Shown) =>
  attempts.length === 0 ? (
    <p class="muted">The bank was not asked yet.</p>
  ) : (
    <>
      <Table
        label="Settlement attempts"
        rows={attempts}
        keyOf={({ reference }) => reference}
        columns={[
          { title: 'Reference', cell: ({ reference }) => <code>{reference}</code> },
          { title: 'Phase', cell: ({ phase }) => phase },
          { title: 'Sends', isNumber: true, cell: ({ sends }) => String(sends) },
          { title: 'Last answer', cell: ({ lastAnswer }) => lastAnswer ?? '–' },
          { title: 'Bank’s reference', cell: ({ bankReference }) => bankReference ?? '–' },
          { title: 'Asked next (UTC)', isMuted: true, cell: (row) => momentOrDash(row.nextAskAt) },
        ]}
      />
      <NotSent attempts={attempts} />
    </>
  );

const NotSent = ({ attempts }: Shown) => (
  <>
    {attempts.map(({ reference, heldBy }) =>
      heldBy === null ? null : (
        <p key={reference}>
          <strong>Not sent:</strong> <code>{reference}</code> {`${heldBy}. ${toDoAbout(heldBy)}`}
        </p>
      ),
    )}
  </>
);
