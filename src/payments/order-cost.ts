import type { Money } from '../domain/ledger/movements.ts';
import type { PaymentOrder } from './payment-order.ts';

/** What an order takes from the balance. */
export interface OrderCost {
  /** Without the fees. */
  readonly source: Money;
  /** In the source currency. */
  readonly fees: readonly Money[];
  readonly total: Money;
  /** Units of the target for one of the source, as decimal text; null where nothing is converted. */
  readonly rate: string | null;
  /** The quote that fixes it; null where there is none. */
  readonly quoteId: string | null;
  /** Whether the payment may cost another amount: the rate is that of now and nobody holds it. */
  readonly isIndicative: boolean;
}

/** The cost of an order in the currency of its account: what arrives, and nothing else. */
export function costOf({ currency, amount }: PaymentOrder): OrderCost {
  const source = { currency, minor: amount };
  return { source, fees: [], total: source, rate: null, quoteId: null, isIndicative: false };
}
