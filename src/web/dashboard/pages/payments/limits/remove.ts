import { findLimit } from '../../../../../db/payments/payment-limit-write-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import { removeLimit } from '../../../../../modules/payments/limits/change-limits.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { unreadableForm } from '../../../../kit/page-refusal.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { requirePlace } from '../../../environment.tsx';
import { refusedChange, VERSION } from './limit-rules.ts';

const FIELDS = { version: VERSION } as const;

/** POST /{env}/limits/{id}/remove */
export function registerRemoveLimit(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/limits/:limitId/remove',
    { config: { right: 'write-payment-limits', form: FIELDS } },
    async (request, reply) => {
      const { scope, environment, user } = requirePlace(request);
      const { limitId } = request.params as { readonly limitId: string };
      const form = sentFormOf(request);
      const { values, problems } = readForm(FIELDS, form.texts);
      if (problems.length > 0) throw unreadableForm('The form has no version.');
      const version = Number(values.version);
      const found = await deps.db.read(scope, async (tx) =>
        requireFound(await findLimit(tx, scope, limitId)),
      );
      if (found.version !== version) throw refusedChange('CHANGED');
      const act = `Remove the ${environment} limit ${found.id} in ${found.currency}`;
      if (!(await proveAct(request, reply, act))) return reply;
      await deps.db.write(scope, async (tx) => {
        await form.use(tx);
        const outcome = await removeLimit(deps, tx, scope, {
          ...{ id: found.id, version, user: { kind: 'USER', id: user.id } },
        });
        if (outcome !== 'DONE') throw refusedChange(outcome);
      });
      return reply.redirect(`/${environment}/limits`, 303);
    },
  );
}
