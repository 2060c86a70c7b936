import type { Reader, Rule } from './reader.ts';
import type { Findings } from './verdict.ts';

interface Told {
  readonly resourceType: string;
  readonly table: string;
  /** When its first version and its last one were made; columns of `r`. */
  readonly made: string;
  readonly moved: string;
}

const MOVED = { made: 'r.created_at', moved: 'r.updated_at' };

/** The resources whose every version is told, as events name them, and their tables. */
const TOLD: readonly Told[] = [
  { resourceType: 'payment', table: 'payments', ...MOVED },
  {
    ...{ resourceType: 'payment_batch', table: 'payment_batches', made: 'r.created_at' },
    moved: 'coalesce(r.completed_at, r.created_at)',
  },
  { resourceType: 'end_user', table: 'end_users', ...MOVED },
  { resourceType: 'kyc', table: 'kyc_checks', ...MOVED },
  { resourceType: 'bank_account', table: 'bank_accounts', ...MOVED },
  { resourceType: 'wallet', table: 'wallets', ...MOVED },
  { resourceType: 'deposit_address', table: 'deposit_addresses', ...MOVED },
  { resourceType: 'deposit', table: 'deposits', ...MOVED },
  {
    ...{ resourceType: 'funding_credit', table: 'funding_credits', made: 'r.credited_at' },
    moved: 'coalesce(r.reversed_at, r.credited_at)',
  },
];

/**
 * Counts are compared, not versions listed: one pass over the events, however many there are. Where a
 * scope's log was pruned, only what came later is counted: of a resource from before, the versions up to the
 * last one without a gap, or none where it has not moved since.
 */
function notOneEach({ resourceType, table, made, moved }: Told): Rule {
  return {
    sql: `
      SELECT coalesce(r.id, e.resource_id) AS subject,
        CASE WHEN r.id IS NULL THEN format('has %s %s events but does not exist', e.told, $1::text)
             ELSE format('is at version %s; %s events tell of %s versions, %s to %s', r.version,
               coalesce(e.told, 0), coalesce(e.versions, 0), e.first, e.last) END AS problem
      FROM ${table} r FULL JOIN (
        SELECT resource_id, count(*) AS told, count(DISTINCT resource_version) AS versions,
          min(resource_version) AS first, max(resource_version) AS last
        FROM events LEFT JOIN event_log_floors pruned USING (customer_id, environment)
        WHERE resource_type = $1 AND created_at >= coalesce(pruned_before, '-infinity')
        GROUP BY resource_id) e ON e.resource_id = r.id
      LEFT JOIN event_log_floors f
        ON f.customer_id = r.customer_id AND f.environment = r.environment
      WHERE r.id IS NULL OR CASE
        WHEN f.pruned_before IS NULL OR ${made} >= f.pruned_before
          THEN (e.told, e.versions, e.first, e.last)
            IS DISTINCT FROM (r.version::bigint, r.version::bigint, 1, r.version)
        WHEN e.told IS NULL THEN ${moved} >= f.pruned_before
        ELSE (e.told, e.versions, e.last)
          IS DISTINCT FROM (e.versions, (e.last - e.first + 1)::bigint, r.version) END`,
    values: [resourceType],
  };
}

/** Of a payment from before its scope's log was pruned, its history knows what came later. */
const UNTOLD_SINCE_PRUNING: Rule = {
  sql: `
    SELECT format('%s version %s', h.payment_id, h.version) AS subject,
      format('became %s at %s, and no event tells it', h.status, h.at) AS problem
    FROM payment_history h JOIN payments p ON p.id = h.payment_id
    JOIN event_log_floors f ON f.customer_id = p.customer_id AND f.environment = p.environment
    WHERE p.created_at < f.pruned_before AND h.at >= f.pruned_before
      AND NOT EXISTS (SELECT FROM events e
        WHERE e.resource_id = h.payment_id AND e.resource_version = h.version)`,
};

const PRUNED_TOO_SOON: Rule = {
  sql: `
    SELECT format('%s/%s', customer_id, environment) AS subject,
      format('was pruned up to %s, less than 90 days ago', pruned_before) AS problem
    FROM event_log_floors WHERE pruned_before > now() - interval '90 days'`,
};

function foreignScope({ resourceType, table }: Told): Rule {
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
  ...TOLD.flatMap((told) => [notOneEach(told), foreignScope(told)]),
  NOT_TOGETHER,
  UNTOLD_SINCE_PRUNING,
  PRUNED_TOO_SOON,
];

const COUNT_VERSIONS = `
  SELECT coalesce(sum(version), 0) AS checked FROM (
    ${TOLD.map(({ table }) => `SELECT version FROM ${table}`).join(' UNION ALL ')}) AS resources`;

/** I8: exactly one event per (resource, version), and none for versions that do not exist. */
export function oneEventAVersion(reader: Reader): Promise<Findings> {
  return reader.look(COUNT_VERSIONS, RULES);
}
