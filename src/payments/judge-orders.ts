import { readAvailable } from '../db/balance-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import type { Parties } from '../db/party-store.ts';
import type { Corridor } from '../domain/corridors/corridor.ts';
import type { Problem } from '../domain/errors/refusal.ts';
import { refuseProblems } from '../domain/errors/refuse-problems.ts';
import type { Scope } from '../domain/scope.ts';
import { checkOrder, type CheckedOrder } from './check-order.ts';
import type { PaymentOrder } from './payment-order.ts';
import type { ServedCorridors } from './served-corridors.ts';

export interface JudgedOrder extends CheckedOrder {
  readonly order: PaymentOrder;
  readonly parties: Parties;
}

/** An order that nothing is in the way of, as far as it was judged. */
export interface AcceptableOrder extends JudgedOrder {
  readonly corridor: Corridor;
}

export interface OrdersToJudge {
  readonly orders: readonly PaymentOrder[];
  /** Of each order, in their order. */
  readonly parties: readonly Parties[];
  readonly served: ServedCorridors;
  /**
   * Whose balance is looked at: of every order, or of those alone that have another problem, because the
   * statement that holds the funds of the rest decides it.
   */
  readonly lookAtBalanceOf: 'EVERY_ORDER' | 'REFUSED_ORDERS';
}

/**
 * Judges orders, each as if it came alone: all that is in the way of one, at once. POST /payments accepts
 * by it, and POST /payments/validate answers it. An order whose cost is not known takes from no balance.
 */
export async function judgeOrders(
  tx: ScopedTransaction,
  scope: Scope,
  { orders, parties, served, lookAtBalanceOf }: OrdersToJudge,
): Promise<readonly JudgedOrder[]> {
  const judged = orders.map((order, index) => {
    const own = parties[index];
    if (own === undefined) throw new Error('a look at the parties answers one row a payment');
    return { ...checkOrder(order, own, served), order, parties: own };
  });
  const isLookedAt = ({ hasCost, problems }: JudgedOrder) =>
    hasCost && (lookAtBalanceOf === 'EVERY_ORDER' || problems.length > 0);
  const currencies = judged.filter(isLookedAt).map(({ order }) => order.currency);
  if (currencies.length === 0) return judged;
  const available = await readAvailable(tx, scope, currencies);
  return judged.map((one) => {
    const { currency, amount } = one.order;
    const isShort = isLookedAt(one) && (available.get(currency) ?? 0n) < amount;
    return isShort ? { ...one, problems: [...one.problems, shortBalance(currency)] } : one;
  });
}

/** Narrows to an order that may be accepted. Throws one Refusal for all problems of another. */
export function requireAcceptable(judged: JudgedOrder | undefined): AcceptableOrder {
  if (judged === undefined || judged.problems.length > 0) {
    throw refuseProblems(judged?.problems ?? []);
  }
  const { corridor } = judged;
  if (corridor === null) throw new Error('an order without a problem has a corridor');
  return { ...judged, corridor };
}

/** That a balance does not cover what is taken from it. */
export const shortBalance = (currency: string): Problem => ({
  path: '/amount',
  code: 'insufficient_balance',
  message: `The available ${currency} balance does not cover the amount.`,
});
