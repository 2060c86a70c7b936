import { isFinal, PAYMENT_MOVES, PAYMENT_STATUSES } from '../../domain/payments/payment-states.ts';
import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

/** The moves as the rules know them: the database's own table is itself checked against them. */
const LEGAL_MOVES = [PAYMENT_MOVES.map(([from]) => from), PAYMENT_MOVES.map(([, to]) => to)];
const MOVES = 'unnest($1::text[], $2::text[]) AS legal (from_status, to_status)';

const GAPS = `
  SELECT coalesce(p.id, h.payment_id) AS subject,
    CASE WHEN p.id IS NULL THEN 'has history but does not exist'
         WHEN h.payment_id IS NULL THEN 'has no history'
         ELSE format('is at version %s; history holds %s rows, %s to %s',
           p.version, h.rows, h.first, h.last) END AS problem
  FROM payments p FULL JOIN (
    SELECT payment_id, count(*) AS rows, min(version) AS first, max(version) AS last
    FROM payment_history GROUP BY payment_id) h ON h.payment_id = p.id
  WHERE p.id IS NULL OR h.payment_id IS NULL
    OR (h.rows, h.first, h.last) IS DISTINCT FROM (p.version::bigint, 1, p.version)`;

const LAST_DIFFERS = `
  SELECT p.id AS subject, format('is %s, its last version says %s',
    concat_ws('/', p.status, p.status_detail, p.funds_status, p.reconciliation_status),
    concat_ws('/', h.status, h.status_detail, h.funds_status, h.reconciliation_status)) AS problem
  FROM payments p JOIN payment_history h ON h.payment_id = p.id AND h.version = p.version
  WHERE (p.status, p.status_detail, p.funds_status, p.reconciliation_status) IS DISTINCT FROM
    (h.status, h.status_detail, h.funds_status, h.reconciliation_status)`;

const STEPS = `
  SELECT payment_id, version, status, status_detail, funds_status,
    lag(status) OVER w AS old_status, lag(status_detail) OVER w AS old_detail,
    lag(funds_status) OVER w AS old_funds
  FROM payment_history WINDOW w AS (PARTITION BY payment_id ORDER BY version)`;

const ILLEGAL = `
  SELECT format('%s version %s', payment_id, version) AS subject,
    coalesce(format('moved from %s to %s', old_status, status)) AS problem
  FROM (${STEPS}) step
  WHERE old_status <> status AND NOT EXISTS (
    SELECT FROM ${MOVES} WHERE from_status = old_status AND to_status = status)`;

const WRONG_START = `
  SELECT format('%s version 1', payment_id) AS subject, format('began as %s', status) AS problem
  FROM payment_history WHERE version = 1 AND status <> 'PROCESSING'`;

/** After a final status, and in COMPLETED until it is returned, only reconciliation may change. */
const TOUCHED_AFTER_THE_END = `
  SELECT format('%s version %s', payment_id, version) AS subject,
    format('changed from %s/%s to %s/%s after %s', old_detail, old_funds, status_detail,
      funds_status, old_status) AS problem
  FROM (${STEPS}) step
  WHERE old_status = status AND old_status = ANY ($1::text[])
    AND (old_detail, old_funds) IS DISTINCT FROM (status_detail, funds_status)`;

const TABLE_DIFFERS = `
  SELECT 'payment_moves' AS subject,
    format('%s to %s is %s', from_status, to_status,
      CASE WHEN stored.here THEN 'allowed here and by no rule' ELSE 'missing' END) AS problem
  FROM ${MOVES} FULL JOIN (SELECT *, true AS here FROM payment_moves) stored
    USING (from_status, to_status)
  WHERE stored.here IS NULL OR NOT EXISTS (
    SELECT FROM unnest($1::text[], $2::text[]) AS again (f, t)
    WHERE f = from_status AND t = to_status)`;

const SETTLED = PAYMENT_STATUSES.filter((status) => isFinal(status) || status === 'COMPLETED');

const RULES: readonly Rule[] = [
  { sql: GAPS },
  { sql: LAST_DIFFERS },
  { sql: ILLEGAL, values: LEGAL_MOVES },
  { sql: WRONG_START },
  { sql: TOUCHED_AFTER_THE_END, values: [SETTLED] },
  { sql: TABLE_DIFFERS, values: LEGAL_MOVES },
];

/** I7 for payments: only legal moves; version +1 each, no gaps; final statuses never leave. */
export function legalPaymentMoves(reader: Reader): Promise<Findings> {
  return reader.look('SELECT count(*) AS checked FROM payment_history', RULES);
}
