import { findApiKey } from '../../../../../db/customers/api-key-list-store.ts';
import { listRefusedAddresses } from '../../../../../db/customers/api-request-store.ts';
import { listKeyAddresses } from '../../../../../db/customers/key-address-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { isOpenForNew, may, openPlace } from '../../../environment.tsx';
import { readActorNames } from '../../../parts/actor-names.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { KeyPage } from './key-page.tsx';

/** What holds or waits, and the newest of what did. */
const ADDRESSES_SHOWN = 100;
/** The latest that the key was refused from. */
const REFUSED_SHOWN = 10;

/** GET /{env}/keys/{id} */
export function registerKey(app: WebApp, { db, vault, clock }: DashboardDeps): void {
  app.get('/:env/keys/:keyId', { config: { right: 'see-keys' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'API key', current: '/keys' });
    if (place === null) return reply;
    const { user, scope, environment } = place;
    const { keyId } = request.params as { readonly keyId: string };
    const shown = await db.read(scope, async (tx) => {
      const apiKey = requireFound(await findApiKey(tx, scope, keyId));
      const addresses = await listKeyAddresses(tx, scope, apiKey.id, ADDRESSES_SHOWN);
      const refused = await listRefusedAddresses(tx, scope, apiKey.id, REFUSED_SHOWN);
      const actors = [apiKey.createdBy, ...addresses.map(({ requestedBy }) => requestedBy)];
      const names = await readActorNames(tx, vault, scope.customerId, actors);
      return { apiKey, addresses, refused, names };
    });
    const path = `/${environment}/keys`;
    return sendDashboardPage(request, reply, {
      ...{ title: shown.apiKey.name, environment, current: path },
      body: (
        <KeyPage
          {...{ ...shown, path, environment, now: clock.now() }}
          times={timeText(user.timeZone)}
          can={{
            write: may(user, 'write-keys') && isOpenForNew(place),
            revoke: may(user, 'revoke-keys'),
            propose: may(user, 'write-addresses'),
            remove: may(user, 'remove-addresses'),
          }}
        />
      ),
    });
  });
}
