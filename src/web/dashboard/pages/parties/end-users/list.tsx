import { listEndUsers } from '../../../../../db/parties/end-user-list-store.ts';
import { viewEndUser } from '../../../../../modules/parties/end-users/end-user-view.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { END_USER_FILTERS, endUserFilter } from './end-user-filters.ts';
import { EndUsersPage } from './end-users-page.tsx';

const LIST = 'end-users';

/** GET /{env}/end-users */
export function listEndUsersPage(app: WebApp, { db, vault, apiUrl }: DashboardDeps): void {
  app.get('/:env/end-users', { config: { right: 'see-end-users' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'End-users', current: '/end-users' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { values, problems } = readQuery(END_USER_FILTERS, request.query);
    const { cursor, ...query } = values;
    const path = `/${environment}/end-users`;
    const page =
      problems.length > 0
        ? { items: [], next: null }
        : await db.list(scope, (tx) =>
            listEndUsers(tx, scope, endUserFilter(values), listPage(cursor, LIST)),
          );
    if (problems.length > 0) void reply.code(422);
    return sendDashboardPage(request, reply, {
      ...{ title: 'End-users', environment, current: path },
      body: (
        <EndUsersPage
          {...{ path, values: query, problems, times: timeText(user.timeZone), apiUrl }}
          endUsers={page.items.map((row) => viewEndUser(row, vault))}
          pages={pagesAround({ path, query }, cursor, page, LIST)}
        />
      ),
    });
  });
}
