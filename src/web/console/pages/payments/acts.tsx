import {
  CONFIRM_FAILED,
  CONFIRM_SETTLED,
  RETRY_PAYMENT,
  SETTLE_LATE_RETURN,
  VOID_TRANSFER,
  type AttemptedPayment,
} from '../../../../modules/operations/acts/payment-acts.ts';
import type { LateReturnRow } from '../../../../db/payments/late-return-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { SelectField } from '../../../kit/parts/field.tsx';
import { actPage, type ActPage } from '../../acts/act-page.tsx';
import type { FieldGiven } from '../../acts/act-view.ts';
import { AttemptsTable } from './attempts.tsx';

const current = '/payments';
const trailOf = (id: string) => ({ href: `/payments/${id}`, text: 'Payment', here: id });

/** The choice of an attempt, and what the bank was asked. */
const ATTEMPTS = {
  current,
  trail: ({ payment }: AttemptedPayment) => trailOf(payment.id),
  facts: ({ payment, attempts }: AttemptedPayment) => (
    <>
      <p>
        {formatAmount(payment.amount, payment.currency)} {payment.currency}, {payment.status} /{' '}
        {payment.statusDetail}.
      </p>
      <AttemptsTable attempts={attempts} />
    </>
  ),
  fields: {
    attempt: ({ subject: { attempts }, value, problems }: FieldGiven<AttemptedPayment>) => (
      <SelectField
        name="attempt"
        label={CONFIRM_SETTLED.inputs.attempt.label}
        hint={CONFIRM_SETTLED.inputs.attempt.hint}
        value={value ?? attempts.at(-1)?.reference ?? ''}
        problems={problems}
        options={attempts.map(({ reference }) => ({ value: reference, text: reference }))}
      />
    ),
  },
};

export const PAYMENT_ACT_PAGES: readonly ActPage[] = [
  actPage(RETRY_PAYMENT, {
    current,
    trail: ({ id }) => trailOf(id),
    facts: ({ status, statusDetail }) => (
      <p>
        It is {status} / {statusDetail}.
      </p>
    ),
  }),
  actPage(SETTLE_LATE_RETURN, {
    current,
    trail: ({ paymentId }) => trailOf(paymentId),
    facts: (late) => <LateFacts late={late} />,
  }),
  actPage(CONFIRM_SETTLED, ATTEMPTS),
  actPage(CONFIRM_FAILED, ATTEMPTS),
  actPage(VOID_TRANSFER, {
    current,
    trail: ({ paymentId }) => trailOf(paymentId),
    facts: ({ state, network }) => (
      <p>
        It is {state} on {network}.
      </p>
    ),
  }),
];

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
