import { aloneInTheEnd } from '../../../../db/client/alone-in-the-end.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import { proveAct } from '../../../kit/step-up.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { updateWebhookEndpoint } from '../../../../modules/webhooks/update-webhook-endpoint.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { hostOf } from './read-endpoint-form.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { refuseStale, requireSeen, StaleEndpoint, VERSION_RULE } from './version-rule.ts';
import { sendEndpoint } from './detail.tsx';

const RULES = { version: VERSION_RULE } as const;

const TURNS = { enable: 'ENABLED', disable: 'DISABLED' } as const;
const WORDS = { enable: 'Enable', disable: 'Disable' } as const;

/** POST /{env}/webhooks/{id}/enable and .../disable */
export function registerTurnWebhook(app: WebApp, deps: DashboardDeps): void {
  for (const turn of ['enable', 'disable'] as const) {
    app.post(
      `/:env/webhooks/:id/${turn}`,
      { config: { right: 'write-webhooks', form: RULES } },
      async (request, reply) => {
        const place = requirePlace(request);
        const { scope, environment } = place;
        const { id } = request.params as { readonly id: string };
        const { url } = await requireEndpoint(deps.db, scope, id);
        const { values, problems } = readForm(RULES, sentFormOf(request).texts);
        if (problems.length > 0) {
          return sendEndpoint(deps, request, reply.code(422), place, problems);
        }
        const words = `${WORDS[turn]} the ${environment} webhook endpoint at ${hostOf(url)}`;
        if (!(await proveAct(request, reply, words))) return reply;
        const update = {
          ...{ id, patch: { status: TURNS[turn] } },
          requireVersion: requireSeen(values.version),
        };
        const act = actOf(deps.clock, request, place, {
          ...{ action: `webhook_endpoint.${turn}`, subject: id },
          work: (tx) => updateWebhookEndpoint(deps, tx, scope, update),
        });
        try {
          await aloneInTheEnd(deps.db, scope, act);
        } catch (error) {
          if (!(error instanceof StaleEndpoint)) throw error;
          return refuseStale(deps, place, id, Number(values.version));
        }
        return reply.redirect(`/${environment}/webhooks/${id}`, 303);
      },
    );
  }
}
