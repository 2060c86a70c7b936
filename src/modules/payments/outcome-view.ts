import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { creditOf, type Money, type PaymentMoney } from '../../domain/ledger/movements.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { unitOf } from '../../domain/money/unit-of.ts';
import { reasonOf } from '../../domain/payments/failures/rail-reasons.ts';
import type { PaymentFinality } from '../../domain/payments/finality.ts';
import type { PaymentFailure, PaymentReturn } from '../../domain/payments/payment.ts';

/** How final a payment is, and until when its rail lets it come back: no time is known of a network's blocks. */
export const finalityView = ({
  finality,
  finalAt,
  finalDueAt,
  destination,
}: PaymentFinality & Pick<PaymentRow, 'destination'>) => ({
  state: finality,
  finalAt: finalAt?.toISOString() ?? null,
  dueAt: destination.kind === 'BANK' ? (finalDueAt?.toISOString() ?? null) : null,
});

/** Whether what a network shows of it may still be taken back, so that it counts for nothing yet. */
export const isPreliminary = ({
  destination,
  finality,
}: Pick<PaymentRow, 'destination' | 'finality'>): boolean =>
  destination.kind === 'WALLET' && finality !== 'FINAL';

/** Why it failed. Without an action the operators are to be asked. */
export const failureView = (failure: PaymentFailure | null) =>
  failure && { ...failure, action: failure.action ?? 'CONTACT_SUPPORT' };

/**
 * What came back, in major units, what of it the customer was credited, and why.
 */
export function returnView(info: PaymentReturn | null, money: PaymentMoney) {
  if (info === null) return null;
  const { currency } = money.target;
  const { reason, amount, fee, at, isLate, ...written } = info;
  return {
    reason,
    ...reasonOf(reason, 'RETURNED'),
    ...written,
    amount: formatAmount(BigInt(amount), currency),
    fee: formatAmount(BigInt(fee), currency),
    credited: viewMoney(creditOf(money, BigInt(amount))),
    at,
    late: isLate === true,
  };
}

const viewMoney = ({ currency, minor }: Money) => ({
  ...unitOf(currency),
  amount: formatAmount(minor, currency),
});
