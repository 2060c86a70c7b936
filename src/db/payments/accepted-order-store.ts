import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { insertFunding } from './payment-funding-store.ts';
import { insertPayments, type AcceptedOrder } from './payment-write-store.ts';
import { insertQuotes, markQuotesUsed } from './quote-store.ts';
import { insertTravelRuleRecords } from './travel-rule-store.ts';

/**
 * Writes everything of accepted orders of one scope. Answers false where the balance does not cover all of them: the
 * caller must roll back. Throws where a key was bound by another request, or a quote was used.
 */
export async function insertAcceptedOrders(
  tx: ScopedTransaction,
  scope: Scope,
  accepted: readonly AcceptedOrder[],
  at: Date,
): Promise<boolean> {
  if (accepted.length === 0) return true;
  await writeQuotes(tx, scope, accepted, at);
  for (const { funding } of accepted) {
    if (funding !== null) await insertFunding(tx, scope, funding, at);
  }
  if (!(await insertPayments(tx, scope, accepted, at))) return false;
  const records = accepted.flatMap(({ travelRuleRecord }) => travelRuleRecord ?? []);
  await insertTravelRuleRecords(tx, scope, records, at);
  return true;
}

/** Stored quotes are marked as used, those made for the payment stored. Nothing for orders without a quote. */
async function writeQuotes(
  tx: ScopedTransaction,
  scope: Scope,
  accepted: readonly AcceptedOrder[],
  at: Date,
): Promise<void> {
  const used = accepted.flatMap(({ payment, quote }) =>
    quote?.made === null ? [{ quoteId: quote.id, paymentId: payment.id }] : [],
  );
  const made = accepted.flatMap(({ payment, quote }) =>
    quote?.made ? [{ ...quote.made, paymentId: payment.id, requote: 0, replacedFees: null }] : [],
  );
  if (used.length > 0) await markQuotesUsed(tx, scope, used, at);
  if (made.length > 0) await insertQuotes(tx, scope, made);
}
