import { revokeApiKey } from '../../../../../modules/customers/revoke-api-key.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace, requirePlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { actOnKeys, requireKey } from './key-acts.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';

/** GET and POST /{env}/keys/{id}/revoke: without a second step, for it must be quick. */
export function registerRevokeKey(app: WebApp, deps: DashboardDeps): void {
  const route = '/:env/keys/:keyId/revoke';
  app.get(route, { config: { right: 'revoke-keys' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Revoke a key', current: '/keys' });
    if (place === null) return reply;
    const { keyId } = request.params as { readonly keyId: string };
    const key = await requireKey(deps, place, keyId);
    const { environment } = place;
    const path = `/${environment}/keys`;
    const action = `${path}/${key.id}/revoke`;
    return sendDashboardPage(request, reply, {
      ...{ title: `Revoke ${key.name}`, environment, current: path },
      body: (
        <>
          <PageHead
            title={`Revoke ${key.name}`}
            trail={{ href: `${path}/${key.id}`, text: key.name, here: 'revoke' }}
            about="All requests with this key are refused within a second. You cannot undo this."
          />
          <Card title="Revoke the key">
            <Form {...{ action, token: reply.newForm(action) }} submit="Revoke the key" isDangerous>
              <p>Payments that were made with it continue.</p>
            </Form>
          </Card>
        </>
      ),
    });
  });
  app.post(route, { config: { right: 'revoke-keys', form: {} } }, async (request, reply) => {
    const place = requirePlace(request);
    const { keyId } = request.params as { readonly keyId: string };
    const by = { kind: 'USER', id: place.user.id } as const;
    await actOnKeys(deps, place, sentFormOf(request), async (tx) => ({
      mailIds: await revokeApiKey(deps, tx, place.scope, { keyId, by }),
    }));
    return reply.redirect(`/${place.environment}/keys/${keyId}`, 303);
  });
}
