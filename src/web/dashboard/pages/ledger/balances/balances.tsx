import { listBalances, type BalanceRow } from '../../../../../db/ledger/balance-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { groupDigits } from '../../../../kit/parts/money.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';

const inMajor = (minor: bigint, currency: string): string =>
  groupDigits(formatAmount(minor, currency));

const column = (
  title: string,
  of: 'available' | 'reserved' | 'pending' | 'receivable',
): Column<BalanceRow> => ({
  title,
  isNumber: true,
  isMuted: of !== 'available',
  cell: (row) => inMajor(row[of], row.currency),
});

const CURRENCY: Column<BalanceRow> = { title: 'Currency', cell: ({ currency }) => currency };

/** The columns of home, which is half as wide. */
const SHORT = [CURRENCY, column('Available', 'available'), column('Reserved', 'reserved')];
const ALL = [...SHORT, column('Pending', 'pending'), column('You owe', 'receivable')];

/** What a customer has, a currency a row. */
export const BalanceTable = (props: {
  readonly balances: readonly BalanceRow[];
  readonly isShort?: boolean;
}) => (
  <Table
    label="Balances"
    rows={props.balances}
    keyOf={({ currency }) => currency}
    columns={props.isShort === true ? SHORT : ALL}
  />
);

/** GET /{env}/balances */
export function registerBalances(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get('/:env/balances', { config: { right: 'see-balances' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Balances', current: '/balances' });
    if (place === null) return reply;
    const { scope, environment } = place;
    const balances = await db.read(scope, (tx) => listBalances(tx, scope));
    return sendDashboardPage(request, reply, {
      ...{ title: 'Balances', environment, current: `/${environment}/balances` },
      body: (
        <>
          <PageHead title="Balances" about="Reserved funds are held for payments in progress." />
          {balances.length === 0 ? (
            <NoBalances apiUrl={apiUrl} />
          ) : (
            <div class="card card-flush">
              <BalanceTable balances={balances} />
            </div>
          )}
        </>
      ),
    });
  });
}

const NoBalances = ({ apiUrl }: { readonly apiUrl: string }) => (
  <EmptyState
    title="No money yet"
    action={{ href: `${apiUrl}/docs`, text: 'Read how balances are funded' }}
    command={
      `curl '${apiUrl}/api/v1/funding-instructions?currency=EUR' \\\n` +
      '  -H "Authorization: Bearer $CAUSEWAY_KEY"'
    }
  >
    Send a transfer to the account in the funding instructions, with their reference. It is credited
    when the bank’s statement shows it.
  </EmptyState>
);
