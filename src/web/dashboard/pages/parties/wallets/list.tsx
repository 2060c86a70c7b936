import { listWallets } from '../../../../../db/parties/wallet-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { WALLET_FILTERS, walletFilter } from './wallet-filters.ts';
import { WalletsPage } from './wallets-page.tsx';

const LIST = 'wallets';

/** GET /{env}/wallets */
export function listWalletsPage(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get('/:env/wallets', { config: { right: 'see-payments' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Wallets', current: '/wallets' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { values, problems } = readQuery(WALLET_FILTERS, request.query);
    const { cursor, ...query } = values;
    const path = `/${environment}/wallets`;
    const page =
      problems.length > 0
        ? { items: [], next: null }
        : await db.list(scope, (tx) =>
            listWallets(tx, scope, walletFilter(values), listPage(cursor, LIST)),
          );
    if (problems.length > 0) void reply.code(422);
    return sendDashboardPage(request, reply, {
      ...{ title: 'Wallets', environment, current: path },
      body: (
        <WalletsPage
          {...{ path, values: query, problems, times: timeText(user.timeZone), apiUrl }}
          wallets={page.items}
          pages={pagesAround({ path, query }, cursor, page, LIST)}
        />
      ),
    });
  });
}
