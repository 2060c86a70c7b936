import {
  closeBalanceDays,
  findFirstBooking,
  lockBalance,
  readBalanceDays,
  type BalanceDayRow,
} from '../../../db/ledger/balance-day-store.ts';
import type { Database } from '../../../db/client/database.ts';
import type { Clock } from '../../../domain/clock.ts';
import { dayOf, type DayNumber } from '../../../domain/ledger/statement-day.ts';
import type { Scope } from '../../../domain/scope.ts';

interface StatementDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** The day from which on a currency has statements: that of its first booking. Null where there is none. */
export async function firstStatementDay(
  { db }: StatementDeps,
  scope: Scope,
  currency: string,
): Promise<DayNumber | null> {
  const at = await db.list(scope, (tx) => findFirstBooking(tx, scope, currency));
  return at === null ? null : dayOf(at);
}

/**
 * The ends of all days from `from` to `until`, in order. They must be over. Those that were not asked for
 * yet are decided here and stay: only one with no booking behind it takes the balance's lock, for a moment.
 */
export async function closeDays(
  { db, clock }: StatementDeps,
  scope: Scope,
  currency: string,
  from: DayNumber,
  until: DayNumber,
): Promise<BalanceDayRow[]> {
  const days = Array.from({ length: until - from + 1 }, (_none, index) => from + index);
  const missingFrom = (rows: readonly BalanceDayRow[]) => {
    const known = new Set(rows.map(({ day }) => day));
    return days.filter((day) => !known.has(day));
  };
  const known = await db.list(scope, (tx) => readBalanceDays(tx, scope, currency, from, until));
  if (missingFrom(known).length === 0) return known;
  return db.write(scope, async (tx) => {
    const read = () => readBalanceDays(tx, scope, currency, from, until);
    const closing = { currency, at: clock.now() };
    await closeBalanceDays(tx, scope, { ...closing, days: missingFrom(known), isLocked: false });
    const left = missingFrom(await read());
    if (left.length > 0) {
      await lockBalance(tx, scope, currency);
      await closeBalanceDays(tx, scope, { ...closing, days: left, isLocked: true });
    }
    return read();
  });
}
