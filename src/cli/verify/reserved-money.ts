import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

/** SQL: the statuses in which a payment is neither final nor COMPLETED. */
export const UNFINISHED = "('PROCESSING', 'ON_HOLD', 'SENT')";

/** Movements of a deposit name it, and it names its payment. */
const standingIn = (account: 'pending' | 'reserved'): string => `
  SELECT coalesce(t.payment_id, d.payment_id) AS payment_id, e.currency, sum(e.amount) AS amount
  FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
    LEFT JOIN deposits d ON d.id = t.deposit_id
  WHERE e.account = '${account}'
  GROUP BY coalesce(t.payment_id, d.payment_id), e.currency HAVING sum(e.amount) <> 0`;

const RESERVED = standingIn('reserved');

const OWNERLESS = `
  SELECT coalesce(r.payment_id, 'no payment') AS subject,
    format('%s: %s reserved, the payment is %s', r.currency, r.amount,
      coalesce(p.status, 'missing')) AS problem
  FROM (${RESERVED}) r LEFT JOIN payments p ON p.id = r.payment_id
  WHERE p.status IS NULL OR p.status NOT IN ${UNFINISHED}`;

const UNFUNDED = `
  SELECT p.id AS subject, format('is %s with %s reserved', p.status,
    coalesce(r.amount, 0)) AS problem
  FROM payments p LEFT JOIN (${RESERVED}) r ON r.payment_id = p.id
    LEFT JOIN payment_fundings f ON f.payment_id = p.id
  WHERE p.status IN ${UNFINISHED} AND CASE f.status WHEN 'AWAITED' THEN coalesce(r.amount, 0) <> 0
    ELSE coalesce(r.amount, 0) <= 0 END`;

/** What deposits have brought to a payment that still waits is pending, and nothing else is. */
const WAITING = `
  SELECT coalesce(w.payment_id, d.payment_id, 'no payment') AS subject,
    format('%s pending, its deposits brought %s', coalesce(w.amount, 0),
      coalesce(d.amount, 0)) AS problem
  FROM (${standingIn('pending')}) w FULL JOIN (
    SELECT f.payment_id, f.asset AS currency, sum(one.to_payment) AS amount
    FROM payment_fundings f JOIN deposits one ON one.payment_id = f.payment_id
    WHERE f.status = 'AWAITED' GROUP BY f.payment_id, f.asset HAVING sum(one.to_payment) <> 0) d
    ON d.payment_id = w.payment_id AND d.currency = w.currency
  WHERE w.amount IS DISTINCT FROM d.amount`;

/**
 * I10, the money's half: money is reserved exactly while its payment is unfinished and waits for no deposit,
 * and pending exactly while it does.
 */
export function reservedMoneyHasAPayment(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked FROM (${RESERVED}) AS reserved`, [
    { sql: OWNERLESS },
    { sql: UNFUNDED },
    { sql: WAITING },
  ]);
}
