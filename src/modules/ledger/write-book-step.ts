import { lockAvailable, openBalance } from '../../db/ledger/balance-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { moveDeposit, type DepositRow } from '../../db/onchain/deposit-store.ts';
import {
  insertLedgerTransactions,
  type NewLedgerTransaction,
} from '../../db/ledger/ledger-store.ts';
import { newId } from '../../db/client/new-id.ts';
import { moveFunding, type FundingRow } from '../../db/payments/payment-funding-store.ts';
import type { BookStep } from '../../domain/onchain/deposits/funding-book.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import { depositLines } from '../../domain/ledger/deposit-movements.ts';
import type { Scope } from '../../domain/scope.ts';

/**
 * Writes what a step makes of a payment's funding (null for a standing address), of deposits and of the
 * customer's balances. The caller holds the locks of the payment, the funding and its deposits; the balances are locked here, behind them.
 * A step that was written before is refused by the database. Answers the deposits as they are then.
 */
export async function writeBookStep(
  tx: ScopedTransaction,
  scope: Scope,
  funding: FundingRow | null,
  step: BookStep,
  at: Date,
): Promise<DepositRow[]> {
  const changed: DepositRow[] = [];
  for (const deposit of step.changed) changed.push(await moveDeposit(tx, scope, deposit, at));
  if (funding !== null && step.status !== null && step.status !== funding.status)
    await moveFunding(tx, scope, funding.paymentId, step.status, at);
  const [first] = step.changed;
  if (first === undefined || step.movements.length === 0) return changed;
  // A step moves one asset of one network: what goes to a payment is in the payment's own.
  const { network, asset } = first;
  await openBalance(tx, scope, asset);
  const available = (await lockAvailable(tx, scope, asset)) ?? 0n;
  const transactions = step.movements.map(
    ({ depositId, round, movement }): NewLedgerTransaction => ({
      id: newId(ID_PREFIXES.ledgerTransaction),
      kind: movement.kind,
      paymentId: null,
      deposit: { id: depositId, round },
      lines: depositLines(network, asset, movement, available),
    }),
  );
  if (!(await insertLedgerTransactions(tx, scope, transactions, at)))
    throw new Error(`deposit ${first.id}: a balance does not cover what is taken back`);
  return changed;
}
