import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { DEPOSIT_FILTERS } from './deposit-filters.ts';
import { DepositsPage } from './deposits-page.tsx';
import { findDeposits } from './find-deposits.ts';

const LIST = 'deposits';

/** GET /{env}/deposits */
export function listDepositsPage(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get('/:env/deposits', { config: { right: 'see-payments' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Deposits', current: '/deposits' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { values, problems } = readQuery(DEPOSIT_FILTERS, request.query);
    const times = timeText(user.timeZone);
    const { cursor, ...query } = values;
    const path = `/${environment}/deposits`;
    const page =
      problems.length > 0
        ? { items: [], next: null }
        : await db.list(scope, (tx) =>
            findDeposits(tx, scope, { values, zone: times.zone }, listPage(cursor, LIST)),
          );
    if (problems.length > 0) void reply.code(422);
    return sendDashboardPage(request, reply, {
      ...{ title: 'Deposits', environment, current: path },
      body: (
        <DepositsPage
          {...{ path, values: query, problems, times, apiUrl }}
          deposits={page.items}
          pages={pagesAround({ path, query }, cursor, page, LIST)}
        />
      ),
    });
  });
}
