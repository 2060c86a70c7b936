import { Type } from 'typebox';
import { isAddressLink } from '../../modules/customers/access/address-links.ts';
import { keepAddress } from '../../modules/customers/access/keep-address.ts';
import { setDeviceCookie } from '../kit/device-cookie.ts';
import { Form } from '../kit/parts/form.tsx';
import { Gate } from '../kit/parts/gate.tsx';
import { sendPage } from '../kit/send-page.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { linkIsOver } from './address-routes.tsx';
import { sentFormOf } from '../kit/sent-form-of.ts';
import { deviceOf } from './device-of.ts';

const PATH = '/keep-address/:token';
const LINK = { params: Type.Object({ token: Type.String() }) };

/** GET and POST /keep-address/{token}: the old address ends a change, logged in or not. */
export function registerKeepAddress(app: WebApp, deps: AccessPageDeps): void {
  app.get(PATH, { config: { right: 'public' }, schema: LINK }, async ({ params }, reply) => {
    const { token } = params;
    if (!(await isAddressLink(deps, 'CANCEL', deps.surface, token))) throw linkIsOver();
    const action = `/keep-address/${token}`;
    const body = (
      <Gate>
        <h1>Keep your address</h1>
        <p class="muted">
          Someone who was logged in to your account requested another address. If you keep this
          address, the change is canceled. You are logged out everywhere, and every other browser
          counts as new.
        </p>
        <Form action={action} token={reply.newForm(action)} submit="Keep this address" />
      </Gate>
    );
    return sendPage(reply, { title: 'Keep your address', body });
  });

  app.post(
    PATH,
    { config: { right: 'public', form: {} }, schema: LINK },
    async (request, reply) => {
      const { use } = sentFormOf(request);
      const link = {
        surface: deps.surface,
        token: request.params.token,
        device: deviceOf(request),
      };
      if (!(await keepAddress(deps, link, use))) throw linkIsOver();
      setDeviceCookie(reply, link.device);
      return reply.redirect('/login', 303);
    },
  );
}
