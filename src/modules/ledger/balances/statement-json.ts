import { dayText } from '../../../domain/ledger/statement-day.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { unitOf } from '../../../domain/money/unit-of.ts';
import { bookedBalance, type BalanceStatement, type StatementEntry } from './balance-statement.ts';

/** What a statement says without its entries, as the API shows it in a list and alone. */
export function statementSummary({ currency, day, opening, closing }: BalanceStatement) {
  const format = (minor: bigint) => formatAmount(minor, currency);
  return {
    ...unitOf(currency),
    date: dayText(day),
    openingBalance: format(bookedBalance(opening)),
    closingBalance: format(bookedBalance(closing)),
    closing: {
      available: format(closing.available),
      reserved: format(closing.reserved),
      pending: format(closing.pending),
      receivable: format(closing.receivable),
    },
    closedAt: closing.closedAt.toISOString(),
  };
}

/** An entry as the API shows it. */
export function statementEntryView(entry: StatementEntry, currency: string) {
  const { amount, balanceAfter, bookedAt, ...rest } = entry;
  return {
    ...rest,
    amount: formatAmount(amount, currency),
    balanceAfter: formatAmount(balanceAfter, currency),
    bookedAt: bookedAt.toISOString(),
  };
}

/** A statement as one JSON document, piece by piece; its totals stand behind its entries. */
export async function* writeStatementJson(
  statement: BalanceStatement,
  entries: AsyncIterable<StatementEntry>,
): AsyncGenerator<string, void, undefined> {
  const { currency } = statement;
  let [count, credits, debits] = [0, 0n, 0n];
  yield `${JSON.stringify(statementSummary(statement)).slice(0, -1)},"entries":[`;
  for await (const entry of entries) {
    yield (count === 0 ? '' : ',') + JSON.stringify(statementEntryView(entry, currency));
    count += 1;
    if (entry.amount > 0n) credits += entry.amount;
    else debits += entry.amount;
  }
  const totals = {
    entryCount: count,
    totalCredits: formatAmount(credits, currency),
    totalDebits: formatAmount(debits, currency),
  };
  yield `],${JSON.stringify(totals).slice(1)}`;
}
