import type { ScopedTransaction } from '../db/database.ts';
import { insertLedgerTransaction } from '../db/ledger-store.ts';
import { newId } from '../db/new-id.ts';
import { postingsFor, type PostingKind } from '../domain/ledger/postings.ts';
import type { Scope } from '../domain/scope.ts';

export interface LedgerTransaction {
  readonly kind: PostingKind;
  readonly paymentId: string | null;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly rail: string;
}

/**
 * Posts one transaction of a payment or a funding. Answers false, having written nothing, where the
 * customer's available balance does not cover it. A second posting of the same kind for a payment is
 * refused by the database.
 */
export function postTransaction(
  tx: ScopedTransaction,
  scope: Scope,
  { kind, paymentId, currency, amount, rail }: LedgerTransaction,
  at: Date,
): Promise<boolean> {
  const lines = postingsFor(kind, amount, rail);
  return insertLedgerTransaction(
    tx,
    scope,
    { id: newId('ltx'), kind, paymentId, currency, lines },
    at,
  );
}
