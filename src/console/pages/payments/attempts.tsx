import type { OpsAttempt } from '../../../db/ops-store.ts';
import { Table } from '../../../web/parts/table.tsx';
import { momentOrDash } from '../../parts/moments.ts';

/** What the bank was asked about a payment, and what it said. */
export const AttemptsTable = ({ attempts }: { readonly attempts: readonly OpsAttempt[] }) =>
  attempts.length === 0 ? (
    <p class="muted">The bank was not asked yet.</p>
  ) : (
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
  );
