import { findLimitCheck, type LimitDecision } from '../../../../db/payments/payment-limit-store.ts';
import { findPayment } from '../../../../db/payments/payment-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import {
  decidePayment,
  isKeyOf,
  waitsForApproval,
  type DecisionOutcome,
} from '../../../../modules/payments/limits/decide-payment.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import { PageRefusal, unreadableForm } from '../../../kit/page-refusal.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import { proveAct } from '../../../kit/step-up.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';

const FIELDS = {
  version: {
    what: 'the version that was seen',
    lengthMax: 9,
    check: (text: string) => (/^[1-9][0-9]*$/.test(text) ? null : 'Enter a version.'),
  },
} as const;

const DECISIONS = [
  { path: 'approve', decision: 'APPROVED', verb: 'Approve' },
  { path: 'decline', decision: 'DECLINED', verb: 'Decline' },
] as const satisfies readonly { path: string; decision: LimitDecision; verb: string }[];

/** POST /{env}/payments/{id}/approve and /decline: of a payment over a limit, by another user than who made its key. */
export function registerDecidePayment(app: WebApp, deps: DashboardDeps): void {
  for (const { path, decision, verb } of DECISIONS) {
    app.post(
      `/:env/payments/:paymentId/${path}`,
      { config: { right: 'approve-payments', form: FIELDS } },
      async (request, reply) => {
        const { scope, environment, user } = requirePlace(request);
        const { paymentId } = request.params as { readonly paymentId: string };
        const form = sentFormOf(request);
        const { values, problems } = readForm(FIELDS, form.texts);
        // The page fills it in: the user does not type it.
        if (problems.length > 0) throw unreadableForm('The form has no version.');
        const version = Number(values.version);
        const actor = { kind: 'USER', id: user.id } as const;
        const { seen, isOwnKey } = await deps.db.read(scope, async (tx) => {
          const payment = requireFound(await findPayment(tx, scope, paymentId));
          const check = await findLimitCheck(tx, scope, payment.id);
          return {
            seen: payment,
            isOwnKey: check !== null && (await isKeyOf(tx, scope, check, actor)),
          };
        });
        const requireVersion = (now: number): void => {
          if (now !== version) throw refused('CHANGED');
        };
        // Before a code is mailed for what cannot be done.
        requireVersion(seen.version);
        if (!waitsForApproval(seen)) throw refused('NOT_WAITING');
        if (decision === 'APPROVED' && isOwnKey) throw refused('OWN_KEY');
        if (!(await proveAct(request, reply, `${verb} the payment ${seen.id}`))) return reply;
        try {
          await deps.db.write(scope, async (tx) => {
            await form.use(tx);
            const outcome = await decidePayment(deps, tx, scope, {
              ...{ paymentId: seen.id, decision, user: actor, requireVersion },
            });
            if (outcome !== 'DONE') throw refused(outcome);
          });
        } finally {
          const { workflowId } = seen;
          const work = () =>
            deps.workflows.wakePayment(
              workflowId,
              { ...scope, paymentId: seen.id },
              path,
              request.id,
            );
          // Whatever became of the answer: the commit may have happened, and a wake too many is harmless.
          deps.wakes.run('wake decided payment', work, { requestId: request.id });
        }
        return reply.redirect(`/${environment}/payments/${seen.id}`, 303);
      },
    );
  }
}

const WHY: Readonly<Record<Exclude<DecisionOutcome, 'DONE'> | 'CHANGED', string>> = {
  CHANGED: 'The payment has changed since you opened the page.',
  NOT_WAITING: 'This payment does not wait for an approval.',
  OWN_KEY: 'You created the API key that made this payment. Another user must approve it.',
};

const refused = (why: keyof typeof WHY): PageRefusal =>
  new PageRefusal(409, 'Nothing was changed', `${WHY[why]} Nothing was changed.`);
