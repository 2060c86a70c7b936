import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

const FORCED = `FROM settlement_attempts a WHERE a.confirmed_by IS NOT NULL`;

/** The approval says this payment, this attempt and this outcome, it was used, and its operators are two. */
const UNAPPROVED = `
  SELECT a.reference AS subject, 'was confirmed, and two operators did not approve it' AS problem ${FORCED}
  AND NOT EXISTS (
    SELECT FROM approvals p JOIN approval_uses u ON u.approval_id = p.id
    WHERE p.id = a.confirmed_by AND p.decision = 'APPROVED' AND p.subject_id = a.payment_id
      AND p.customer_id = a.customer_id AND p.environment = a.environment
      AND p.content ->> 'reference' = a.reference AND p.proposed_by <> p.decided_by
      AND p.action = CASE WHEN a.phase = 'REJECTED' THEN 'CONFIRM_FAILED' ELSE 'CONFIRM_SETTLED' END)`;

/** History says that an operator ended it; then an attempt of it says by which approval. */
const UNCONFIRMED = `
  SELECT h.payment_id AS subject, 'an operator ended it, and no approval says so' AS problem
  FROM payment_history h
  JOIN payment_history before ON before.payment_id = h.payment_id AND before.version = h.version - 1
    AND before.status <> h.status
  WHERE h.status IN ('COMPLETED', 'FAILED') AND h.actor LIKE 'operator:%' AND NOT EXISTS (
    SELECT FROM settlement_attempts a
    WHERE a.payment_id = h.payment_id AND a.confirmed_by IS NOT NULL)`;

const RULES: readonly Rule[] = [{ sql: UNAPPROVED }, { sql: UNCONFIRMED }];

/** I15: no forced outcome without two operators. */
export function forcedOutcomesAreApproved(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked ${FORCED}`, RULES);
}
