import { Type } from 'typebox';
import { isAddressLink } from '../../modules/customers/access/address-links.ts';
import {
  askForAddress,
  confirmAddress,
  withdrawAddress,
} from '../../modules/customers/access/change-address.ts';
import {
  ADDRESS_LENGTH_MAX,
  readEmailAddress,
} from '../../domain/customers/access/email-address.ts';
import { maskAddress } from '../../domain/customers/access/masked-address.ts';
import { setDeviceCookie } from '../kit/device-cookie.ts';
import { readForm } from '../kit/forms/read-form.ts';
import { loggedOut, PageRefusal, tooMuch } from '../kit/page-refusal.ts';
import { Form } from '../kit/parts/form.tsx';
import { Gate } from '../kit/parts/gate.tsx';
import { sendPage } from '../kit/send-page.ts';
import { proveAct } from '../kit/step-up.tsx';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { WITHDRAW } from './address-card.tsx';
import { sendSettings } from './send-settings.tsx';
import { sentFormOf } from '../kit/sent-form-of.ts';
import { deviceOf } from './device-of.ts';
import { personOf } from '../kit/person.ts';

const HOUR_S = 3_600;
const FIELDS = {
  address: {
    what: 'the new email address',
    lengthMax: ADDRESS_LENGTH_MAX,
    check: (text: string) =>
      readEmailAddress(text) === null
        ? 'Enter an email address, for example name@example.com.'
        : null,
  },
} as const;

const LINK = { params: Type.Object({ token: Type.String() }) };

/** POST /settings/address, which mails a link, and /settings/address/withdraw; GET and POST /confirm-address/{token}, which uses it. */
export function registerAddress(app: WebApp, deps: AccessPageDeps): void {
  app.post(
    '/settings/address',
    { config: { right: 'write-own-address', form: FIELDS } },
    async (request, reply) => {
      const form = sentFormOf(request);
      const { values, problems } = readForm(FIELDS, form.texts);
      const address = readEmailAddress(values.address);
      if (problems.length > 0 || address === null) {
        const refused = { action: '/settings/address', values, problems };
        return sendSettings(deps, request, reply, refused);
      }
      const act = `Change your email address to ${maskAddress(address)}`;
      if (!(await proveAct(request, reply, act))) return reply;
      const asked = await askForAddress(deps, personOf(request), address, form.use);
      if (asked === 'TOO_MANY') throw tooMuch(HOUR_S);
      if (asked === 'LOGGED_OUT') throw loggedOut();
      return reply.redirect('/settings', 303);
    },
  );

  // Narrows what is open: no proof is asked.
  app.post(WITHDRAW, { config: { right: 'any-person', form: {} } }, async (request, reply) => {
    if (await withdrawAddress(deps, personOf(request), sentFormOf(request).use)) {
      return reply.redirect('/settings', 303);
    }
    throw new PageRefusal(
      409,
      'No pending change',
      'The change was confirmed, was withdrawn, or expired.',
    );
  });

  app.get(
    '/confirm-address/:token',
    { config: { right: 'public' }, schema: LINK },
    async ({ params: { token } }, reply) => {
      if (!(await isAddressLink(deps, 'CONFIRM', deps.surface, token))) throw linkIsOver();
      const action = `/confirm-address/${token}`;
      const body = (
        <Gate>
          <h1>Confirm your address</h1>
          <p class="muted">
            Login codes go to this address from now on. You are logged out everywhere, and we notify
            your old address.
          </p>
          <Form action={action} token={reply.newForm(action)} submit="Use this address" />
        </Gate>
      );
      return sendPage(reply, { title: 'Confirm your address', body });
    },
  );

  app.post(
    '/confirm-address/:token',
    { config: { right: 'public', form: {} }, schema: LINK },
    async (request, reply) => {
      const { use } = sentFormOf(request);
      const link = {
        surface: deps.surface,
        token: request.params.token,
        device: deviceOf(request),
      };
      if (!(await confirmAddress(deps, link, use))) throw linkIsOver();
      setDeviceCookie(reply, link.device);
      return reply.redirect('/login', 303);
    },
  );
}

export const linkIsOver = () =>
  new PageRefusal(
    404,
    'This link no longer works',
    'The link was used or expired, or the change ended. Nothing was changed.',
  );
