import { formatAmount } from '../../../../../domain/money/amount.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import type { Children } from '../../../../kit/parts/types.ts';
import { depthWords, REASON_WORDS } from '../../../words/deposit-words.ts';
import { shortId } from '../../../words/mask.ts';
import { shortAddress } from '../../../words/short-address.ts';
import type { DepositPageProps } from './deposit-page-props.ts';

/** What came, how deep it lies, and whom it is for. Who sent it is shortened: a wallet may be a person's. */
export const DepositFacts = ({
  deposit,
  confirmations,
  environment,
  times,
}: Pick<DepositPageProps, 'deposit' | 'confirmations' | 'environment' | 'times'>) => {
  const { applied, asset, amount } = deposit;
  const money = (minor: bigint) => <Money amount={formatAmount(minor, asset)} currency={asset} />;
  const isSplit = applied?.appliedTo === 'PAYMENT' && applied.toPayment < amount;
  const split: [string, Children][] = isSplit
    ? [
        ['To its payment', money(applied.toPayment)],
        ['To your balance', money(amount - applied.toPayment)],
      ]
    : [];
  const why = applied?.reason ?? null;
  const reason: [string, Children][] = why === null ? [] : [['Why there', REASON_WORDS[why]]];
  return (
    <Facts
      facts={[
        ['Network', deposit.network],
        ['Confirmations', depthWords(confirmations)],
        ['For', <Owner {...{ deposit, environment }} />],
        ...split,
        ...reason,
        ['Sender', shortAddress(deposit.from)],
        [`In a block (${times.zone})`, times.moment(deposit.blockAt)],
        [`Changed (${times.zone})`, times.moment(deposit.updatedAt)],
      ]}
    />
  );
};

/** The payment whose address it came to, or the standing address. */
const Owner = ({
  deposit: { paymentId, depositAddressId },
  environment,
}: Pick<DepositPageProps, 'deposit' | 'environment'>) =>
  paymentId === null ? (
    <a href={`/${environment}/deposit-addresses/${depositAddressId ?? ''}`}>
      {shortId(depositAddressId ?? '')}
    </a>
  ) : (
    <a href={`/${environment}/payments/${paymentId}`}>{shortId(paymentId)}</a>
  );
