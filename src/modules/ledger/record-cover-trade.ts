import { insertCoverTrade } from '../../db/ledger/cover-trade-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { insertLedgerTransactions } from '../../db/ledger/ledger-store.ts';
import { newId } from '../../db/client/new-id.ts';
import { coverLines, type CoverTrade } from '../../domain/payments/fx/cover-trade.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';

/**
 * Records a cover trade of the platform account with its ledger transaction, and answers its id; null where its
 * reference was recorded before. The database refuses it without the approval of two operators.
 */
export async function recordCoverTrade(
  tx: ScopedTransaction,
  platform: Scope,
  trade: CoverTrade,
  at: Date,
): Promise<string | null> {
  const id = newId(ID_PREFIXES.coverTrade);
  const transactionId = newId(ID_PREFIXES.ledgerTransaction);
  if (!(await insertCoverTrade(tx, platform, { ...trade, id, transactionId, at }))) return null;
  const moved = { id: transactionId, kind: 'COVER', paymentId: null } as const;
  await insertLedgerTransactions(tx, platform, [{ ...moved, lines: coverLines(trade) }], at);
  return id;
}
