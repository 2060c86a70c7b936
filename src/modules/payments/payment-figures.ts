import type { Database, ScopedTransaction } from '../../db/client/database.ts';
import {
  keepPaymentSums,
  readPaymentSums,
  type CurrencySums,
  type PaymentSums,
} from '../../db/payments/payment-sum-store.ts';
import { dayOf, startOf, type DayNumber } from '../../domain/ledger/statement-day.ts';
import { endOf, spansOfDays, type SummedSpan } from '../../domain/payments/summed-spans.ts';
import type { Scope } from '../../domain/scope.ts';

/** What was accepted in one currency. */
export interface CurrencyFigure {
  readonly payments: bigint;
  /** What the beneficiaries were to get, in minor units. */
  readonly minor: bigint;
}

/** What was accepted on one day by UTC, whatever became of it since. */
export interface DayFigures {
  readonly day: DayNumber;
  readonly payments: bigint;
  readonly byCurrency: ReadonlyMap<string, CurrencyFigure>;
  /** Not all of the day is summed yet: the next look goes on. */
  readonly isPartial: boolean;
}

/** Spans that one look sums: a look after a long time, or the first one, sums the newest of them. */
const SPANS_SUMMED = 36;
const DAYS_SUMMED = 12;
/** Clocks of several processes differ by less than the days that are counted from today on. */
const CLOCK_DAYS = 2;

/** Reads what `completeFigures` needs, as of one moment. One statement. */
export function readFigures(
  tx: ScopedTransaction,
  scope: Scope,
  now: Date,
  days: number,
): Promise<PaymentSums> {
  const { openFrom } = spansOfDays(now, days);
  const today = dayOf(now);
  const [from, until] = [startOf(today - days + 1), startOf(today + CLOCK_DAYS)];
  return readPaymentSums(tx, scope, from, { openFrom, today: startOf(today), until });
}

/**
 * The newest `days` days by UTC, oldest first and today last. What is over and was not summed yet is
 * summed and kept; that is a transaction of its own, at most once an hour. Time before the first payment is empty.
 */
export async function completeFigures(
  db: Database,
  scope: Scope,
  { kept, open, firstAt }: PaymentSums,
  now: Date,
  days: number,
): Promise<DayFigures[]> {
  const { spans } = spansOfDays(now, days);
  const known = new Set(kept.map(keyOf));
  const firstMs = firstAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const missing = spans.filter(
    (span) => !known.has(keyOf(span)) && endOf(span).getTime() > firstMs,
  );
  const due = newestOf(missing);
  const summed =
    due.length === 0 ? [] : await db.write(scope, (tx) => keepPaymentSums(tx, scope, due, now));
  const wanted = new Set(spans.map(keyOf));
  // A day's hours stay when the day itself is summed.
  const rows = [...kept.filter((row) => wanted.has(keyOf(row))), ...summed, ...open];
  const left = missing.filter((span) => !due.includes(span)).map(({ startsAt }) => dayOf(startsAt));
  const first = dayOf(now) - days + 1;
  return Array.from({ length: days }, (_none, index) => first + index).map((day) => {
    const byCurrency = addUp(
      rows.filter(({ startsAt }) => dayOf(startsAt) === day).map(({ sums }) => sums),
    );
    const payments = [...byCurrency.values()].reduce((sum, one) => sum + one.payments, 0n);
    return { day, payments, byCurrency, isPartial: left.includes(day) };
  });
}

const keyOf = ({ startsAt, hours }: { readonly startsAt: Date; readonly hours: number }): string =>
  `${startsAt.toISOString()}/${String(hours)}`;

function newestOf(missing: readonly SummedSpan[]): readonly SummedSpan[] {
  const days = missing.filter(({ hours }) => hours > 1).slice(-DAYS_SUMMED);
  return [...days, ...missing.filter(({ hours }) => hours === 1)].slice(-SPANS_SUMMED);
}

function addUp(all: readonly CurrencySums[]): ReadonlyMap<string, CurrencyFigure> {
  const sums = new Map<string, CurrencyFigure>();
  for (const [currency, { payments, minor }] of all.flatMap((one) => Object.entries(one))) {
    const before = sums.get(currency) ?? { payments: 0n, minor: 0n };
    sums.set(currency, {
      payments: before.payments + BigInt(payments),
      minor: before.minor + BigInt(minor),
    });
  }
  return sums;
}

/** What several days come to, by currency; the one with most payments first. */
export function totalOfDays(
  days: readonly DayFigures[],
): readonly (readonly [string, CurrencyFigure])[] {
  const sums = new Map<string, CurrencyFigure>();
  for (const [currency, one] of days.flatMap(({ byCurrency }) => [...byCurrency])) {
    const before = sums.get(currency) ?? { payments: 0n, minor: 0n };
    sums.set(currency, {
      payments: before.payments + one.payments,
      minor: before.minor + one.minor,
    });
  }
  return [...sums].sort(([, one], [, other]) => Number(other.payments - one.payments));
}
