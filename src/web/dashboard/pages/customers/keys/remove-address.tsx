import { removeAddress } from '../../../../../modules/customers/remove-address.ts';
import { listKeyAddresses } from '../../../../../db/customers/key-address-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace, requirePlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { actOnKeys, requireKey } from './key-acts.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';

const ADDRESSES_MAX = 100;

interface Params {
  readonly keyId: string;
  readonly addressId: string;
}

/** GET and POST /{env}/keys/{id}/addresses/{addressId}/remove: one person, at once. */
export function registerRemoveAddress(app: WebApp, deps: DashboardDeps): void {
  const route = '/:env/keys/:keyId/addresses/:addressId/remove';
  app.get(route, { config: { right: 'remove-addresses' } }, async (request, reply) => {
    const place = await openPlace(request, reply, {
      title: 'Remove an IP address',
      current: '/keys',
    });
    if (place === null) return reply;
    const { environment, scope } = place;
    const { keyId, addressId } = request.params as Params;
    const key = await requireKey(deps, place, keyId);
    const entries = await deps.db.read(scope, (tx) =>
      listKeyAddresses(tx, scope, key.id, ADDRESSES_MAX),
    );
    const address = requireFound(entries.find(({ id }) => id === addressId) ?? null);
    const path = `/${environment}/keys`;
    const action = `${path}/${key.id}/addresses/${address.id}/remove`;
    const isLast =
      entries.filter(({ status }) => status === 'APPROVED').length === 1 &&
      address.status === 'APPROVED';
    return sendDashboardPage(request, reply, {
      ...{ title: `Remove ${address.range}`, environment, current: path },
      body: (
        <>
          <PageHead
            title={`Remove ${address.range}`}
            trail={{ href: `${path}/${key.id}`, text: key.name, here: address.id }}
            about="Requests from this address are refused within a second."
          />
          <Card title={`Remove it from the list of ${key.name}`}>
            <Form {...{ action, token: reply.newForm(action) }} submit="Remove" isDangerous>
              <p>
                {isLast
                  ? LAST[environment === 'test' && key.isOpenToAnyAddress ? 'open' : 'closed']
                  : 'The other addresses stay on the list.'}
              </p>
            </Form>
          </Card>
        </>
      ),
    });
  });
  app.post(route, { config: { right: 'remove-addresses', form: {} } }, async (request, reply) => {
    const place = requirePlace(request);
    const { keyId, addressId } = request.params as Params;
    const by = { kind: 'USER', id: place.user.id } as const;
    await actOnKeys(deps, place, sentFormOf(request), async (tx) => {
      await removeAddress(deps, tx, place.scope, { apiKeyId: keyId, id: addressId, by });
      return { mailIds: [] };
    });
    return reply.redirect(`/${place.environment}/keys/${keyId}`, 303);
  });
}

const LAST = {
  open: 'This is the last address. Without one, the test key works from everywhere.',
  closed: 'This is the last address. Without one, all requests with the key are refused.',
} as const;
