import { Type } from 'typebox';
import {
  findWalletReview,
  listPaymentsTo,
  type ReviewedPayment,
  type WalletReviewRow,
} from '../../../../../db/parties/wallet-review-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import {
  REFUSE_WALLET,
  RELEASE_WALLET,
} from '../../../../../modules/operations/acts/wallet-acts.ts';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import { durationWords } from '../../../../kit/duration-words.ts';
import { Money } from '../../../../kit/parts/money.tsx';
import { statusWords } from '../../../../kit/words/payment-status.ts';
import { isReleasable } from '../../../../../modules/parties/wallets/release-wallet.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { Coded } from '../../../parts/coded.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../../parts/list-page.tsx';
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { moment, momentOrDash } from '../../../parts/moments.ts';
import { stepOf, stepOutside, WhatToDo } from '../../../parts/what-to-do.tsx';
import { detailWordsOf } from '../../../words/payment-detail-words.ts';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import {
  LOOK_UP_WORDS,
  outcomeWords,
  verdictWords,
  WALLET_STATUS_WORDS,
} from '../../../words/review-words.ts';

export async function loadReview({ db }: ConsoleDeps, id: string): Promise<WalletReviewRow> {
  const row = await db.system((tx) => findWalletReview(tx, id));
  if (row === null) throw noSuchPage();
  return row;
}

/** What was found, and where. The address is public on the chain. */
export const ReviewFacts = ({
  row,
  name,
}: {
  readonly row: WalletReviewRow;
  /** The customer’s, where it is known. */
  readonly name?: string | undefined;
}) => (
  <Facts
    facts={[
      ['Customer', <CustomerLink id={row.customerId} name={name} />],
      ['Environment', environmentWords(row.environment)],
      ['Wallet', <code>{row.walletId}</code>],
      ['Owner', row.endUserId === null ? 'The customer' : <code>{row.endUserId}</code>],
      ['Address', <code>{`${row.network} ${row.address}`}</code>],
      ['Wallet status', WALLET_STATUS_WORDS[row.walletStatus]],
      [
        'Finding',
        <>
          <Coded {...verdictWords(row.verdict)} />, {LOOK_UP_WORDS[row.foundAt]}
        </>,
      ],
      ['List version', row.listVersion],
      ['List entry', row.match ?? '–'],
      ['Since (UTC)', moment(row.openedAt)],
      ['Decided (UTC)', momentOrDash(row.decidedAt)],
      ['Decided by', row.decidedBy ?? '–'],
      ['Reason', row.reason ?? '–'],
    ]}
  />
);

const Payments = ({ rows }: { readonly rows: readonly ReviewedPayment[] }) => (
  <Waiting
    label="Payments to the wallet"
    rows={rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `/payments/${id}`}
    columns={[
      { title: 'Payment', cell: ({ id }) => <code>{id}</code> },
      {
        title: 'Status',
        cell: ({ status, statusDetail }) =>
          statusDetail === null
            ? statusWords(status).text
            : `${statusWords(status).text}: ${detailWordsOf(statusDetail).label}`,
      },
      {
        title: 'Amount',
        isNumber: true,
        cell: ({ amount, currency }) => (
          <Money amount={formatAmount(amount, currency)} currency={currency} />
        ),
      },
    ]}
    empty={{ title: 'No payments', text: 'No payment to this wallet is in progress.' }}
  />
);

/** GET /reviews/wallets/{id}: the review of one wallet's address, with the payments under way to it. */
export function registerWalletReview(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/reviews/wallets/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const row = await loadReview(deps, request.params.id);
    const payments = await deps.db.system((tx) =>
      listPaymentsTo(tx, row, row.walletId, ROWS_MAX + 1),
    );
    const names = await deps.db.system((tx) => readCustomerNames(tx, [row.customerId]));
    const isOpen = row.outcome === null;
    return sendConsolePage(request, reply, {
      title: 'Wallet under review',
      current: '/reviews',
      body: (
        <>
          <PageHead
            title="Wallet under review"
            trail={{ href: '/reviews', text: 'Reviews', here: row.id }}
          >
            <Chip
              tone={row.outcome === null ? 'wait' : 'none'}
              text={row.outcome === null ? 'Open' : outcomeWords(row.outcome)}
            />
          </PageHead>
          <Lead sentences={sentencesOf(row, deps.clock.now())} />
          <WhatToDo
            operator={operatorOf(request)}
            recommended={isOpen ? LOOK_UP : null}
            others={[
              ...(isReleasable(row) ? [stepOf(RELEASE_WALLET, row.id)] : []),
              ...(isOpen ? [stepOf(REFUSE_WALLET, row.id)] : []),
            ]}
          />
          <Card title="Details">
            <ReviewFacts row={row} name={names.get(row.customerId)} />
          </Card>
          <h2>Payments in progress</h2>
          <Payments rows={payments} />
        </>
      ),
    });
  });
}

const LOOK_UP = stepOutside(
  'Look up the address at the screening provider',
  'Open the list entry at the provider and compare it with the address. Do not release the wallet because a payment is urgent: money that is sent to a listed address cannot be taken back.',
);

function sentencesOf(row: WalletReviewRow, now: Date): readonly string[] {
  const found = `${verdictWords(row.verdict).words}. The look-up took place ${LOOK_UP_WORDS[row.foundAt]}.`;
  return row.outcome === null
    ? [
        `${found} The engine sends nothing to this wallet.`,
        `It has waited for an operator for ${durationWords(now.getTime() - row.openedAt.getTime())}. After 30 days the engine rejects the wallet.`,
      ]
    : [found, `The review is decided: ${outcomeWords(row.outcome).toLowerCase()}.`];
}
