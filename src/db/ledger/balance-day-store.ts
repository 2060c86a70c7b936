import { dayText, startOf, type DayNumber } from '../../domain/ledger/statement-day.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { ENTRY_WALKS_CTE, LINES_OF_WALK } from '../client/entry-walks.ts';
import { rowSource } from '../client/row-source.ts';
import { timeBounds } from '../client/time-bounds.ts';

/** Where a day ends in the ledger of one currency; amounts in minor units. */
export interface BalanceDayRow {
  readonly day: DayNumber;
  /** The number of its last transaction; 0 before the first one. */
  readonly lastSeq: bigint;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly pending: bigint;
  readonly receivable: bigint;
  readonly closedAt: Date;
}

/** The ends of days that were decided before, in order. */
export async function readBalanceDays(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  currency: string,
  from: DayNumber,
  until: DayNumber,
): Promise<BalanceDayRow[]> {
  return tx.query<BalanceDayRow>(
    `SELECT day - '1970-01-01'::date AS day, last_seq AS "lastSeq", available, reserved, pending,
       receivable, closed_at AS "closedAt"
     FROM balance_days
     WHERE customer_id = $1 AND environment = $2 AND currency = $3 AND day BETWEEN $4 AND $5
     ORDER BY day`,
    [customerId, environment, currency, dayText(from), dayText(until)],
  );
}

/** When the first line on the customer's accounts was booked; null where there is none. */
export async function findFirstBooking(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  currency: string,
): Promise<Date | null> {
  const rows = await tx.query<{ at: Date }>(
    `WITH RECURSIVE ${ENTRY_WALKS_CTE}
     SELECT t.created_at AS at FROM walks CROSS JOIN LATERAL (
       SELECT seq, transaction_id FROM ledger_entries e WHERE ${LINES_OF_WALK}
       ORDER BY seq LIMIT 1) AS e
     JOIN ledger_transactions t ON t.id = e.transaction_id
     ORDER BY e.seq LIMIT 1`,
    { customerId, environment, currency },
  );
  return rows[0]?.at ?? null;
}

/** Keeps other transactions from moving the balance of a currency until this one ends. */
export async function lockBalance(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  currency: string,
): Promise<void> {
  await tx.query(
    `SELECT FROM balances WHERE customer_id = $1 AND environment = $2 AND currency = $3
     FOR NO KEY UPDATE`,
    [customerId, environment, currency],
  );
}

const ENDS = rowSource('ending', { day: 'text', createdAfter: 'timestamptz' });
const BOUND = timeBounds('ledger_transactions').createdAfter.replaceAll(
  ':createdAfter',
  'ending.created_after',
);

/** The first line of the currency that was booked when the day was over. */
const LATER = `SELECT min(first_line.seq) AS seq FROM walks CROSS JOIN LATERAL (
    SELECT e.seq FROM ledger_entries e CROSS JOIN LATERAL (
      SELECT created_at FROM ledger_transactions WHERE id = e.transaction_id LIMIT 1) AS own
    WHERE ${LINES_OF_WALK} AND e.seq > bound.first AND own.created_at >= ending.created_after
    ORDER BY e.seq LIMIT 1) AS first_line`;

const NEWEST = `SELECT coalesce(max(last_line.seq), 0) AS seq FROM walks CROSS JOIN LATERAL (
    SELECT e.seq FROM ledger_entries e WHERE ${LINES_OF_WALK} ORDER BY e.seq DESC LIMIT 1) AS last_line`;

const neighbour = (comparison: string, order: string) => `(SELECT last_seq FROM balance_days d
    WHERE d.customer_id = :customerId AND d.environment = :environment AND d.currency = :currency
      AND d.day ${comparison} ending.day::date ORDER BY d.day ${order} LIMIT 1)`;

/**
 * Decides where days end: before the first line that was booked after them. What was decided before
 * stands, and lies between its neighbours. A day with no line behind it yet is left out, for a line may
 * still be committed into it; while the caller holds the balance locked (`isLocked`) none can, and the
 * day ends with the newest line. Lines that come later belong to a later day, whatever their clocks say.
 */
export async function closeBalanceDays(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  closing: {
    readonly currency: string;
    readonly days: readonly DayNumber[];
    readonly isLocked: boolean;
    readonly at: Date;
  },
): Promise<void> {
  const { currency, days, isLocked, at } = closing;
  const endings = days.map((day) => ({ day: dayText(day), createdAfter: startOf(day + 1) }));
  await tx.query(
    `WITH RECURSIVE ${ENTRY_WALKS_CTE},
     judged AS (
       SELECT ending.day::date AS day, greatest(
           coalesce(${neighbour('<', 'DESC')}, 0),
           least(coalesce(later.seq - 1, newest.seq),
             coalesce(${neighbour('>', 'ASC')}, 9223372036854775807))) AS last_seq
       FROM ${ENDS.sql} CROSS JOIN LATERAL (SELECT ${BOUND}) AS bound
         CROSS JOIN LATERAL (${LATER}) AS later CROSS JOIN (${NEWEST}) AS newest
       WHERE later.seq IS NOT NULL OR :isLocked::boolean
     ),
     ends AS (SELECT day, max(last_seq) OVER (ORDER BY day) AS last_seq FROM judged)
     INSERT INTO balance_days (customer_id, environment, currency, day, last_seq, available, reserved,
       pending, receivable, closed_at)
     SELECT :customerId, :environment, :currency, ends.day, ends.last_seq,
       ${['available', 'reserved', 'pending', 'receivable'].map(balanceAt).join(', ')}, :at
     FROM ends ORDER BY ends.day
     ON CONFLICT DO NOTHING`,
    { customerId, environment, currency, isLocked, at, ...ENDS.values(endings) },
  );
}

/** What was on an account behind the day's last transaction. */
function balanceAt(account: string): string {
  return `coalesce((SELECT last_line.balance_after FROM walks CROSS JOIN LATERAL (
      SELECT e.seq, e.line, e.balance_after FROM ledger_entries e
      WHERE ${LINES_OF_WALK} AND e.seq <= ends.last_seq
      ORDER BY e.seq DESC, e.line DESC LIMIT 1) AS last_line
    WHERE walks.account = '${account}'
    ORDER BY last_line.seq DESC, last_line.line DESC LIMIT 1), 0)`;
}
