import { openBalance } from '../../db/ledger/balance-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { insertLedgerTransactions } from '../../db/ledger/ledger-store.ts';
import { newId } from '../../db/client/new-id.ts';
import { fundingLines } from '../../domain/ledger/movements.ts';
import type { Scope } from '../../domain/scope.ts';

/** Credits a customer's available balance, opening it where there is none. Minor units. */
export async function fundBalance(
  tx: ScopedTransaction,
  scope: Scope,
  funding: { readonly currency: string; readonly amount: bigint; readonly rail: string },
  at: Date,
): Promise<void> {
  const { currency, amount, rail } = funding;
  await openBalance(tx, scope, currency);
  const lines = fundingLines(rail, { currency, minor: amount });
  const transaction = { id: newId('ltx'), kind: 'FUND', paymentId: null, lines } as const;
  await insertLedgerTransactions(tx, scope, [transaction], at);
}
