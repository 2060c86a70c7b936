import type { ScopedTransaction } from '../../db/client/database.ts';
import { readParties } from '../../db/parties/party-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Corridor } from '../../domain/payments/corridors/corridor.ts';
import { Refusal, type Problem } from '../../domain/errors/refusal.ts';
import { ERRORS } from '../../domain/errors/registry.ts';
import type { OrderPrice } from '../../domain/payments/price-order.ts';
import type { Scope } from '../../domain/scope.ts';
import { checkOrders, type CheckDeps } from './check-orders.ts';
import { NO_WAY, orderArrival, type OrderArrival } from './order-arrival.ts';
import type { OrderPricing } from './order-check.ts';
import type { PaymentOrder } from './payment-order.ts';
import { servedIn } from './served-corridors.ts';

/** What a payment would cost, and whether it is sure to: without a quote the rate is that of now. */
export interface OrderCost extends OrderPrice {
  /** From then on it is not sent first at `rate`; null where nothing is converted. */
  readonly rateHeldUntil: Date | null;
  /** Before it it is priced anew when the rate is over; null: it fails then. */
  readonly requoteUntil: Date | null;
  /** Of the quote that the order names. */
  readonly quoteId: string | null;
  readonly isIndicative: boolean;
}

/** What would become of an order if it were sent now. */
export interface Validation {
  /** All that is in its way, as POST /payments would refuse it; none where it would be accepted. */
  readonly problems: readonly Problem[];
  /** Null where there is no price for it. */
  readonly cost: OrderCost | null;
  readonly corridor: Corridor | null;
  readonly arrival: OrderArrival;
}

/**
 * Judges an order by the code that accepts one, and does nothing: no row is written or held, no key bound,
 * no quote used. Everything can change before the payment is made; it is judged again then. Throws
 * customer_suspended.
 */
export async function validateOrder(
  deps: CheckDeps & { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  order: PaymentOrder,
): Promise<Validation> {
  const at = deps.clock.now();
  const orders = [order];
  const parties = await readParties(tx, scope, orders, at);
  const [check] = await checkOrders(deps, tx, scope, { orders, parties, at, isToAccept: false });
  if (check === undefined) throw new Error('checks are as many as orders');
  const { problems, route, pricing, schedule } = check;
  return {
    problems,
    cost: pricing && costOf(pricing, order.quoteId),
    corridor: route.corridor,
    arrival: orderArrival(route, servedIn(deps, scope.environment), {
      from: schedule?.releaseAt ?? at,
      awaitsDeposit: order.funding !== null,
    }),
  };
}

const costOf = ({ price, quote }: OrderPricing, quoteId: string | null): OrderCost => ({
  ...{ ...price, quoteId },
  rateHeldUntil: quote?.rateHeldUntil ?? null,
  requoteUntil: quote?.requoteUntil ?? null,
  isIndicative: quote !== null && quote.made !== null,
});

/**
 * The same of an order that its reader refused: what is well-formed and not possible is a problem like
 * others, though nothing else of it was judged. A body that is not well-formed stays the refusal it is.
 */
export function validationOfRefused(refused: unknown): Validation {
  const isJudgement = refused instanceof Refusal && ERRORS[refused.code].status !== MALFORMED;
  if (!isJudgement || refused.details.length === 0) throw refused;
  return { problems: refused.details, cost: null, corridor: null, arrival: NO_WAY };
}

const MALFORMED = 400;
