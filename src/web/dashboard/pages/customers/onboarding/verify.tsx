import { Type } from 'typebox';
import {
  acceptInvitation,
  lookUpInvitation,
} from '../../../../../modules/customers/access/invitations.ts';
import type { OpenInvitation } from '../../../../../db/customers/invitation-store.ts';
import { setDeviceCookie } from '../../../../kit/device-cookie.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { Gate } from '../../../../kit/parts/gate.tsx';
import { sendPage } from '../../../../kit/send-page.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { deviceOf } from '../../../../login/device-of.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';

const TOKEN = Type.Object({ token: Type.String() });

/** Used, ended, too old, never there: the visitor cannot tell these apart. */
const noSuchLink = () =>
  new PageRefusal(
    404,
    'This link cannot be used',
    'The link was used, expired, or was replaced by a newer one. Log in if you have used it. Otherwise, ask the person who invited you for a new link.',
  );

/**
 * GET and POST /verify/{token}: the link of an invitation. Mail scanners open links, so only sending the
 * form uses it.
 */
export function registerVerification(
  app: WebApp,
  { db, vault, clock }: Pick<DashboardDeps, 'db' | 'vault' | 'clock'>,
): void {
  app.get(
    '/verify/:token',
    { config: { right: 'public' }, schema: { params: TOKEN } },
    async ({ params: { token } }, reply) => {
      const invitation = await db.system((tx) => lookUpInvitation({ vault, clock }, tx, token));
      if (invitation === null) throw noSuchLink();
      const path = `/verify/${token}`;
      return sendPage(reply, page(invitation, path, reply.newForm(path)));
    },
  );
  app.post(
    '/verify/:token',
    { config: { right: 'public', form: {} }, schema: { params: TOKEN } },
    async (request, reply) => {
      const device = deviceOf(request);
      await db.system(async (tx) => {
        await sentFormOf(request).use(tx);
        const { token } = request.params;
        if (!(await acceptInvitation({ vault, clock }, tx, token, device))) throw noSuchLink();
      });
      setDeviceCookie(reply, device);
      return reply.redirect('/login', 303);
    },
  );
}

const page = ({ customerName, role }: OpenInvitation, path: string, token: string) => ({
  title: 'Accept the invitation',
  body: (
    <Gate>
      <h1>Accept the invitation</h1>
      <p>
        You are invited to this account. After you accept, log in with a code that you receive by
        email.
      </p>
      <Facts
        facts={[
          ['Company', customerName],
          ['Your role', role.toLowerCase()],
        ]}
      />
      <Form action={path} token={token} submit="Accept and go to the login" />
    </Gate>
  ),
});
