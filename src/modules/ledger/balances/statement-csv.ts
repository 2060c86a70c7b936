import { stringify } from 'csv-stringify/sync';
import { dayText } from '../../../domain/ledger/statement-day.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { bookedBalance, type BalanceStatement, type StatementEntry } from './balance-statement.ts';
import { statementEntryView } from './statement-json.ts';

const COLUMNS = [
  ...['date', 'type', 'id', 'currency', 'amount', 'balanceAfter', 'paymentId', 'externalId'],
  ...['reference', 'description', 'bookedAt'],
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string | null>>;

/**
 * RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front (a partner's
 * partner may have chosen it); amounts are ours, and a minus is a minus.
 */
const line = (row: Row): string =>
  stringify([COLUMNS.map((name) => row[name] ?? '')], {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: {
      string: (value, { index }) => ({
        value,
        escape_formulas: COLUMNS[index] !== 'amount' && COLUMNS[index] !== 'balanceAfter',
      }),
    },
  });

/** A statement as CSV, line by line: the opening balance, its entries, the closing balance. */
export async function* writeStatementCsv(
  statement: BalanceStatement,
  entries: AsyncIterable<StatementEntry>,
): AsyncGenerator<string, void, undefined> {
  const { currency, day, opening, closing } = statement;
  const every = { date: dayText(day), currency };
  const balance = (type: string, minor: bigint) =>
    line({ ...every, type, balanceAfter: formatAmount(minor, currency) });
  yield line(Object.fromEntries(COLUMNS.map((name) => [name, name])));
  yield balance('OPENING_BALANCE', bookedBalance(opening));
  for await (const entry of entries) {
    yield line({ ...every, ...statementEntryView(entry, currency) });
  }
  yield balance('CLOSING_BALANCE', bookedBalance(closing));
}
