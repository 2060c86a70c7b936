import { Type } from 'typebox';
import { readDevice } from '../../modules/customers/access/devices.ts';
import { endOtherSessions, endOwnSession } from '../../modules/customers/access/own-sessions.ts';
import { deviceCookie } from '../kit/device-cookie.ts';
import { noSuchPage } from '../kit/page-refusal.ts';
import { clearSessionCookie } from '../kit/session-cookie.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { sentFormOf } from '../kit/sent-form-of.ts';
import { personOf } from '../kit/person.ts';

/** POST /log-out, /settings/sessions/{id}/end, /settings/sessions/end-others. */
export function registerSessions(app: WebApp, deps: AccessPageDeps): void {
  const config = { right: 'write-own-sessions', form: {} } as const;

  app.post('/log-out', { config }, async (request, reply) => {
    const person = personOf(request);
    await endOwnSession(deps, person, person.sessionId, sentFormOf(request).use);
    clearSessionCookie(reply, deps.surface);
    return reply.redirect('/login', 303);
  });

  app.post(
    '/settings/sessions/:id/end',
    { config, schema: { params: Type.Object({ id: Type.String() }) } },
    async (request, reply) => {
      const { use } = sentFormOf(request);
      if (!(await endOwnSession(deps, personOf(request), request.params.id, use)))
        throw noSuchPage();
      return reply.redirect('/settings', 303);
    },
  );

  app.post('/settings/sessions/end-others', { config }, async (request, reply) => {
    const device = readDevice(deviceCookie(request));
    await endOtherSessions(deps, personOf(request), device, sentFormOf(request).use);
    return reply.redirect('/settings', 303);
  });
}
