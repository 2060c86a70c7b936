import type { BankAccountView } from '../../../../modules/parties/bank-accounts/bank-account-view.ts';
import type { PaymentRow } from '../../../../db/payments/payment-store.ts';
import type { WalletRow } from '../../../../db/parties/wallet-store.ts';
import { totalOf } from '../../../../domain/ledger/movements.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import type { Finality } from '../../../../domain/payments/finality.ts';
import type { Environment } from '../../../../domain/scope.ts';
import { railOf } from '../../../../domain/payments/payment-destination.ts';
import type { PaymentArrival } from '../../../../modules/payments/payment-arrival.ts';
import { paymentMoney } from '../../../../modules/payments/payment-view.ts';
import { Facts } from '../../../kit/parts/facts.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import type { TimeText } from '../../../kit/time-text.ts';
import { maskName, maskNumber, shortId } from '../../words/mask.ts';
import { walletAddress } from '../../words/wallet-words.ts';

const FINALITY_WORDS: Readonly<Record<Finality, string>> = {
  NONE: 'None yet',
  PROVISIONAL: 'Not final: the bank can still return it',
  FINAL: 'Final',
};

const RECONCILIATION_WORDS = {
  PENDING: 'Not on a statement yet',
  RECONCILED: 'On the bank’s statement',
  EXCEPTION: 'The statement contradicts it. The operator is looking into it.',
} as const;

const CHAIN_WORDS = {
  PENDING: 'The network can still take it back',
  RECONCILED: 'In a final block',
  EXCEPTION: 'The network contradicts it. The operator is looking into it.',
} as const;

/** Whom a payment pays, as far as it may be shown. */
export type BeneficiaryView =
  | { readonly kind: 'BANK_ACCOUNT'; readonly account: BankAccountView }
  | { readonly kind: 'WALLET'; readonly wallet: WalletRow };

const REFERENCE_WORDS = {
  END_TO_END_ID: 'Reference',
  BANK_REFERENCE: 'Bank’s reference',
  TX_HASH: 'Transaction',
} as const;

function beneficiaryFacts(
  beneficiary: BeneficiaryView,
  environment: Environment,
): [string, Children][] {
  if (beneficiary.kind === 'WALLET') {
    const { id, network } = beneficiary.wallet;
    const text = `${network} ${walletAddress(beneficiary.wallet)}`;
    return [['Wallet', <a href={`/${environment}/wallets/${id}`}>{text}</a>]];
  }
  const { holderName, country, last4 } = beneficiary.account;
  return [
    ['Holder', maskName(holderName)],
    ['Account', `${country} ${maskNumber(last4)}`],
  ];
}

/** Where its deposit is to be sent, how much of it is there, and until when; nothing where its balance pays. */
function depositFacts({ funding }: PaymentRow, times: TimeText): [string, Children][] {
  if (funding === null) return [];
  const { network, asset, address, amountDue, amountReceived, expiresAt } = funding;
  const money = (minor: string) => (
    <Money amount={formatAmount(BigInt(minor), asset)} currency={asset} />
  );
  return [
    ['Paid by', `Deposit over ${network}`],
    ['Deposit address', <code>{address}</code>],
    ['Due', money(amountDue)],
    ['Received', money(amountReceived)],
    ['In a block until', times.moment(new Date(expiresAt))],
  ];
}

/** The most that it may cost where it is priced anew, and until when. */
function maximumFacts(payment: PaymentRow, times: TimeText): [string, Children][] {
  const { maxSourceAmount, requoteUntil, sourceUnit } = payment;
  if (maxSourceAmount === null || requoteUntil === null) return [];
  const amount = formatAmount(maxSourceAmount, sourceUnit);
  return [
    ['Charged at most', <Money amount={amount} currency={sourceUnit} />],
    ['Priced anew until', times.moment(requoteUntil)],
  ];
}

/** What a payment is, whom it pays, masked, and what it was ordered with. */
export const PaymentFacts = (props: {
  readonly payment: PaymentRow;
  readonly beneficiary: BeneficiaryView;
  /** The deposit that it pays on or refunds. */
  readonly ofDeposit: string | null;
  readonly arrival: PaymentArrival;
  readonly environment: Environment;
  readonly times: TimeText;
}) => {
  const { payment, beneficiary, environment, times } = props;
  const source = totalOf(paymentMoney(payment));
  const { finalDueAt, destination } = payment;
  const isDueKnown = finalDueAt !== null && destination.kind === 'BANK';
  const finality = isDueKnown ? `, until ${times.moment(finalDueAt)}` : '';
  const ofDeposit =
    props.ofDeposit === null ? null : (
      <a href={`/${environment}/deposits/${props.ofDeposit}`}>{shortId(props.ofDeposit)}</a>
    );
  const isOpenEnded = payment.finality === 'PROVISIONAL';
  const optional = (name: string, value: Children | null): [string, Children][] =>
    value === null ? [] : [[name, value]];
  return (
    <Facts
      facts={[
        ['Rail', railOf(destination)],
        [
          'Charged',
          <Money amount={formatAmount(source.minor, source.currency)} currency={source.currency} />,
        ],
        ...depositFacts(payment, times),
        ...optional('Of deposit', ofDeposit),
        ...optional('Rate', payment.rate),
        ...optional(
          'Rate held until',
          payment.rateHeldUntil && times.moment(payment.rateHeldUntil),
        ),
        ...maximumFacts(payment, times),
        [
          'End-user',
          <a href={`/${environment}/end-users/${payment.endUserId}`}>
            {shortId(payment.endUserId)}
          </a>,
        ],
        ...beneficiaryFacts(beneficiary, environment),
        ...optional('Release date', payment.scheduledFor),
        ...optional('Expected arrival', props.arrival.at && times.moment(props.arrival.at)),
        ...optional('External ID', payment.externalId),
        ['Idempotency key', payment.idempotencyKey],
        ...optional('Purpose', payment.purpose),
        ...payment.refs.map(({ type, value }): [string, Children] => [
          REFERENCE_WORDS[type],
          <code>{value}</code>,
        ]),
        ['Finality', `${FINALITY_WORDS[payment.finality]}${isOpenEnded ? finality : ''}`],
        [
          'Reconciliation',
          (destination.kind === 'BANK' ? RECONCILIATION_WORDS : CHAIN_WORDS)[
            payment.reconciliationStatus
          ],
        ],
        [`Changed (${times.zone})`, times.moment(payment.updatedAt)],
      ]}
    />
  );
};
