import { Type } from 'typebox';
import {
  findWalletReview,
  listPaymentsTo,
  type ReviewedPayment,
  type WalletReviewRow,
} from '../../../../../db/parties/wallet-review-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { isReleasable } from '../../../../../modules/parties/wallets/release-wallet.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { ROWS_MAX, Waiting } from '../../../parts/list-page.tsx';
import { moment, momentOrDash } from '../../../parts/moments.ts';

export async function loadReview({ db }: ConsoleDeps, id: string): Promise<WalletReviewRow> {
  const row = await db.system((tx) => findWalletReview(tx, id));
  if (row === null) throw noSuchPage();
  return row;
}

/** What was found, and where. The address is public on the chain. */
export const ReviewFacts = ({ row }: { readonly row: WalletReviewRow }) => (
  <Facts
    facts={[
      ['Customer', <a href={`/customers/${row.customerId}`}>{row.customerId}</a>],
      ['Environment', row.environment],
      ['Wallet', <code>{row.walletId}</code>],
      ['Owner', row.endUserId === null ? "the customer's own" : <code>{row.endUserId}</code>],
      ['Address', <code>{`${row.network} ${row.address}`}</code>],
      ['Status of the wallet', row.walletStatus],
      ['Found', `${row.verdict} (${row.foundAt})`],
      ['List', row.listVersion],
      ['Entry of the list', row.match ?? '–'],
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
      { title: 'Status', cell: ({ status, statusDetail }) => `${status} ${statusDetail ?? ''}` },
      {
        title: 'Amount',
        isNumber: true,
        cell: ({ amount, currency }) => `${formatAmount(amount, currency)} ${currency}`,
      },
    ]}
    empty={{ title: 'No payment waits', text: 'Nothing is under way to the wallet.' }}
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
    const base = `/reviews/wallets/${row.id}`;
    const right = 'decide-reviews' as const;
    const release = { href: `${base}/release`, text: 'Propose a release', right };
    const refuse = { href: `${base}/refuse`, text: 'Refuse', right };
    return sendConsolePage(request, reply, {
      title: 'Wallet under review',
      current: '/reviews',
      body: (
        <>
          <PageHead
            title="Wallet under review"
            trail={{ href: '/reviews', text: 'Reviews', here: row.id }}
          >
            <Chip tone={row.outcome === null ? 'wait' : 'none'} text={row.outcome ?? 'OPEN'} />
          </PageHead>
          <Card title="Facts">
            <ReviewFacts row={row} />
          </Card>
          <h2>Payments under way</h2>
          <Payments rows={payments} />
          <ActLinks
            operator={operatorOf(request)}
            links={[
              ...(isReleasable(row) ? [release] : []),
              ...(row.outcome === null ? [refuse] : []),
            ]}
          />
        </>
      ),
    });
  });
}
