import { openBalance } from '../db/balance-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import type { Scope } from '../domain/scope.ts';
import { postTransaction } from './post-transaction.ts';

/** Credits a customer's available balance, opening it where there is none. Minor units. */
export async function fundBalance(
  tx: ScopedTransaction,
  scope: Scope,
  funding: { readonly currency: string; readonly amount: bigint; readonly rail: string },
  at: Date,
): Promise<void> {
  await openBalance(tx, scope, funding.currency);
  await postTransaction(tx, scope, { kind: 'FUND', paymentId: null, ...funding }, at);
}
