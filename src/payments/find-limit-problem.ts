import type { CorridorTerms } from '../domain/corridors/corridor.ts';
import type { Problem } from '../domain/errors/refusal.ts';
import { formatAmount, parseAmount } from '../domain/money/amount.ts';
import type { PaymentOrder } from './payment-order.ts';

/** The limit of a corridor that an amount in its currency is outside of. What is not stated is no limit. */
export function findLimitProblem(
  { amount, currency }: Pick<PaymentOrder, 'amount' | 'currency'>,
  { min, max }: Pick<CorridorTerms, 'min' | 'max'>,
): Problem | null {
  const limit = (text: string): bigint => {
    const parsed = parseAmount(text, currency);
    if (!parsed.ok) throw new Error(`corridor limit ${text} ${currency} is unreadable`);
    return parsed.minor;
  };
  const outside = (code: 'amount_below_minimum' | 'amount_above_maximum', bound: bigint) => ({
    path: '/amount',
    code,
    message: "The amount is outside the corridor's limits.",
    meta: { limit: formatAmount(bound, currency), currency },
  });
  const least = min === null ? null : limit(min);
  const most = max === null ? null : limit(max);
  if (least !== null && amount < least) return outside('amount_below_minimum', least);
  if (most !== null && amount > most) return outside('amount_above_maximum', most);
  return null;
}
