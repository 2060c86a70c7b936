import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

/** The resources whose every version is told, as events name them, and their tables. */
const TOLD = [
  ['payment', 'payments'],
  ['payment_batch', 'payment_batches'],
  ['end_user', 'end_users'],
  ['kyc', 'kyc_checks'],
  ['bank_account', 'bank_accounts'],
  ['funding_credit', 'funding_credits'],
] as const;

/** Counts are compared, not versions listed: one pass over the events, however many there are. */
function notOneEach(resourceType: string, table: string): Rule {
  return {
    sql: `
      SELECT coalesce(r.id, e.resource_id) AS subject,
        CASE WHEN r.id IS NULL THEN format('has %s %s events but does not exist', e.told, $1::text)
             ELSE format('is at version %s; %s events tell of %s versions, %s to %s', r.version,
               coalesce(e.told, 0), coalesce(e.versions, 0), e.first, e.last) END AS problem
      FROM ${table} r FULL JOIN (
        SELECT resource_id, count(*) AS told, count(DISTINCT resource_version) AS versions,
          min(resource_version) AS first, max(resource_version) AS last
        FROM events WHERE resource_type = $1 GROUP BY resource_id) e ON e.resource_id = r.id
      WHERE r.id IS NULL OR (e.told, e.versions, e.first, e.last)
        IS DISTINCT FROM (r.version::bigint, r.version::bigint, 1, r.version)`,
    values: [resourceType],
  };
}

function foreignScope(resourceType: string, table: string): Rule {
  return {
    sql: `
      SELECT e.id AS subject, 'belongs to another scope than ' || r.id AS problem
      FROM events e JOIN ${table} r ON r.id = e.resource_id AND e.resource_type = $1
      WHERE (e.customer_id, e.environment) <> (r.customer_id, r.environment)`,
    values: [resourceType],
  };
}

/** Written together, a version and its event carry one time and one status. */
const NOT_TOGETHER: Rule = {
  sql: `
    SELECT format('%s version %s', h.payment_id, h.version) AS subject,
      format('became %s at %s, its event tells %s at %s', h.status, h.at,
        e.body::jsonb #>> '{data,status}', e.created_at) AS problem
    FROM payment_history h JOIN events e
      ON e.resource_id = h.payment_id AND e.resource_version = h.version
      AND e.resource_type = 'payment'
    WHERE (h.at, h.status) IS DISTINCT FROM (e.created_at, e.body::jsonb #>> '{data,status}')`,
};

const RULES: readonly Rule[] = [
  ...TOLD.flatMap(([type, table]) => [notOneEach(type, table), foreignScope(type, table)]),
  NOT_TOGETHER,
];

const COUNT_VERSIONS = `
  SELECT coalesce(sum(version), 0) AS checked FROM (
    ${TOLD.map(([, table]) => `SELECT version FROM ${table}`).join(' UNION ALL ')}) AS resources`;

/** I8: exactly one event per (resource, version), and none for versions that do not exist. */
export function oneEventAVersion(reader: Reader): Promise<Findings> {
  return reader.look(COUNT_VERSIONS, RULES);
}
