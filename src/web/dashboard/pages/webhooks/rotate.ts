import { readForm } from '../../../kit/forms/read-form.ts';
import { proveAct } from '../../../kit/step-up.tsx';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { rotateEndpointSecret } from '../../../../modules/webhooks/rotate-endpoint-secret.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { oneOf } from '../../../kit/forms/filter-rules.ts';
import { OVERLAPS } from './choices.ts';
import { sendEndpoint } from './detail.tsx';
import { requireEndpoint } from './require-endpoint.ts';
import { sendSecretPage } from './secret-page.tsx';
import { refuseStale, requireSeen, StaleEndpoint, VERSION_RULE } from './version-rule.ts';

const RULES = {
  version: VERSION_RULE,
  overlap: { what: 'how long both sign', ...oneOf(OVERLAPS.map(({ value }) => value)) },
} as const;

/** POST /{env}/webhooks/{id}/rotate-secret */
export function registerRotateSecret(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/webhooks/:id/rotate-secret',
    { config: { right: 'write-webhooks', form: RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope, user, environment } = place;
      const { id } = request.params as { readonly id: string };
      await requireEndpoint(deps.db, scope, id);
      const { values, problems } = readForm(RULES, sentFormOf(request).texts);
      if (problems.length > 0) {
        return sendEndpoint(deps, request, reply.code(422), place, problems);
      }
      const words = `Replace the secret of the ${environment} webhook endpoint ${id}`;
      if (!(await proveAct(request, reply, words))) return reply;
      const requireVersion = requireSeen(values.version);
      const rotation = { id, overlapHours: Number(values.overlap), requireVersion };
      const act = actOf(deps.clock, request, place, {
        action: 'webhook_endpoint.rotate_secret',
        subject: id,
        work: (tx) => rotateEndpointSecret(deps, tx, scope, rotation),
      });
      try {
        const made = await deps.db.write(scope, act);
        const times = timeText(user.timeZone);
        const ends = times.moment(new Date(made.previousSecretExpiresAt));
        const about =
          values.overlap === '0'
            ? 'The old secret no longer signs.'
            : `The old secret also signs until ${ends} (${times.zone}).`;
        const { secret } = made;
        return await sendSecretPage(request, reply, place, {
          ...{ id, secret, about, title: 'New secret' },
        });
      } catch (error) {
        if (!(error instanceof StaleEndpoint)) throw error;
        return refuseStale(deps, place, id, Number(values.version));
      }
    },
  );
}
