import type { ScopedTransaction } from '../db/database.ts';
import { readParties } from '../db/party-store.ts';
import { expectedArrival, type NoArrivalReason } from '../domain/corridors/arrival.ts';
import type { Corridor } from '../domain/corridors/corridor.ts';
import { ERRORS } from '../domain/errors/registry.ts';
import { Refusal, type Problem } from '../domain/errors/refusal.ts';
import type { Clock } from '../domain/clock.ts';
import type { Scope } from '../domain/scope.ts';
import { judgeOrders } from './judge-orders.ts';
import { costOf, type OrderCost } from './order-cost.ts';
import type { PaymentOrder } from './payment-order.ts';
import { servedIn, type CorridorDeps } from './served-corridors.ts';

/** What would become of an order if it were sent now. */
export interface Validation {
  /** All that is in its way, as POST /payments would refuse it; none where it would be accepted. */
  readonly problems: readonly Problem[];
  /** Null where the order names nothing that can be paid to the account. */
  readonly cost: OrderCost | null;
  readonly corridor: Corridor | null;
  /** Null with the reason. */
  readonly arrival:
    | { readonly at: Date; readonly reason: null }
    | { readonly at: null; readonly reason: NoArrivalReason | 'CORRIDOR_UNAVAILABLE' };
}

const NO_WAY = { at: null, reason: 'CORRIDOR_UNAVAILABLE' } as const;

/**
 * Judges an order by the code that accepts one, and does nothing: no row is written or held, no key bound,
 * no quote used. Everything can change before the payment is made; it is judged again then. Throws
 * customer_suspended.
 */
export async function validateOrder(
  deps: CorridorDeps & { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  order: PaymentOrder,
): Promise<Validation> {
  const at = deps.clock.now();
  const orders = [order];
  const parties = await readParties(tx, scope, orders, at);
  const served = servedIn(deps, scope.environment);
  const lookAtBalanceOf = 'EVERY_ORDER';
  const [judged] = await judgeOrders(tx, scope, { orders, parties, served, lookAtBalanceOf });
  if (judged === undefined) throw new Error('a judgement answers one row an order');
  const { problems, corridor, hasCost } = judged;
  const isOpen = corridor?.status === 'ACTIVE' && served.isServed(corridor.rail);
  return {
    problems,
    cost: hasCost ? costOf(order) : null,
    corridor,
    arrival: isOpen ? expectedArrival(corridor, at) : NO_WAY,
  };
}

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
