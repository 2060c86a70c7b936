import { listDepositAddresses } from '../../../../../db/parties/deposit-address-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { ADDRESS_FILTERS, addressFilter } from './address-filters.ts';
import { AddressesPage } from './addresses-page.tsx';

const LIST = 'deposit-addresses';
const TITLE = 'Deposit addresses';

/** GET /{env}/deposit-addresses */
export function listDepositAddressesPage(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get(
    '/:env/deposit-addresses',
    { config: { right: 'see-payments' } },
    async (request, reply) => {
      const place = await openPlace(request, reply, { title: TITLE, current: `/${LIST}` });
      if (place === null) return reply;
      const { user, scope, environment } = place;
      const { values, problems } = readQuery(ADDRESS_FILTERS, request.query);
      const { cursor, ...query } = values;
      const path = `/${environment}/${LIST}`;
      const page =
        problems.length > 0
          ? { items: [], next: null }
          : await db.list(scope, (tx) =>
              listDepositAddresses(tx, scope, addressFilter(values), listPage(cursor, LIST)),
            );
      if (problems.length > 0) void reply.code(422);
      return sendDashboardPage(request, reply, {
        ...{ title: TITLE, environment, current: path },
        body: (
          <AddressesPage
            {...{ path, values: query, problems, times: timeText(user.timeZone), apiUrl }}
            addresses={page.items}
            pages={pagesAround({ path, query }, cursor, page, LIST)}
          />
        ),
      });
    },
  );
}
