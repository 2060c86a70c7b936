import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

/**
 * What rows say that people did: whose act, when, about what, and by which names the audit log may call it.
 * Rows that do not say who it was are left out.
 */
const ACTS = `
  SELECT created_by AS actor, created_at AS at, id AS subject, '{api_key.created}'::text[] AS actions
  FROM api_keys WHERE created_by ~ '^(user|operator):'
  UNION ALL
  SELECT next.created_by, NULL, was.id, '{api_key.rotated}'
  FROM api_keys was JOIN api_keys next ON next.id = was.replaced_by
  WHERE next.created_by ~ '^(user|operator):'
  UNION ALL
  SELECT NULL, revoked_at, id, '{api_key.revoked}'
  FROM api_keys WHERE created_by ~ '^(user|operator):' AND revoked_at IS NOT NULL
  UNION ALL
  SELECT requested_by, created_at, id, '{key_address.proposed,key_address.added}'
  FROM api_key_addresses WHERE requested_by ~ '^(user|operator):' AND copied_from IS NULL
  UNION ALL
  SELECT NULL, decided_at, id, '{key_address.approved}'
  FROM api_key_addresses WHERE approval_id IS NOT NULL AND copied_from IS NULL
  UNION ALL
  SELECT removed_by, removed_at, id, '{key_address.removed}'
  FROM api_key_addresses WHERE removed_by ~ '^(user|operator):'
  UNION ALL
  SELECT 'operator:' || proposed_by, coalesce(taken_up_at, proposed_at), id,
    CASE WHEN taken_up_at IS NULL THEN '{approval.propose}'::text[] ELSE '{approval.take_up}' END
  FROM approvals WHERE proposed_by ~ '^opr_'
  UNION ALL
  SELECT 'operator:' || decided_by, decided_at, id,
    CASE decision WHEN 'APPROVED' THEN '{approval.approve}'::text[] ELSE '{approval.refuse}' END
  FROM approvals WHERE decided_by ~ '^opr_' AND decided_at < expires_at
  UNION ALL
  SELECT 'operator:' || decided_by, decided_at, id, ARRAY['access_request.' || lower(status)]
  FROM access_requests WHERE decided_by IS NOT NULL
  UNION ALL
  SELECT decided_by, decided_at, payment_id,
    CASE decision WHEN 'APPROVED' THEN '{payment.approve}'::text[] ELSE '{payment.decline}' END
  FROM payment_limit_checks WHERE decided_by IS NOT NULL
  UNION ALL
  SELECT 'user:' || requested_by, requested_at, id, '{live_access.request}' FROM live_access_requests
  UNION ALL
  SELECT 'operator:' || decided_by, decided_at, id, '{live_access.decline}'
  FROM live_access_requests WHERE decision = 'DECLINED'`;

const NOT_AUDITED = `
  SELECT subject, 'a person did ' || array_to_string(actions, ' or ') || ', and no row of the audit log says so'
    AS problem
  FROM (${ACTS}) act WHERE NOT EXISTS (
    SELECT FROM audit_log a WHERE a.subject = act.subject AND a.action = ANY (act.actions)
      AND a.actor = coalesce(act.actor, a.actor) AND a.at = coalesce(act.at, a.at))`;

const RULES: readonly Rule[] = [{ sql: NOT_AUDITED }];

/**
 * I18: each act of a person has its audit row, in its transaction: the row has the act's own moment. Of keys,
 * addresses, approvals, requests for access and for live access, whose rows say who did it.
 */
export function actsAreAudited(reader: Reader): Promise<Findings> {
  return reader.look(`SELECT count(*) AS checked FROM (${ACTS}) act`, RULES);
}
