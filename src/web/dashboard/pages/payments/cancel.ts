import type { ScopedTransaction } from '../../../../db/client/database.ts';
import { findPayment, type PaymentRow } from '../../../../db/payments/payment-store.ts';
import { recordAudit } from '../../../../db/operations/audit-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { isCancelable } from '../../../../domain/payments/cancel-rules.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { cancelPayment } from '../../../../modules/payments/cancel-payment.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import { PageRefusal, unreadableForm } from '../../../kit/page-refusal.ts';
import { proveAct } from '../../../kit/step-up.tsx';
import type { SentForm, WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace, type Place } from '../../environment.tsx';
import { STATUS_WORDS } from '../../../kit/words/payment-status.ts';
import { detailWords } from '../../words/payment-words.ts';

const FIELDS = {
  version: {
    what: 'the version that was seen',
    lengthMax: 9,
    check: (text: string) => (/^[1-9][0-9]*$/.test(text) ? null : 'Enter a version.'),
  },
} as const;

/** POST /{env}/payments/{id}/cancel: by the API's own rules, once its person has proven it. */
export function registerCancelPayment(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/payments/:paymentId/cancel',
    { config: { right: 'cancel-payments', form: FIELDS } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope } = place;
      const { paymentId } = request.params as { readonly paymentId: string };
      const { sentForm } = request;
      if (sentForm === null) throw new Error('a POST has its form');
      const { values, problems } = readForm(FIELDS, sentForm.texts);
      // The page fills it in: the user does not type it.
      if (problems.length > 0) throw unreadableForm('The form has no version.');
      const version = Number(values.version);
      const seen = await deps.db.read(scope, async (tx) =>
        requireFound(await findPayment(tx, scope, paymentId)),
      );
      // Before a code is mailed for what cannot be done any more.
      refuseChanged(seen, version);
      if (!isCancelable(seen)) throw changed(seen, version);
      if (!(await proveAct(request, reply, `Cancel the payment ${seen.id}`))) return reply;
      const act = { ...place, sentForm, paymentId: seen.id, version };
      try {
        await deps.db.write(scope, (tx) => cancel(deps, tx, act));
      } finally {
        wake(deps, scope, seen, request.id);
      }
      return reply.redirect(`/${place.environment}/payments/${seen.id}`, 303);
    },
  );
}

async function cancel(
  deps: DashboardDeps,
  tx: ScopedTransaction,
  act: Place & {
    readonly sentForm: SentForm;
    readonly paymentId: string;
    readonly version: number;
  },
): Promise<void> {
  const { scope, user, paymentId, version } = act;
  await act.sentForm.use(tx);
  const actor = { kind: 'USER', id: user.id } as const;
  let judged = 0;
  const requireVersion = (now: number): void => {
    judged = now;
    if (now !== version) throw changedTo(now, version, '');
  };
  const payment = await cancelPayment(deps, tx, scope, { paymentId, actor, requireVersion });
  // One that was canceled already is answered as it is, and nothing was done.
  if (judged === 0) throw changed(payment, version);
  const [at, action] = [deps.clock.now(), 'payment.cancel'];
  await recordAudit(tx, { at, actor, action, scope, subject: paymentId, details: { version } });
}

/** Whatever became of the answer: the commit may have happened, and a wake too many is harmless. */
function wake(
  { workflows, wakes }: DashboardDeps,
  scope: Scope,
  { id: paymentId, workflowId }: PaymentRow,
  requestId: string,
): void {
  const work = () =>
    workflows.wakePayment(workflowId, { ...scope, paymentId }, 'cancel', requestId);
  wakes.run('wake canceled payment', work, { requestId });
}

function refuseChanged(payment: PaymentRow, seen: number): void {
  if (payment.version !== seen) throw changed(payment, seen);
}

const changed = ({ version, status, statusDetail }: PaymentRow, seen: number): PageRefusal =>
  changedTo(version, seen, ` It is ${STATUS_WORDS[status].text}: ${detailWords(statusDetail)}`);

function changedTo(version: number, seen: number, now: string): PageRefusal {
  const what =
    version === seen
      ? 'This payment can no longer be canceled.'
      : `You saw version ${String(seen)} of this payment. It is now version ${String(version)}.`;
  return new PageRefusal(409, 'The page is out of date', `${what}${now} Nothing was changed.`);
}
