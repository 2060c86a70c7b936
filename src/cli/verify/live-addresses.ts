import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

const APPROVED = `FROM api_key_addresses a
  WHERE a.environment = 'live' AND a.status = 'APPROVED'`;

/**
 * An entry that two operators approved: their approval says this range and this key, it was used, and they
 * are two. An entry of a key that took another one's place goes back to one of those.
 */
const UNAPPROVED = `
  WITH RECURSIVE sound AS (
    SELECT e.id, e.api_key_id, e.range FROM api_key_addresses e
    JOIN approvals p ON p.id = e.approval_id AND p.action = 'ADDRESS' AND p.decision = 'APPROVED'
      AND p.subject_id = e.id AND p.customer_id = e.customer_id AND p.environment = e.environment
      AND p.content = jsonb_build_object('apiKeyId', e.api_key_id, 'range', e.range::text)
      AND operator_identity(p.proposed_by) <> operator_identity(p.decided_by)
    JOIN approval_uses u ON u.approval_id = p.id
    WHERE e.status IN ('APPROVED', 'REMOVED')
    UNION
    SELECT e.id, e.api_key_id, e.range FROM sound s
    JOIN api_key_addresses e ON e.copied_from = s.id AND e.range = s.range
    JOIN api_keys was ON was.id = s.api_key_id AND was.replaced_by = e.api_key_id
  )
  SELECT a.id AS subject, 'holds for a live key, and two operators did not approve it' AS problem
  ${APPROVED} AND NOT EXISTS (SELECT FROM sound s WHERE s.id = a.id)`;

const RULES: readonly Rule[] = [{ sql: UNAPPROVED }];

/** I15: no live address without two operators. */
export function liveAddressesAreApproved(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked ${APPROVED}`, RULES);
}
