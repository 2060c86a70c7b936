import { readAvailable } from '../../db/ledger/balance-store.ts';
import { readStoppedNetworks } from '../../db/onchain/chain-stop-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import type { Parties } from '../../db/parties/party-store.ts';
import type { Network } from '../../domain/onchain/network.ts';
import { Refusal, type Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { totalOf } from '../../domain/payments/price-order.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import type { Vault } from '../../vault/vault.ts';
import { openFundingRule } from './funding-rule.ts';
import type { OrderCheck, OrderPricing } from './order-check.ts';
import type { PaymentOrder } from './payment-order.ts';
import { priceOrders } from './price-orders.ts';
import { routeOrder } from './route-order.ts';
import { judgeSchedule } from './schedule-payment.ts';
import { openTravelRule } from './travel-rule.ts';
import { openWalletProofRule } from './wallet-proof-rule.ts';
import { servedIn, type CorridorDeps } from './served-corridors.ts';

export interface CheckDeps extends CorridorDeps {
  readonly vault: Vault;
  readonly settings: PricingSettings;
}

export interface OrdersToCheck {
  readonly orders: readonly PaymentOrder[];
  /** Of each order, in their order. */
  readonly parties: readonly Parties[];
  readonly at: Date;
  /**
   * Whether what is not refused will be accepted in this transaction: then quotes are held, and the
   * balance is told of refused orders alone, because the statement that holds the funds decides the rest.
   */
  readonly isToAccept: boolean;
}

/**
 * Checks, routes and prices orders. It finds all problems of an order at once. POST /payments accepts by it, and
 * POST /payments/validate answers it. What depends on a problem is left out: an order for another currency than
 * the account's has no price, and one without a price takes from no balance.
 */
export async function checkOrders(
  deps: CheckDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { orders, parties, at, isToAccept }: OrdersToCheck,
): Promise<readonly OrderCheck[]> {
  const mayTakeNetwork = orders.some(
    (one) => one.destination.kind === 'WALLET' || one.funding !== null,
  );
  const stopped = mayTakeNetwork ? await readStoppedNetworks(tx, scope) : new Set<Network>();
  const served = servedIn(deps, scope.environment, stopped);
  const policy = deps.networks.proofPolicy(scope.environment);
  const proofs = await openWalletProofRule(policy, tx, scope, { parties, at, isToAccept });
  const fundings = await openFundingRule(served, tx, scope, { orders, isToAccept });
  const travelRule = deps.networks.travelRule(scope.environment);
  const travel = await openTravelRule(travelRule, deps.vault, tx, scope, orders);
  const checked = orders.map((order, index) => {
    const own = parties[index];
    if (own === undefined) throw new Error('a look at the parties answers one row a payment');
    const { route, problems: inTheWay } = routeOrder(order, own, served);
    const { schedule, problems: unscheduled } = judgeSchedule(order, route, at);
    // Of a wallet that is the caller's, and an asset that it takes.
    const isToWallet = order.destination.kind === 'WALLET';
    const unproved = isToWallet && route.isPriceable ? proofs.find(order, own) : [];
    const { transfer, problems: unnamed } = route.isPriceable ? travel(order, own) : NO_TRANSFER;
    const ofFunding = fundings.find(order);
    const problems = [...inTheWay, ...unscheduled, ...unproved, ...ofFunding, ...unnamed];
    if (problems.length === 0) {
      proofs.take(order, own);
      fundings.take(order);
    }
    // A rate of today is no price of another day.
    const isPriceable =
      route.isPriceable && !unscheduled.some(({ code }) => code === 'scheduling_not_supported');
    return {
      ...{ ...UNPRICED, order, parties: own, schedule, transfer, problems },
      route: { ...route, isPriceable },
    };
  });
  const priced = await addPrices(checked, (priceable) =>
    priceOrders(deps.settings, tx, scope, priceable, at, isToAccept),
  );
  // A deposit takes nothing from a balance.
  const isLookedAt = ({ order, problems }: OrderCheck) =>
    order.funding === null && (!isToAccept || problems.length > 0);
  return addBalanceProblems(tx, scope, priced, isLookedAt);
}

const NO_TRANSFER = { transfer: null, problems: [] } as const;
const UNPRICED = { pricing: null, unpriced: null } as const;

type PriceAll = (
  priceable: readonly OrderCheck[],
) => Promise<readonly PromiseSettledResult<OrderPricing>[]>;

/** Those without a problem first: what is refused takes no quote and no limit from what is not. */
async function addPrices(
  checks: readonly OrderCheck[],
  priceAll: PriceAll,
): Promise<readonly OrderCheck[]> {
  const priceable = checks
    .filter(({ route }) => route.isPriceable)
    .sort((a, b) => Number(a.problems.length > 0) - Number(b.problems.length > 0));
  const outcomes = await priceAll(priceable);
  const priced = new Map(priceable.map((one, index) => [one, withPrice(one, outcomes[index])]));
  return checks.map((one) => priced.get(one) ?? one);
}

function withPrice(
  check: OrderCheck,
  outcome: PromiseSettledResult<OrderPricing> | undefined,
): OrderCheck {
  if (outcome?.status === 'fulfilled') return { ...check, pricing: outcome.value };
  const reason: unknown = outcome?.reason;
  if (!(reason instanceof Refusal)) throw reason;
  return { ...check, unpriced: reason, problems: [...check.problems, ...reason.details] };
}

async function addBalanceProblems(
  tx: ScopedTransaction,
  scope: Scope,
  checks: readonly OrderCheck[],
  isLookedAt: (one: OrderCheck) => boolean,
): Promise<readonly OrderCheck[]> {
  const currencies = checks.flatMap((one) =>
    one.pricing !== null && isLookedAt(one) ? [one.pricing.price.source.currency] : [],
  );
  if (currencies.length === 0) return checks;
  const available = await readAvailable(tx, scope, currencies);
  return checks.map((one) => {
    if (one.pricing === null || !isLookedAt(one)) return one;
    const { price } = one.pricing;
    const { currency } = price.source;
    const reserved = one.order.maxSourceAmount ?? totalOf(price);
    if ((available.get(currency) ?? 0n) >= reserved) return one;
    return { ...one, problems: [...one.problems, shortBalance(currency)] };
  });
}

/** Gives the parts of an order that nothing is in the way of. Throws one Refusal for all problems of another. */
export function requireAcceptable(check: OrderCheck) {
  const { parties, problems, route, pricing, unpriced, schedule, transfer } = check;
  // As it was refused, where that is all: with its own message and headers.
  if (unpriced !== null && unpriced.details.length === problems.length) throw unpriced;
  if (problems.length > 0) throw refuseProblems(problems);
  const { destination } = route;
  if (destination === null || pricing === null || schedule === null) {
    throw new Error('an order without a problem has a destination, a price and a schedule');
  }
  return { parties, destination, pricing, schedule, transfer };
}

/** That a balance does not cover what is taken from it. */
export const shortBalance = (currency: string): Problem => ({
  path: '/amount',
  code: 'insufficient_balance',
  message: `The available ${currency} balance does not cover the payment. Add funds, or reduce the amount.`,
});
