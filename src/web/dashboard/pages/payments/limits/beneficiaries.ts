import {
  allowBeneficiary,
  removeBeneficiary,
} from '../../../../../modules/payments/limits/change-limits.ts';
import { listBeneficiaries } from '../../../../../db/payments/payment-limit-write-store.ts';
import { Refusal } from '../../../../../domain/errors/refusal.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { requirePlace } from '../../../environment.tsx';
import { refusedChange } from './limit-rules.ts';

const FIELDS = {
  destination: {
    what: 'the ID of a bank account or a wallet',
    lengthMax: 40,
    check: (text: string) =>
      isId(ID_PREFIXES.bankAccount, text) || isId(ID_PREFIXES.wallet, text)
        ? null
        : 'Enter an ID that begins with ba_ or wal_.',
  },
} as const;

/** POST /{env}/limits/beneficiaries and POST /{env}/limits/beneficiaries/{id}/remove */
export function registerAllowBeneficiary(app: WebApp, deps: DashboardDeps): void {
  const right = 'write-payment-limits';
  app.post(
    '/:env/limits/beneficiaries',
    { config: { right, form: FIELDS } },
    async (request, reply) => {
      const { scope, environment, user } = requirePlace(request);
      const form = sentFormOf(request);
      const { values, problems } = readForm(FIELDS, form.texts);
      const { destination: destinationId } = values;
      if (problems.length > 0) throw notAllowed(problems[0]?.message ?? '');
      if (
        !(await proveAct(request, reply, `Allow the ${environment} beneficiary ${destinationId}`))
      ) {
        return reply;
      }
      await deps.db
        .write(scope, async (tx) => {
          await form.use(tx);
          const by = { kind: 'USER', id: user.id } as const;
          const outcome = await allowBeneficiary(deps, tx, scope, { destinationId, user: by });
          if (outcome !== 'DONE') throw refusedChange(outcome);
        })
        .catch((error: unknown) => {
          if (error instanceof Refusal)
            throw notAllowed('There is no such bank account or wallet.');
          throw error;
        });
      return reply.redirect(`/${environment}/limits`, 303);
    },
  );
  app.post(
    '/:env/limits/beneficiaries/:destinationId/remove',
    { config: { right, form: {} } },
    async (request, reply) => {
      const { scope, environment, user } = requirePlace(request);
      const { destinationId } = request.params as { readonly destinationId: string };
      const form = sentFormOf(request);
      const listed = await deps.db.read(scope, (tx) => listBeneficiaries(tx, scope));
      requireFound(listed.find((one) => one.destinationId === destinationId) ?? null);
      if (
        !(await proveAct(request, reply, `Remove the ${environment} beneficiary ${destinationId}`))
      ) {
        return reply;
      }
      await deps.db.write(scope, async (tx) => {
        await form.use(tx);
        const by = { kind: 'USER', id: user.id } as const;
        await removeBeneficiary(deps, tx, scope, { destinationId, user: by });
      });
      return reply.redirect(`/${environment}/limits`, 303);
    },
  );
}

const notAllowed = (why: string): PageRefusal =>
  new PageRefusal(422, 'Nothing was changed', `${why} Nothing was changed.`);
