import { readAvailable } from '../../db/ledger/balance-store.ts';
import { readStoppedNetworks } from '../../db/onchain/chain-stop-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import type { Parties } from '../../db/parties/party-store.ts';
import { lockQuotes, readQuotes } from '../../db/payments/quote-store.ts';
import type { Network } from '../../domain/onchain/network.ts';
import { Refusal, type Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { totalOf } from '../../domain/payments/price-order.ts';
import type { Scope } from '../../domain/scope.ts';
import type { TravelTransfer } from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import type { Vault } from '../../vault/vault.ts';
import { checkOrder } from './check-order.ts';
import { openFundingRule } from './funding-rule.ts';
import type { CheckedOrder } from './checked-order.ts';
import type { PaymentOrder } from './payment-order.ts';
import { priceOrders, type CostlyOrder, type PricedOrder } from './price-orders.ts';
import { judgeSchedule, type PaymentSchedule } from './schedule-payment.ts';
import { openTravelRule } from './travel-rule.ts';
import { openWalletProofRule } from './wallet-proof-rule.ts';
import { servedIn, type CorridorDeps } from './served-corridors.ts';

export interface JudgeDeps extends CorridorDeps {
  readonly vault: Vault;
  readonly settings: PricingSettings;
}

/** An order and all that is in its way. Price and quote are null where it has none. */
export interface JudgedOrder extends CheckedOrder {
  readonly order: PaymentOrder;
  readonly parties: Parties;
  readonly price: PricedOrder['price'] | null;
  readonly quote: PricedOrder['quote'];
  /** Who sends it to whom, as it goes with a transfer to a wallet; null where nothing goes with it. */
  readonly transfer: TravelTransfer | null;
  /** Why it has no price; among the problems too. */
  readonly unpriced: Refusal | null;
  /** When it may leave; null where its day is among the problems, or its rail is not known. */
  readonly schedule: PaymentSchedule | null;
}

/** An order that nothing is in the way of, as far as it was judged. */
export interface AcceptableOrder extends JudgedOrder {
  readonly rail: string;
  readonly price: PricedOrder['price'];
  readonly schedule: PaymentSchedule;
}

export interface OrdersToJudge {
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
 * Judges orders: all that is in the way of one, at once. POST /payments accepts by it, and POST
 * /payments/validate answers it. What depends on a problem is left out: an order for another currency than
 * the account's has no price, and one without a price takes from no balance.
 */
export async function judgeOrders(
  deps: JudgeDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { orders, parties, at, isToAccept }: OrdersToJudge,
): Promise<readonly JudgedOrder[]> {
  const mayTakeNetwork = orders.some((one) => one.walletId !== null || one.funding !== null);
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
    const one = checkOrder(order, own, served);
    const { schedule, problems } = judgeSchedule(order, one, at);
    // Of a wallet that is the caller's, and an asset that it takes.
    const unproved = order.walletId !== null && one.hasCost ? proofs.find(order, own) : [];
    const { transfer, problems: unnamed } = one.hasCost ? travel(order, own) : NO_TRANSFER;
    const found = [...one.problems, ...problems, ...unproved, ...fundings.find(order), ...unnamed];
    if (found.length === 0) {
      proofs.take(order, own);
      fundings.take(order);
    }
    return {
      ...{ ...UNPRICED, ...one, order, parties: own, schedule, transfer },
      problems: found,
      // A rate of today is no price of another day.
      hasCost: one.hasCost && !problems.some(({ code }) => code === 'scheduling_not_supported'),
    };
  });
  const find = isToAccept ? lockQuotes : readQuotes;
  const judged = await judgePrices(checked, (costly) =>
    priceOrders(deps.settings, tx, scope, costly, at, find),
  );
  // A deposit takes nothing from a balance.
  const isLookedAt = ({ order, problems }: JudgedOrder) =>
    order.funding === null && (!isToAccept || problems.length > 0);
  return judgeBalances(tx, scope, judged, isLookedAt);
}

const NO_TRANSFER = { transfer: null, problems: [] } as const;
const UNPRICED = { price: null, quote: null, unpriced: null } as const;

type PriceAll = (
  costly: readonly CostlyOrder[],
) => Promise<readonly PromiseSettledResult<PricedOrder>[]>;

/** Those without a problem first: what is refused takes no quote and no limit from what is not. */
async function judgePrices(
  checked: readonly JudgedOrder[],
  priceAll: PriceAll,
): Promise<readonly JudgedOrder[]> {
  const costly = checked
    .filter(({ hasCost }) => hasCost)
    .sort((a, b) => Number(a.problems.length > 0) - Number(b.problems.length > 0));
  const prices = await priceAll(
    costly.map(({ order, rail, parties: { country } }) => {
      return { order, rail: rail ?? '', country: country ?? '' };
    }),
  );
  const judged = new Map(costly.map((one, index) => [one, withPrice(one, prices[index])]));
  return checked.map((one) => judged.get(one) ?? one);
}

function withPrice(
  one: JudgedOrder,
  outcome: PromiseSettledResult<PricedOrder> | undefined,
): JudgedOrder {
  if (outcome?.status === 'fulfilled') {
    return { ...one, price: outcome.value.price, quote: outcome.value.quote };
  }
  const reason: unknown = outcome?.reason;
  if (!(reason instanceof Refusal)) throw reason;
  return { ...one, unpriced: reason, problems: [...one.problems, ...reason.details] };
}

async function judgeBalances(
  tx: ScopedTransaction,
  scope: Scope,
  judged: readonly JudgedOrder[],
  isLookedAt: (one: JudgedOrder) => boolean,
): Promise<readonly JudgedOrder[]> {
  const currencies = judged.flatMap((one) =>
    one.price !== null && isLookedAt(one) ? [one.price.source.currency] : [],
  );
  if (currencies.length === 0) return judged;
  const available = await readAvailable(tx, scope, currencies);
  return judged.map((one) => {
    if (one.price === null || !isLookedAt(one)) return one;
    const { currency } = one.price.source;
    if ((available.get(currency) ?? 0n) >= totalOf(one.price)) return one;
    return { ...one, problems: [...one.problems, shortBalance(currency)] };
  });
}

/** Narrows to an order that may be accepted. Throws one Refusal for all problems of another. */
export function requireAcceptable(judged: JudgedOrder | undefined): AcceptableOrder {
  if (judged === undefined) throw new Error('a judgement answers one row an order');
  const { problems, rail, price, unpriced, schedule } = judged;
  // As it was refused, where that is all: with its own message and headers.
  if (unpriced !== null && unpriced.details.length === problems.length) throw unpriced;
  if (problems.length > 0) throw refuseProblems(problems);
  if (rail === null || price === null || schedule === null) {
    throw new Error('an order without a problem has a rail, a price and a schedule');
  }
  return { ...judged, rail, price, schedule };
}

/** That a balance does not cover what is taken from it. */
export const shortBalance = (currency: string): Problem => ({
  path: '/amount',
  code: 'insufficient_balance',
  message: `The available ${currency} balance does not cover the payment.`,
});
