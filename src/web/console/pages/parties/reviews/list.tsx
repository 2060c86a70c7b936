import { Type } from 'typebox';
import type { SystemTransaction } from '../../../../../db/client/database.ts';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import {
  listBlockedDeposits,
  listHeldDeposits,
  type DepositReviewRow,
} from '../../../../../db/onchain/deposit-review-store.ts';
import { listOpenCases } from '../../../../../db/parties/screening-case-store.ts';
import { listOpenReviews } from '../../../../../db/parties/wallet-review-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { partyOf } from '../../../../../modules/parties/screening/case-party.ts';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import type { Column } from '../../../../kit/parts/table.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks } from '../../../parts/act-links.tsx';
import { AllSections } from '../../../parts/all-sections.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { customerName } from '../../../parts/customer-link.tsx';
import { ROWS_MAX } from '../../../parts/list-page.tsx';
import { moment } from '../../../parts/moments.ts';
import { readSections, type Section } from '../../../parts/sections.ts';
import { WaitingSection } from '../../../parts/waiting-section.tsx';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { verdictWords } from '../../../words/review-words.ts';
import { CREDITS } from '../../reconciliation/tables.tsx';

type Names = ReadonlyMap<string, string>;

const namesOf = (
  tx: SystemTransaction,
  rows: readonly { readonly customerId: string }[],
): Promise<Names> =>
  readCustomerNames(
    tx,
    rows.map(({ customerId }) => customerId),
  );

const environmentColumn: Column<{ readonly environment: string }> = {
  title: 'Environment',
  cell: ({ environment }) => environmentWords(environment),
};
const customerColumn = (names: Names): Column<{ readonly customerId: string }> => ({
  title: 'Customer',
  cell: ({ customerId }) => customerName(names, customerId),
});

const CASES: Section = {
  ...{ show: 'screening', kind: 'SCREENING_CASE' },
  read: async (tx) => {
    const rows = await listOpenCases(tx, null, ROWS_MAX + 1);
    const names = await namesOf(tx, rows);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Screening hits', kind: 'SCREENING_CASE', waiting, rows }}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reviews/${id}`}
        columns={[
          { title: 'Case', cell: ({ id }) => <code>{id}</code> },
          environmentColumn,
          customerColumn(names),
          { title: 'Party', cell: (row) => <code>{partyOf(row).id}</code> },
          {
            title: 'List entries',
            isNumber: true,
            cell: ({ entryHashes }) => String(entryHashes.length),
          },
          { title: 'Since (UTC)', isMuted: true, cell: ({ openedAt }) => moment(openedAt) },
        ]}
        empty="No party is waiting for a screening decision."
      />
    );
  },
};

const WALLETS: Section = {
  ...{ show: 'wallets', kind: 'WALLET_REVIEW' },
  read: async (tx) => {
    const rows = await listOpenReviews(tx, null, ROWS_MAX + 1);
    const names = await namesOf(tx, rows);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Wallets under review', kind: 'WALLET_REVIEW', waiting, rows }}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reviews/wallets/${id}`}
        columns={[
          { title: 'Review', cell: ({ id }) => <code>{id}</code> },
          environmentColumn,
          customerColumn(names),
          { title: 'Wallet', cell: ({ walletId }) => <code>{walletId}</code> },
          { title: 'Finding', cell: ({ verdict }) => verdictWords(verdict).words },
          { title: 'Since (UTC)', isMuted: true, cell: ({ openedAt }) => moment(openedAt) },
        ]}
        empty="No wallet is under review."
      />
    );
  },
};

const depositColumns = (names: Names): readonly Column<DepositReviewRow>[] => [
  { title: 'Deposit', cell: ({ id }) => <code>{id}</code> },
  environmentColumn,
  customerColumn(names),
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, asset }) => <Money amount={formatAmount(amount, asset)} currency={asset} />,
  },
  { title: 'Since (UTC)', isMuted: true, cell: ({ createdAt }) => moment(createdAt) },
];

const DEPOSITS: Section = {
  ...{ show: 'deposits', kind: 'DEPOSIT_HELD' },
  read: async (tx) => {
    const rows = await listHeldDeposits(tx, null, ROWS_MAX + 1);
    const names = await namesOf(tx, rows);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Deposits under review', kind: 'DEPOSIT_HELD', waiting, rows }}
        columns={depositColumns(names)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reviews/deposits/${id}`}
        empty="No deposit is held because of its sender."
      />
    );
  },
};

const BLOCKED: Section = {
  ...{ show: 'blocked-deposits', kind: 'DEPOSIT_BLOCKED' },
  read: async (tx) => {
    const rows = await listBlockedDeposits(tx, null, ROWS_MAX + 1);
    const names = await namesOf(tx, rows);
    return (waiting) => (
      <WaitingSection
        {...{ title: 'Deposits in suspense', kind: 'DEPOSIT_BLOCKED', waiting, rows }}
        columns={depositColumns(names)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reviews/deposits/${id}`}
        empty="No deposit came from a listed sender."
      />
    );
  },
};

const SECTIONS: readonly Section[] = [CASES, WALLETS, DEPOSITS, BLOCKED, CREDITS];
const QUERY = Type.Object({ show: Type.Optional(Type.String({ maxLength: 30 })) });

/** GET /reviews: screening hits, wallets, deposits, and unmatched credits that need a decision; one list with `show`. */
export function registerReviews(app: WebApp, { db, clock }: ConsoleDeps): void {
  const schema = { querystring: QUERY };
  app.get('/reviews', { config: { right: 'see' }, schema }, async (request, reply) => {
    const { show } = request.query;
    const sections = await db.system((tx) => readSections(tx, SECTIONS, show, clock.now()));
    const override = { href: '/reviews/kyc-override', text: 'Propose a KYC override' };
    return sendConsolePage(request, reply, {
      title: 'Reviews',
      current: '/reviews',
      body: (
        <>
          <PageHead title="Reviews" about="Findings that need a decision before money moves.">
            <ActLinks
              operator={operatorOf(request)}
              links={[{ ...override, right: 'decide-reviews' }]}
            />
          </PageHead>
          {sections}
          <AllSections href="/reviews" show={show} />
        </>
      ),
    });
  });
}
