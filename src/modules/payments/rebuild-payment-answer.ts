import type { ScopedTransaction } from '../../db/client/database.ts';
import { findPayment, type PaymentRow } from '../../db/payments/payment-store.ts';
import { findFirstQuote } from '../../db/payments/quote-store.ts';
import type { PaymentFee } from '../../domain/payments/fees/payment-fee.ts';
import { feesOfQuote } from '../../domain/payments/price-order.ts';
import type { QuoteTerms } from '../../domain/payments/quotes/price-quote.ts';
import { firstRateEnd } from '../../domain/payments/quotes/requote-end.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import { firstVersion, priceFields } from './first-version.ts';
import { paymentView } from './payment-view.ts';

/** What deposits had brought then. */
const NOTHING_YET = { amountReceived: '0', status: 'AWAITED' } as const;

/**
 * The answer that accepting a payment gave, without what its end-user's erasure took: the payment at its
 * first version, as far as the row still tells.
 */
export async function rebuildPaymentAnswer(
  vault: Vault,
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): Promise<string> {
  const row = await findPayment(tx, scope, paymentId);
  if (row === null) throw new Error(`there is no payment ${paymentId}`);
  const { createdAt: at } = row;
  // The first reference is the first attempt's; a bank's own came later.
  const funding = row.funding && { ...row.funding, ...NOTHING_YET };
  const order = {
    ...row,
    ...(await firstPrice(tx, scope, row)),
    refs: row.refs.slice(0, 1),
    funding,
  };
  const payment = firstVersion(order, at);
  const history = [{ ...payment, paymentId, at }];
  // The terms of its corridor may have changed since.
  const arrival = { at: null, reason: 'NOT_RECORDED' } as const;
  return JSON.stringify(paymentView(payment, { history, arrival }, vault));
}

/**
 * What it cost then, where it was priced anew since. Where an older release priced it anew, only the last fee of its rail
 * is known.
 */
async function firstPrice(
  tx: ScopedTransaction,
  scope: Scope,
  { id, requoteUntil, quoteId, fees }: PaymentRow,
) {
  if (requoteUntil === null) return {};
  const first = await findFirstQuote(tx, scope, id);
  if (first === null) throw new Error(`payment ${id} has lost its first quote`);
  if (first.id === quoteId) return {};
  const { sourceCurrency: currency, convertedAmount: minor, rate } = first;
  const price = { source: { currency, minor }, rate, fees: first.allFees ?? withRail(first, fees) };
  return priceFields({ price, quote: { id: first.id, rateHeldUntil: firstRateEnd(requoteUntil) } });
}

function withRail(first: QuoteTerms, last: readonly PaymentFee[]): PaymentFee[] {
  const quoted = feesOfQuote(first);
  return [...quoted, ...last.filter(({ type }) => quoted.every((fee) => fee.type !== type))];
}
