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
import { Coded } from '../../parts/coded.tsx';
import { reasonWords } from '../../words/bank-answer-words.ts';
import { detailWordsOf } from '../../words/payment-detail-words.ts';
import { Attempts } from './attempts.tsx';

const current = '/payments';
const trailOf = (id: string) => ({ href: `/payments/${id}`, text: 'Payment', here: id });

/** The choice of an attempt, and what the bank was asked. */
const ATTEMPTS = {
  current,
  trail: ({ payment }: AttemptedPayment) => trailOf(payment.id),
  facts: ({ payment, attempts }: AttemptedPayment) => (
    <>
      <p>
        {formatAmount(payment.amount, payment.currency)} {payment.currency}.{' '}
        <Standing {...payment} />
      </p>
      <Attempts attempts={attempts} />
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
        <Standing {...{ status, statusDetail }} />
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
        {state === 'WAITING' ? 'The transfer was not sent' : 'The transfer was sent'} on {network}.{' '}
        <code class="code-beside">{state}</code>
      </p>
    ),
  }),
];

/** Where a payment stands, in words with its codes. */
const Standing = (props: { readonly status: string; readonly statusDetail: string }) => (
  <>
    {detailWordsOf(props.statusDetail).sentence}{' '}
    <code class="code-beside">{`${props.status} / ${props.statusDetail}`}</code>
  </>
);

const LateFacts = ({
  late: { amount, currency, reason, contradictedBy },
}: {
  late: LateReturnRow;
}) => {
  const why = reasonWords(reason, 'RETURNED');
  return (
    <p>
      {amount === null || currency === null
        ? 'No statement shows the money yet.'
        : `${formatAmount(amount, currency)} ${currency} came back after the payment was final.`}{' '}
      {why === null ? 'The bank gave no reason.' : <Coded {...why} />}{' '}
      {contradictedBy === null
        ? ''
        : `Another statement line contradicts it (${contradictedBy}). You can only keep the money in suspense.`}
    </p>
  );
};
