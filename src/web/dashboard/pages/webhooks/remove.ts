import { deleteEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { wakeAfterCommit } from '../../../../db/webhooks/wake-after-commit.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import { proveAct } from '../../../kit/step-up.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { sendEndpoint } from './detail.tsx';
import { hostOf } from './read-endpoint-form.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { refuseStale, requireSeen, StaleEndpoint, VERSION_RULE } from './version-rule.ts';

const RULES = { version: VERSION_RULE } as const;

/** POST /{env}/webhooks/{id}/delete */
export function registerRemoveWebhook(app: WebApp, deps: DashboardDeps): void {
  const { db, clock } = deps;
  app.post(
    '/:env/webhooks/:id/delete',
    { config: { right: 'write-webhooks', form: RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope, environment } = place;
      const { id } = request.params as { readonly id: string };
      const { url } = await requireEndpoint(db, scope, id);
      const { values, problems } = readForm(RULES, sentFormOf(request).texts);
      if (problems.length > 0) {
        return sendEndpoint(deps, request, reply.code(422), place, problems);
      }
      const words = `Delete the ${environment} webhook endpoint at ${hostOf(url)} permanently`;
      if (!(await proveAct(request, reply, words))) return reply;
      const act = actOf(clock, request, place, {
        ...{ action: 'webhook_endpoint.delete', subject: id },
        work: async (tx) => {
          const version = requireFound(await deleteEndpoint(tx, scope, id, clock.now()));
          // Its row is locked by now; a refusal takes the deletion back.
          requireSeen(values.version)(version);
          // Its workflow may wait a day for the next retry: woken, it finds that it can end.
          wakeAfterCommit(tx, [id]);
        },
      });
      try {
        await db.write(scope, act);
      } catch (error) {
        if (!(error instanceof StaleEndpoint)) throw error;
        return refuseStale(deps, place, id, Number(values.version));
      }
      return reply.redirect(`/${environment}/webhooks`, 303);
    },
  );
}
