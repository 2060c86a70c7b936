import { lockAvailable, openBalance } from '../../../db/ledger/balance-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import {
  findFundingCredits,
  insertFundingCredit,
  type NewFundingCredit,
} from '../../../db/ledger/funding-credit-store.ts';
import {
  insertLedgerTransactions,
  type NewLedgerTransaction,
} from '../../../db/ledger/ledger-store.ts';
import type { Scope } from '../../../domain/scope.ts';
import { creditEvent } from './credit-event.ts';

/** A credit with the lines of the ledger transaction that it names. */
interface CreditToWrite {
  readonly credit: NewFundingCredit;
  readonly kind: 'FUND' | 'ASSIGN';
  readonly lines: NewLedgerTransaction['lines'];
}

/**
 * Credits a customer: ledger, row and event of each in the running transaction. What is in the books
 * already stays as it is, so that this may run again, or twice at once.
 */
export async function writeCredits(
  tx: ScopedTransaction,
  scope: Scope,
  wanted: readonly CreditToWrite[],
  at: Date,
): Promise<void> {
  const currencies = new Set(wanted.map(({ credit }) => credit.currency));
  for (const currency of [...currencies].sort()) {
    await openBalance(tx, scope, currency);
    // Of two at once the second one looks behind this lock, when the first one has written.
    await lockAvailable(tx, scope, currency);
  }
  const ids = wanted.map(({ credit }) => credit.id);
  const known = await findFundingCredits(tx, scope, ids);
  for (const { credit, kind, lines } of wanted) {
    if (known.has(credit.id)) continue;
    const transaction = { id: credit.ledgerTransactionId, kind, paymentId: null, lines };
    if (!(await insertLedgerTransactions(tx, scope, [transaction], at))) {
      throw new Error(`credit ${credit.id} has no balance`);
    }
    await recordEvent(tx, scope, creditEvent(await insertFundingCredit(tx, scope, credit)), at);
  }
}
