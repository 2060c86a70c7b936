import type { ListedAsset } from '../../domain/onchain/network.ts';
import type { CorridorTerms } from '../../domain/payments/corridors/corridor.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import { formatAmount, parseAmount } from '../../domain/money/amount.ts';
import { unitOf } from '../../domain/money/unit-of.ts';
import type { PaymentOrder } from './payment-order.ts';

type Asked = Pick<PaymentOrder, 'amount' | 'unit'>;

/** Minor units; null: not stated, which is no limit. */
interface Bounds {
  readonly least: bigint | null;
  readonly most: bigint | null;
}

/** The limit of a corridor that an amount in its currency is outside of. What is not stated is no limit. */
export function findLimitProblem(
  order: Asked,
  { min, max }: Pick<CorridorTerms, 'min' | 'max'>,
): Problem | null {
  const limit = (text: string): bigint => {
    const parsed = parseAmount(text, order.unit);
    if (!parsed.ok) throw new Error(`corridor limit ${text} ${order.unit} is unreadable`);
    return parsed.minor;
  };
  return outsideOf(
    order,
    { least: min === null ? null : limit(min), most: max === null ? null : limit(max) },
    'The amount is outside the limits of the corridor.',
  );
}

/** The limit of a listed asset that an amount of it is outside of. */
export const findAssetLimitProblem = (
  order: Asked,
  { min, max }: Pick<ListedAsset, 'min' | 'max'>,
): Problem | null =>
  outsideOf(order, { least: min, most: max }, 'The amount is outside the limits of the asset.');

function outsideOf(
  { amount, unit }: Asked,
  { least, most }: Bounds,
  message: string,
): Problem | null {
  const outside = (code: 'amount_below_minimum' | 'amount_above_maximum', bound: bigint) => ({
    ...{ path: '/amount', code, message },
    meta: { limit: formatAmount(bound, unit), ...unitOf(unit) },
  });
  if (least !== null && amount < least) return outside('amount_below_minimum', least);
  if (most !== null && amount > most) return outside('amount_above_maximum', most);
  return null;
}
