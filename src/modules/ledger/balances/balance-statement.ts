import type { BalanceDayRow } from '../../../db/ledger/balance-day-store.ts';
import {
  readStatementEntries,
  type StatementEntryRow,
} from '../../../db/ledger/balance-statement-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  MOVES_BETWEEN_OWN,
  shownAs,
  type BalanceTransactionType,
} from '../../../domain/ledger/balance-transaction.ts';
import { balanceTransactionId } from '../../../domain/ledger/balance-transaction-id.ts';
import { groupEntries } from '../../../domain/ledger/group-entries.ts';
import type { DayNumber } from '../../../domain/ledger/statement-day.ts';
import type { Scope } from '../../../domain/scope.ts';

/** Lines read at a time: what a statement of any length keeps in memory. */
const PAGE_LINES = 1_000;

/** One day of one currency: what was booked between two ends of days. Minor units. */
export interface BalanceStatement {
  readonly scope: Scope;
  readonly currency: string;
  readonly day: DayNumber;
  /** The end of the day before. */
  readonly opening: BalanceDayRow;
  readonly closing: BalanceDayRow;
}

/** One booking: what a transaction of the ledger added to, or took from, all that the customer has. */
export interface StatementEntry {
  readonly id: string;
  readonly type: BalanceTransactionType;
  readonly description: string;
  readonly amount: bigint;
  /** All that the customer has behind it. */
  readonly balanceAfter: bigint;
  readonly paymentId: string | null;
  readonly externalId: string | null;
  readonly reference: string | null;
  readonly bookedAt: Date;
}

/** What is the customer's in all: what is held for payments is theirs until it is paid out. */
export const bookedBalance = (day: BalanceDayRow): bigint =>
  day.available + day.reserved + day.pending + day.receivable;

/**
 * The bookings of a statement in the ledger's order, a page of them in memory. They never change, so that
 * each page is read for itself. Throws where they do not lead from the opening to the closing balance.
 */
export async function* statementEntries(
  db: Database,
  { scope, currency, opening, closing }: BalanceStatement,
): AsyncGenerator<StatementEntry, void, undefined> {
  let balance = bookedBalance(opening);
  let afterSeq = opening.lastSeq;
  for (let isOver = false; !isOver;) {
    const span = { currency, afterSeq, lastSeq: closing.lastSeq, withoutKinds: MOVES_BETWEEN_OWN };
    const lines = await db.list(scope, (tx) => readStatementEntries(tx, scope, span, PAGE_LINES));
    isOver = lines.length < PAGE_LINES;
    // The last transaction of a full page may have more lines: it is read again.
    const cut = lines.at(-1)?.seq ?? 0n;
    const whole = isOver ? lines : lines.filter(({ seq }) => seq < cut);
    for (const [first, amount] of groupEntries(whole)) {
      balance += amount;
      yield view(first, amount, balance);
    }
    afterSeq = whole.at(-1)?.seq ?? afterSeq;
  }
  if (balance !== bookedBalance(closing)) {
    throw new Error(`the statement of ${currency} does not add up`);
  }
}

function view(first: StatementEntryRow, amount: bigint, balanceAfter: bigint): StatementEntry {
  const { paymentId, externalId, reference, bookedAt } = first;
  const { type, description } = shownAs(first.kind);
  const id = balanceTransactionId(first);
  return {
    id,
    type,
    description,
    amount,
    balanceAfter,
    paymentId,
    externalId,
    reference,
    bookedAt,
  };
}
