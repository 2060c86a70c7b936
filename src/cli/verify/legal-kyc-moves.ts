import { KYC_MOVES } from '../../domain/parties/kyc/kyc-states.ts';
import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

const LEGAL_MOVES = [KYC_MOVES.map(([from]) => from), KYC_MOVES.map(([, to]) => to)];

/** A check keeps no history of its own: its events, one a version, are that. */
const STEPS = `
  SELECT resource_id, resource_version AS version, body::jsonb #>> '{data,status}' AS status,
    lag(body::jsonb #>> '{data,status}') OVER w AS old_status
  FROM events WHERE resource_type = 'kyc'
  WINDOW w AS (PARTITION BY resource_id ORDER BY resource_version)`;

const ILLEGAL = `
  SELECT format('%s version %s', resource_id, version) AS subject,
    CASE WHEN status IS NULL THEN 'its event tells no status'
         WHEN old_status IS NULL THEN format('began as %s', status)
         ELSE format('moved from %s to %s', old_status, status) END AS problem
  FROM (${STEPS}) step
  WHERE status IS NULL
    OR (version = 1 AND status <> 'PENDING')
    OR (old_status <> status AND NOT EXISTS (
      SELECT FROM unnest($1::text[], $2::text[]) AS legal (f, t)
      WHERE f = old_status AND t = status))`;

const LAST_DIFFERS = `
  SELECT c.id AS subject,
    format('is %s, its last event says %s', c.status, e.body::jsonb #>> '{data,status}') AS problem
  FROM kyc_checks c JOIN events e
    ON e.resource_id = c.id AND e.resource_version = c.version AND e.resource_type = 'kyc'
  WHERE c.status IS DISTINCT FROM e.body::jsonb #>> '{data,status}'`;

/** Payments are released by what the end-user's row says, so it must say what the check says. */
const END_USER_DIFFERS = `
  SELECT u.id AS subject,
    format('says %s in round %s, the check of that round says %s', u.kyc_status, u.kyc_round,
      coalesce(c.status, 'nothing')) AS problem
  FROM end_users u LEFT JOIN kyc_checks c ON c.end_user_id = u.id AND c.round = u.kyc_round
  WHERE u.kyc_status IS DISTINCT FROM
    CASE WHEN u.kyc_round = 0 THEN 'NOT_STARTED' ELSE c.status END`;

/** By the end too: an approval that lasts longer there would let money out that it must not. */
const END_DIFFERS = `
  SELECT u.id AS subject,
    format('says its approval ends at %s, the check of that round says %s', u.kyc_expires_at,
      c.expires_at) AS problem
  FROM end_users u JOIN kyc_checks c ON c.end_user_id = u.id AND c.round = u.kyc_round
  WHERE u.kyc_status = 'APPROVED' AND u.kyc_expires_at IS DISTINCT FROM c.expires_at`;

const RULES: readonly Rule[] = [
  { sql: ILLEGAL, values: LEGAL_MOVES },
  { sql: LAST_DIFFERS },
  { sql: END_USER_DIFFERS },
  { sql: END_DIFFERS },
];

/** I7 for KYC checks, by the statuses that their events told. */
export function legalKycMoves(reader: Reader): Promise<Findings> {
  return reader.look('SELECT count(*) AS checked FROM kyc_checks', RULES);
}
