import { listApiKeys } from '../../../../../db/customers/api-key-list-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { isOpenForNew, may, openPlace } from '../../../environment.tsx';
import { readActorNames } from '../../../parts/actor-names.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { KeysPage } from './keys-page.tsx';

const LIST = 'api-keys';
const QUERY = {
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

/** GET /{env}/keys */
export function registerKeys(app: WebApp, { db, vault, clock, apiUrl }: DashboardDeps): void {
  app.get('/:env/keys', { config: { right: 'see-keys' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'API keys', current: '/keys' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { cursor } = readQuery(QUERY, request.query).values;
    const path = `/${environment}/keys`;
    const { page, names } = await db.list(scope, async (tx) => {
      const keys = await listApiKeys(tx, scope, listPage(cursor, LIST));
      const actors = keys.items.map(({ createdBy }) => createdBy);
      return {
        page: keys,
        names: await readActorNames(tx, vault, scope.customerId, actors),
      };
    });
    return sendDashboardPage(request, reply, {
      ...{ title: 'API keys', environment, current: path },
      body: (
        <KeysPage
          {...{ path, names, apiUrl, environment, now: clock.now() }}
          keys={page.items}
          times={timeText(user.timeZone)}
          mayWrite={may(user, 'write-keys') && isOpenForNew(place)}
          pages={pagesAround({ path, query: {} }, cursor, page, LIST)}
        />
      ),
    });
  });
}
