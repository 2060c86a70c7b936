import { listPage, linkTo, pagesAround } from '../../../kit/list-pages.ts';
import { readQuery } from '../../../kit/forms/read-query.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { hasRight, openPlace } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { findPayments } from './find-payments.ts';
import { PAYMENT_FILTERS } from './payment-filters.ts';
import { PaymentsPage } from './payments-page.tsx';

const LIST = 'payments';

/** GET /{env}/payments */
export function listPaymentsPage(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get('/:env/payments', { config: { right: 'see-payments' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Payments', current: '/payments' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { values, problems } = readQuery(PAYMENT_FILTERS, request.query);
    const times = timeText(user.timeZone);
    const { cursor, ...query } = values;
    const path = `/${environment}/payments`;
    const page =
      problems.length > 0
        ? { items: [], next: null }
        : await db.list(scope, (tx) =>
            findPayments(tx, scope, { values, zone: times.zone }, listPage(cursor, LIST)),
          );
    if (problems.length > 0) void reply.code(422);
    const exportHref = hasRight(user, 'export-csv') ? linkTo(`${path}.csv`, query) : null;
    return sendDashboardPage(request, reply, {
      ...{ title: 'Payments', environment, current: path },
      body: (
        <PaymentsPage
          {...{ path, values: query, problems, times, apiUrl, exportHref }}
          payments={page.items}
          pages={pagesAround({ path, query }, cursor, page, LIST)}
        />
      ),
    });
  });
}
