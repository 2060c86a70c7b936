import { isGrpcServiceError } from '@temporalio/client';
import { findLateReturn, type LateReturnRow } from '../../../../db/payments/late-return-store.ts';
import { findPaymentForOps, type OpsPayment } from '../../../../db/operations/ops-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { retryInTime } from '../../../../modules/payments/retry-held-payment.ts';
import { proposeLateReturn } from '../../../../modules/payments/settle-late-return.ts';
import { noSuchPage, notNow, PageRefusal } from '../../../kit/page-refusal.ts';
import { SelectField } from '../../../kit/parts/field.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { proposedPage } from '../../acts/proposed-page.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';

const DECISIONS = ['CREDIT', 'KEEP'] as const;
const AS = {
  as: {
    ...{ what: 'what becomes of it', lengthMax: 10 },
    check: (text: string) =>
      (DECISIONS as readonly string[]).includes(text) ? null : 'Choose one of the two.',
  },
} as const;

const trailOf = (id: string) => ({ href: `/payments/${id}`, text: 'Payment', here: id });

/** /payments/{id}/retry, by one operator, and /late-return, which another one approves. */
export function servePaymentActs(app: WebApp, deps: ConsoleDeps): void {
  serveAct(app, deps, {
    ...{ path: '/payments/:id/retry', current: '/payments', fields: {} },
    ...({ right: 'decide-payments', actingIn: 'system', needsTemporal: true } as const),
    load: ({ id }) => loadPayment(deps, id),
    page: (payment: OpsPayment) => ({
      ...{ title: 'Retry the payment', submit: 'Retry', trail: trailOf(payment.id) },
      words: `Retry payment ${payment.id}`,
      about: (
        <p>
          It is {payment.status} / {payment.statusDetail}. The bank is asked first; if it never saw
          the payment, it is sent again.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting }) {
      const outcome = await retryInTime(acting, subject, act).catch(sayTemporalIsDown);
      if (outcome.kind !== 'TAKEN') throw new PageRefusal(409, 'It was not retried', outcome.why);
      return `/payments/${subject.id}`;
    },
  });

  serveAct(app, deps, {
    ...{ path: '/payments/:id/late-return', current: '/payments', fields: AS },
    ...({ right: 'decide-payments', actingIn: 'system' } as const),
    load: ({ id }) => loadLate(deps, id),
    page: (late: LateReturnRow, values) => ({
      ...{ title: 'Propose what becomes of the money', submit: 'Propose' },
      trail: trailOf(late.paymentId),
      words: `Propose ${values.as === 'CREDIT' ? 'to credit to the customer' : 'to keep in suspense'} what came back late of payment ${late.paymentId}`,
      about: <LateFacts late={late} />,
    }),
    inputs: (_late, values, problems) => (
      <SelectField
        name="as"
        label="What becomes of it"
        value={values.as ?? 'CREDIT'}
        problems={problems}
        options={[
          { value: 'CREDIT', text: 'Credit it to the customer' },
          { value: 'KEEP', text: 'Keep it in suspense' },
        ]}
      />
    ),
    async perform({ subject, values, act, deps: acting }) {
      const { customerId, environment, paymentId } = subject;
      const decision = values.as === 'CREDIT' ? 'CREDIT' : 'KEEP';
      const scope = { customerId, environment };
      return proposedPage(await proposeLateReturn(acting, scope, paymentId, decision, act));
    },
  });
}

/** It went down since it was asked. The decision is stored, and good for nothing without it: the payment is as it was. */
function sayTemporalIsDown(error: unknown): never {
  throw isGrpcServiceError(error) ? notNow() : error;
}

async function loadPayment({ db }: ConsoleDeps, id: string): Promise<OpsPayment> {
  const payment = await db.system((tx) => findPaymentForOps(tx, id));
  if (payment === null) throw noSuchPage();
  return payment;
}

async function loadLate({ db }: ConsoleDeps, id: string): Promise<LateReturnRow> {
  const late = await db.system((tx) => findLateReturn(tx, id));
  if (late === null) throw noSuchPage();
  return late;
}

const LateFacts = ({
  late: { amount, currency, reason, contradictedBy },
}: {
  late: LateReturnRow;
}) => (
  <p>
    {amount === null || currency === null
      ? 'No statement has shown the money yet.'
      : `${formatAmount(amount, currency)} ${currency} came back after the payment was final.`}{' '}
    Reason of the bank: {reason ?? 'none'}.{' '}
    {contradictedBy === null
      ? ''
      : `Another line contradicts it (${contradictedBy}): it can only be kept.`}
  </p>
);
