import { listApiRequests, listLoggedKeys } from '../../../../../db/customers/api-request-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { ErrorSummary } from '../../../../kit/parts/error-summary.tsx';
import { LiveRegion } from '../../../../kit/parts/live-region.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { RequestFilters, RequestTable } from './request-parts.tsx';
import { filterOf, REQUEST_FILTERS } from './request-filters.ts';

const LIST = 'api-requests';
const TITLE = 'Request log';
const FRESH_MS = 5_000;
const KEYS_SHOWN = 100;

/** GET /{env}/requests: the last 2,000 requests of each key. */
export function registerRequests(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get('/:env/requests', { config: { right: 'see-requests' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: TITLE, current: '/requests' });
    if (place === null) return reply;
    const { scope, user, environment } = place;
    const path = `/${environment}/requests`;
    const { values, problems } = readQuery(REQUEST_FILTERS, request.query);
    const { cursor, ...query } = values;
    const isWrong = problems.length > 0;
    const { page, keys } = await db.list(scope, async (tx) => ({
      keys: await listLoggedKeys(tx, scope, KEYS_SHOWN),
      page: isWrong
        ? { items: [], next: null }
        : await listApiRequests(tx, scope, filterOf(values), listPage(cursor, LIST)),
    }));
    const isEmpty = Object.values(values).every((text) => text === '') && page.items.length === 0;
    const pages = pagesAround({ path, query }, cursor, page, LIST);
    return sendDashboardPage(request, reply.code(isWrong ? 422 : 200), {
      ...{ title: TITLE, environment, current: path },
      body: (
        <>
          <PageHead
            title={TITLE}
            about="The last 2,000 requests of each key, for at most 90 days. Request bodies are not stored."
          />
          {isEmpty ? (
            <EmptyState
              title="No request yet"
              command={`curl '${apiUrl}/api/v1/balances' \\\n  -H "Authorization: Bearer $CAUSEWAY_KEY"`}
            >
              Every request with one of your keys appears here within seconds, including refused
              requests.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <ErrorSummary problems={problems} />
              <RequestFilters action={path} values={values} keys={keys} problems={problems} />
              <LiveRegion id="requests" everyMs={FRESH_MS} says="The request log has changed.">
                {page.items.length === 0 ? (
                  <p class="nothing">No request matches these filters.</p>
                ) : (
                  <RequestTable
                    rows={page.items}
                    keys={keys}
                    environment={environment}
                    times={timeText(user.timeZone)}
                  />
                )}
                <Pager {...pages} />
              </LiveRegion>
            </div>
          )}
        </>
      ),
    });
  });
}
