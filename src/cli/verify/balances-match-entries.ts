import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

/** Stored balances, one row an account. */
const STORED = `
  SELECT b.customer_id, b.environment, b.currency, a.account, a.amount
  FROM balances b CROSS JOIN LATERAL (VALUES
    ('available', b.available), ('reserved', b.reserved),
    ('pending', b.pending), ('receivable', b.receivable)) AS a (account, amount)`;

const RECOMPUTED = `
  SELECT customer_id, environment, currency, account, sum(amount) AS amount
  FROM ledger_entries WHERE account IN ('available', 'reserved', 'pending', 'receivable')
  GROUP BY customer_id, environment, currency, account`;

const DIFFERENT = `
  SELECT concat_ws(' ', customer_id, environment, currency, account) AS subject,
    format('stored %s, entries sum to %s', coalesce(s.amount::text, 'nothing'),
      coalesce(r.amount, 0)) AS problem
  FROM (${STORED}) s FULL JOIN (${RECOMPUTED}) r
    USING (customer_id, environment, currency, account)
  WHERE coalesce(s.amount, 0) <> coalesce(r.amount, 0) OR s.amount IS NULL`;

const OUT_OF_BOUNDS = `
  SELECT concat_ws(' ', customer_id, environment, currency) AS subject,
    format('available %s, reserved %s, pending %s, receivable %s', available, reserved, pending,
      receivable) AS problem
  FROM balances WHERE available < 0 OR reserved < 0 OR pending < 0 OR receivable > 0 OR (receivable < 0 AND available > 0)`;

/**
 * I5: stored balances are the sums of their entries; available, reserved and pending are never negative, and
 * nothing is available to who owes us.
 */
export function balancesMatchEntries(reader: Reader): Promise<Findings> {
  return reader.look('SELECT count(*) AS checked FROM balances', [
    { sql: DIFFERENT },
    { sql: OUT_OF_BOUNDS },
  ]);
}
