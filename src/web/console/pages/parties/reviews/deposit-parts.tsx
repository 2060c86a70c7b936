import {
  findDepositReview,
  type BlockedDecisionRow,
  type DepositReviewRow,
} from '../../../../../db/onchain/deposit-review-store.ts';
import { paidOutWarning } from '../../../../../modules/onchain/deposits/paid-out-warning.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { Coded } from '../../../parts/coded.tsx';
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { outcomeWords } from '../../../words/review-words.ts';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { DEPOSIT_WORDS } from '../../../../kit/words/deposit-status.ts';
import { moment, momentOrDash } from '../../../parts/moments.ts';
import { Warning } from '../../../parts/warning.tsx';

/** A deposit that is or was under review. Throws PageRefusal (404) where there is none. */
export async function loadDeposit({ db }: ConsoleDeps, id: string): Promise<DepositReviewRow> {
  const row = await db.system((tx) => findDepositReview(tx, id));
  if (row === null) throw noSuchPage();
  return row;
}

/** What came, and from where. All of it is public on the chain. */
export const DepositFacts = ({
  row,
  name,
}: {
  readonly row: DepositReviewRow;
  /** The customer’s, where it is known. */
  readonly name?: string | undefined;
}) => (
  <>
    <Warning text={paidOutWarning(row)} />
    <Facts
      facts={[
        ['Customer', <CustomerLink id={row.customerId} name={name} />],
        ['Environment', environmentWords(row.environment)],
        [
          'Deposit',
          <a href={`/deposits/${row.id}`}>
            <code>{row.id}</code>
          </a>,
        ],
        ['Deposited for', <code>{row.paymentId ?? row.depositAddressId ?? '–'}</code>],
        ['Amount', `${formatAmount(row.amount, row.asset)} ${row.asset}`],
        ['Sender', <code>{`${row.network} ${row.from}`}</code>],
        ['Transaction', <code>{row.txHash}</code>],
        ['Status', <Coded words={DEPOSIT_WORDS[row.status].text} code={row.status} />],
        ['Since (UTC)', moment(row.createdAt)],
        [
          'Decision',
          row.outcome === null ? (
            '–'
          ) : (
            <Coded words={outcomeWords(row.outcome)} code={row.outcome} />
          ),
        ],
        ['Decided (UTC)', momentOrDash(row.decidedAt)],
        ['Decided by', row.decidedBy ?? '–'],
        ['Reason', row.reason ?? '–'],
      ]}
    />
  </>
);

const DECIDED = { RELEASE: 'Credited', KEEP: 'Kept in suspense' } as const;

/** What two operators made of it while it was in suspense, oldest first. */
export const BlockedDecisions = ({ rows }: { readonly rows: readonly BlockedDecisionRow[] }) =>
  rows.length === 0 ? null : (
    <>
      <h2>Decisions while it was in suspense</h2>
      <div class="card card-flush">
        <Table
          label="Decisions"
          rows={rows}
          keyOf={({ approvalId }) => approvalId}
          columns={[
            { title: 'Decision', cell: ({ decision }) => DECIDED[decision] },
            {
              title: 'Approval',
              cell: ({ approvalId }) => <a href={`/approvals/${approvalId}`}>{approvalId}</a>,
            },
            { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
            { title: 'Approved by', cell: ({ decidedBy }) => decidedBy },
            { title: 'Reason', cell: ({ reason }) => reason },
            { title: 'Time (UTC)', isMuted: true, cell: ({ decidedAt }) => moment(decidedAt) },
          ]}
        />
      </div>
    </>
  );
