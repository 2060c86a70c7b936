import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

/** Final deposits that were for an account or a wallet: small ones and those of payments were not. */
const OWED = `
  SELECT d.*, a.bank_account_id, a.wallet_id, a.end_user_id, o.status AS onward, o.payment_id AS paid_by,
    o.refused_code,
    EXISTS (SELECT FROM deposit_history h WHERE h.deposit_id = d.id AND h.status = 'ORPHANED') AS was_gone
  FROM deposits d JOIN deposit_addresses a ON a.id = d.deposit_address_id
    LEFT JOIN deposit_onward o ON o.deposit_id = d.id
  WHERE d.status = 'FINAL' AND num_nonnulls(a.bank_account_id, a.wallet_id) = 1
    AND (d.reason IS NULL OR d.reason = 'PAYMENT_REFUSED')`;

/** Payments that were made of a deposit: their key is one that no client can send. */
const MADE = `SELECT * FROM payments WHERE idempotency_key LIKE 'deposit·%'`;

const WRONG = `
  SELECT d.id AS subject, CASE
      WHEN d.onward IS NULL THEN 'is final, and nothing says what became of it'
      WHEN d.onward = 'PAID' THEN 'is PAID, and its payment is not the one that it buys'
      WHEN d.onward = 'DUE' THEN 'is DUE, and has a payment'
      ELSE format('is REFUSED (%s), and %s', d.refused_code,
        CASE WHEN p.id IS NULL THEN 'does not say so' ELSE 'has a payment' END) END AS problem
  FROM (${OWED}) d LEFT JOIN (${MADE}) p ON p.customer_id = d.customer_id
    AND p.environment = d.environment AND p.idempotency_key = 'deposit·' || d.id
  WHERE NOT coalesce(CASE d.onward
    WHEN 'PAID' THEN p.id = d.paid_by AND p.end_user_id = d.end_user_id
      AND (p.bank_account_id, p.wallet_id) IS NOT DISTINCT FROM (d.bank_account_id, d.wallet_id)
      AND p.source_currency = d.asset AND p.source_amount <= d.amount
    WHEN 'DUE' THEN p.id IS NULL
    WHEN 'REFUSED' THEN p.id IS NULL AND d.applied_to = 'BALANCE'
      AND (d.reason = 'PAYMENT_REFUSED' OR d.was_gone)
  END, false)`;

const OWNERLESS = `
  SELECT p.id AS subject, 'was made of a deposit that does not name it' AS problem
  FROM (${MADE}) p LEFT JOIN deposit_onward o ON o.payment_id = p.id AND o.status = 'PAID'
    AND p.idempotency_key = 'deposit·' || o.deposit_id
  WHERE o.deposit_id IS NULL`;

/**
 * I23: a final deposit to an address with an account or a wallet became exactly one payment to there, of no more than
 * came, or waits to, or is in the balance with the reason.
 */
export function depositsArePaidOn(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked FROM (${OWED}) AS owed`, [
    { sql: WRONG },
    { sql: OWNERLESS },
  ]);
}
