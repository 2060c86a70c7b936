import {
  listBlockedDeposits,
  listHeldDeposits,
  type DepositReviewRow,
} from '../../../../../db/onchain/deposit-review-store.ts';
import { listUnmatchedCredits } from '../../../../../db/ledger/incoming-credit-store.ts';
import { listOpenCases } from '../../../../../db/parties/screening-case-store.ts';
import { listOpenReviews } from '../../../../../db/parties/wallet-review-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { partyOf } from '../../../../../modules/parties/screening/case-party.ts';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../../parts/list-page.tsx';
import { moment } from '../../../parts/moments.ts';
import { CreditsTable } from '../../reconciliation/tables.tsx';

const Deposits = (given: {
  readonly label: string;
  readonly rows: readonly DepositReviewRow[];
  readonly empty: { readonly title: string; readonly text: string };
}) => (
  <Waiting
    {...given}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `/reviews/deposits/${id}`}
    columns={[
      { title: 'Deposit', cell: ({ id }) => <code>{id}</code> },
      { title: 'Environment', cell: ({ environment }) => environment },
      { title: 'Customer', cell: ({ customerId }) => <code>{customerId}</code> },
      {
        title: 'Amount',
        isNumber: true,
        cell: ({ amount, asset }) => `${formatAmount(amount, asset)} ${asset}`,
      },
      { title: 'Since (UTC)', isMuted: true, cell: ({ createdAt }) => moment(createdAt) },
    ]}
  />
);

/** GET /reviews: screening hits, wallets, deposits and unmatched credits that wait for an operator to look at them. */
export function registerReviews(app: WebApp, { db }: ConsoleDeps): void {
  app.get('/reviews', { config: { right: 'see' } }, async (request, reply) => {
    const { cases, wallets, deposits, blocked, credits } = await db.system(async (tx) => ({
      cases: await listOpenCases(tx, null, ROWS_MAX + 1),
      wallets: await listOpenReviews(tx, null, ROWS_MAX + 1),
      deposits: await listHeldDeposits(tx, null, ROWS_MAX + 1),
      blocked: await listBlockedDeposits(tx, null, ROWS_MAX + 1),
      credits: await listUnmatchedCredits(tx, null, ROWS_MAX + 1),
    }));
    const override = { href: '/reviews/kyc-override', text: 'Propose a KYC override' };
    return sendConsolePage(request, reply, {
      title: 'Reviews',
      current: '/reviews',
      body: (
        <>
          <PageHead title="Reviews" about="What operators look at before money moves.">
            <ActLinks
              operator={operatorOf(request)}
              links={[{ ...override, right: 'decide-reviews' }]}
            />
          </PageHead>
          <h2>Screening hits</h2>
          <Waiting
            label="Screening hits"
            rows={cases}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/reviews/${id}`}
            columns={[
              { title: 'Case', cell: ({ id }) => <code>{id}</code> },
              { title: 'Environment', cell: ({ environment }) => environment },
              { title: 'Customer', cell: ({ customerId }) => <code>{customerId}</code> },
              { title: 'Party', cell: (row) => <code>{partyOf(row).id}</code> },
              {
                title: 'Entries',
                isNumber: true,
                cell: ({ entryHashes }) => String(entryHashes.length),
              },
              { title: 'Since (UTC)', isMuted: true, cell: ({ openedAt }) => moment(openedAt) },
            ]}
            empty={{ title: 'No hit waits', text: 'No name that we pay is on the list.' }}
          />
          <h2>Wallets under review</h2>
          <Waiting
            label="Wallets under review"
            rows={wallets}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/reviews/wallets/${id}`}
            columns={[
              { title: 'Review', cell: ({ id }) => <code>{id}</code> },
              { title: 'Environment', cell: ({ environment }) => environment },
              { title: 'Customer', cell: ({ customerId }) => <code>{customerId}</code> },
              { title: 'Wallet', cell: ({ walletId }) => <code>{walletId}</code> },
              { title: 'Found', cell: ({ verdict }) => verdict },
              { title: 'Since (UTC)', isMuted: true, cell: ({ openedAt }) => moment(openedAt) },
            ]}
            empty={{ title: 'No wallet waits', text: 'Every address in use was found clear.' }}
          />
          <h2>Deposits under review</h2>
          <Deposits
            label="Deposits under review"
            rows={deposits}
            empty={{ title: 'No deposit waits', text: 'Nothing is held for its sender.' }}
          />
          <h2>Deposits in suspense</h2>
          <Deposits
            label="Deposits in suspense"
            rows={blocked}
            empty={{ title: 'No deposit is blocked', text: 'No sender on a list sent anything.' }}
          />
          <h2>Unmatched credits</h2>
          <CreditsTable rows={credits} />
        </>
      ),
    });
  });
}
