import type { BankAccountView } from '../../../bank-accounts/bank-account-view.ts';
import type { PaymentRow } from '../../../db/payment-store.ts';
import { totalOf } from '../../../domain/ledger/movements.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import type { Finality } from '../../../domain/payments/finality.ts';
import type { Environment } from '../../../domain/scope.ts';
import { paymentMoney } from '../../../payments/payment-view.ts';
import { Facts } from '../../../web/parts/facts.tsx';
import { Money } from '../../../web/parts/money.tsx';
import type { Children } from '../../../web/parts/types.ts';
import type { TimeText } from '../../../web/time-text.ts';
import { maskName, maskNumber, shortId } from '../../words/mask.ts';

const FINALITY_WORDS: Readonly<Record<Finality, string>> = {
  NONE: 'None yet',
  PROVISIONAL: 'It may still come back',
  FINAL: 'Final',
};

const RECONCILIATION_WORDS = {
  PENDING: 'Not on a statement yet',
  RECONCILED: 'On the bank’s statement',
  EXCEPTION: 'The statement says otherwise: the operator looks into it',
} as const;

/** What a payment is, whom it pays, masked, and what it was ordered with. */
export const PaymentFacts = (props: {
  readonly payment: PaymentRow;
  readonly account: BankAccountView;
  readonly environment: Environment;
  readonly times: TimeText;
}) => {
  const { payment, account, environment, times } = props;
  const source = totalOf(paymentMoney(payment));
  const finality = payment.finalDueAt === null ? '' : `, until ${times.moment(payment.finalDueAt)}`;
  const isOpenEnded = payment.finality === 'PROVISIONAL';
  const optional = (name: string, value: Children | null): [string, Children][] =>
    value === null ? [] : [[name, value]];
  return (
    <Facts
      facts={[
        ['Rail', payment.rail],
        [
          'Charged',
          <Money amount={formatAmount(source.minor, source.currency)} currency={source.currency} />,
        ],
        ...optional('Rate', payment.rate),
        [
          'End-user',
          <a href={`/${environment}/end-users/${payment.endUserId}`}>
            {shortId(payment.endUserId)}
          </a>,
        ],
        ['Holder', maskName(account.holderName)],
        ['Account', `${account.country} ${maskNumber(account.last4)}`],
        ...optional('Leaves on', payment.scheduledFor),
        ...optional('External id', payment.externalId),
        ['Idempotency key', payment.idempotencyKey],
        ...optional('Purpose', payment.purpose),
        ...payment.refs.map(({ type, value }): [string, Children] => [
          type === 'BANK_REFERENCE' ? 'Bank’s reference' : 'Reference',
          <code>{value}</code>,
        ]),
        ['Finality', `${FINALITY_WORDS[payment.finality]}${isOpenEnded ? finality : ''}`],
        ['Reconciliation', RECONCILIATION_WORDS[payment.reconciliationStatus]],
        [`Changed (${times.zone})`, times.moment(payment.updatedAt)],
      ]}
    />
  );
};
