import type { ScopedTransaction } from '../../db/client/database.ts';
import { readRates } from '../../db/payments/fx-rate-store.ts';
import type { NewQuote } from '../../db/payments/quote-store.ts';
import { isStablecoin } from '../../domain/money/currencies.ts';
import { networkOf, railOf } from '../../domain/payments/payment-destination.ts';
import type { Scope } from '../../domain/scope.ts';
import { draftQuote } from './quotes/draft-quote.ts';
import { openFxLimit } from './quotes/fx-limit.ts';
import { openPairMoves } from './quotes/pair-moves.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import type { OrderRoute } from './order-check.ts';
import type { PaymentOrder } from './payment-order.ts';

/**
 * The shortest lock, for a balance pays in the moment in which the quote is made; a deposit has as long to be in a
 * block.
 */
const LOCK_FOR = { BALANCE: '1m', DEPOSIT: '15m' } as const;

/** Where an order says what its balance is in. */
const fieldsOf = (sourceCurrency: string) => ({
  currency: isStablecoin(sourceCurrency) ? '/sourceAsset' : '/sourceCurrency',
  amount: '/amount',
});

/** What the paying balance is in, where it differs and the order names no quote; else null. */
export function unitToQuote({ quoteId, sourceUnit, unit }: PaymentOrder): string | null {
  return quoteId !== null || sourceUnit === unit ? null : sourceUnit;
}

/**
 * Reads the rates and answers what makes the quote of an order that names none, its target side kept; null for one
 * that needs none. `network` is the wallet's; null to a bank account. It throws a Refusal where there is no quote to
 * be had.
 */
export async function openAutomaticQuotes(
  settings: PricingSettings,
  tx: ScopedTransaction,
  scope: Scope,
  orders: readonly PaymentOrder[],
  { at, isToAccept }: { readonly at: Date; readonly isToAccept: boolean },
): Promise<
  (order: PaymentOrder, route: Pick<OrderRoute, 'destination' | 'country'>) => NewQuote | null
> {
  const pairs = orders.flatMap((order) => {
    const sourceCurrency = unitToQuote(order);
    return sourceCurrency === null ? [] : [{ sourceCurrency, targetCurrency: order.unit }];
  });
  if (pairs.length === 0) return () => null;
  const legs = await readRates(tx);
  const now = { settings, environment: scope.environment, at };
  const moveOf = await openPairMoves(tx, legs, pairs, now);
  const limit = await openFxLimit(tx, scope, legs, { ...now, isToTake: isToAccept });
  return (order, { destination, country }) => {
    const sourceCurrency = unitToQuote(order);
    if (sourceCurrency === null) return null;
    const { unit: targetCurrency, amount } = order;
    const side = { fixedSide: 'TARGET', amount } as const;
    const network = destination && networkOf(destination);
    const isToBank = destination !== null && network === null;
    const asked = {
      ...{ sourceCurrency, targetCurrency, network, ...side },
      ...(isToBank && { paidOut: { rail: railOf(destination), country } }),
    };
    const fields = fieldsOf(sourceCurrency);
    const lockFor = LOCK_FOR[order.funding === null ? 'BALANCE' : 'DEPOSIT'];
    const draft = draftQuote(legs, { ...asked, lockFor }, { ...now, moveOf, fields });
    limit.take(draft, fields);
    return draft;
  };
}
