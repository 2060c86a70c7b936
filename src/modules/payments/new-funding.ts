import type { NewFunding } from '../../db/payments/payment-funding-store.ts';
import { forwarderAddress } from '../../domain/onchain/create2.ts';
import type { ShownFunding } from '../../domain/onchain/deposits/shown-funding.ts';
import { totalOf } from '../../domain/payments/price-order.ts';
import { expiryOf } from '../../domain/payments/quotes/lock-times.ts';
import type { Scope } from '../../domain/scope.ts';
import type { OrderPricing } from './order-check.ts';
import type { PaymentOrder } from './payment-order.ts';

/** What of a payment that is being accepted decides what it waits for. */
interface FundingTerms {
  readonly scope: Scope;
  /** The payment's. */
  readonly id: string;
  readonly pricing: OrderPricing;
  /** Of the environment; null where it has no network. */
  readonly factory: string | null;
  readonly at: Date;
}

/** How long a deposit without a quote has to be in a block: as long as it would have with one. */
const WITHOUT_QUOTE = '15m';

/**
 * What a payment waits for that an order asks a deposit to pay for; null where its balance pays it. The address is
 * the payment's alone: it follows from the environment and the id, and no key opens it.
 */
export function newFunding(
  { funding }: PaymentOrder,
  { scope, id, pricing: { price, quote }, factory, at }: FundingTerms,
): NewFunding | null {
  if (funding === null) return null;
  if (factory === null)
    throw new Error('a checked order is paid over a network of the environment');
  const { asset, network } = funding;
  return {
    ...{ paymentId: id, asset, network },
    address: forwarderAddress(factory, scope.environment, id),
    amountDue: totalOf(price),
    expiresAt: quote?.expiresAt ?? expiryOf(at, WITHOUT_QUOTE),
    refundWalletId: funding.refundWalletId,
  };
}

/** The same as the payment's first version shows it. */
export const shownFunding = (funding: NewFunding): ShownFunding => ({
  ...{ asset: funding.asset, network: funding.network, address: funding.address },
  amountDue: funding.amountDue.toString(),
  amountReceived: '0',
  expiresAt: funding.expiresAt.toISOString(),
  refundWalletId: funding.refundWalletId,
  status: 'AWAITED',
});
