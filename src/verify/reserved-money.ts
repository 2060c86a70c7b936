import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

/** SQL: the statuses in which a payment is neither final nor COMPLETED. */
export const UNFINISHED = "('PROCESSING', 'ON_HOLD', 'SENT')";

const RESERVED = `
  SELECT t.payment_id, e.currency, sum(e.amount) AS amount
  FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
  WHERE e.account = 'reserved' GROUP BY t.payment_id, e.currency HAVING sum(e.amount) <> 0`;

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
  WHERE p.status IN ${UNFINISHED} AND coalesce(r.amount, 0) <= 0`;

/** I10, the money's half: money is reserved exactly while its payment is unfinished. */
export function reservedMoneyHasAPayment(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked FROM (${RESERVED}) AS reserved`, [
    { sql: OWNERLESS },
    { sql: UNFUNDED },
  ]);
}
