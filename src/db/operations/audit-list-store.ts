import { SHOWN_OPERATOR_ACTS } from '../../domain/customers/access/shown-operator-acts.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Environment } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { isStatementTimeout, SlowList } from '../client/outage.ts';

/** An entry of the audit log, as a customer is shown it: without what operators wrote about it. */
export interface AuditRow {
  readonly seq: bigint;
  readonly at: Date;
  /** As `actorText` writes it. */
  readonly actor: string;
  readonly action: string;
  /** Null: of the whole company, or of all. */
  readonly environment: Environment | null;
  readonly subject: string;
  /** Of a user, sealed for the row of its name; null for every other actor. */
  readonly userName: Buffer | null;
}

export interface AuditFilter {
  /** Whose acts: the beginning of the actor's text. */
  readonly by?: 'user' | 'operator';
  /** The beginning of the action: `webhook_endpoint.` for all about endpoints. */
  readonly action?: string;
  readonly subject?: string;
}

const COLUMNS = `a.id AS seq, a.at, a.actor, a.action, a.environment, a.subject, u.name AS "userName"`;
const USER = `LEFT JOIN users u ON u.customer_id = a.customer_id AND 'user:' || u.id = a.actor`;
const FILTERS = `(:before::bigint IS NULL OR a.id < :before)
  AND (:by::text IS NULL OR starts_with(a.actor, :by || ':'))
  AND (:action::text IS NULL OR starts_with(a.action, :action))
  AND (:subject::text IS NULL OR a.subject = :subject)`;
const NEWEST = 'ORDER BY a.id DESC LIMIT :rows';

const valuesOf = ({ by, action, subject }: AuditFilter, { before, limit }: PageRequest) => ({
  ...{ before, rows: limit + 1, by: by ?? null, action: action ?? null },
  subject: subject ?? null,
});

/**
 * What a customer's users did and operators did about it, newest first. Of operators' acts only those that
 * are named for it are shown; the database's policy leaves the others out as well.
 */
export async function listOwnAudit(
  tx: ScopedTransaction,
  customerId: string,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditRow>> {
  const rows = await tx.query<AuditRow>(
    `SELECT ${COLUMNS} FROM audit_log a ${USER}
     WHERE a.customer_id = :customerId AND (a.actor LIKE 'user:%' OR (a.actor LIKE 'operator:%'
         AND a.action = ANY (:shown)))
       AND ${FILTERS} ${NEWEST}`,
    { customerId, shown: [...SHOWN_OPERATOR_ACTS], ...valuesOf(filter, page) },
  );
  return toPage(rows, page.limit);
}

/** The same as operators see it. */
export interface FullAuditRow extends AuditRow {
  readonly customerId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Of an operator who has an account, sealed for the row of its name. */
  readonly operatorName: Buffer | null;
}

/** A filter that nothing passes reads the whole log: it is given up after that. */
const LIST_MS = 2_000;

/** The audit log of every customer, or of one, newest first. Throws SlowList after 2 s. */
export async function listAudit(
  tx: SystemTransaction,
  filter: AuditFilter & { readonly customerId?: string },
  page: PageRequest,
): Promise<Page<FullAuditRow>> {
  await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [String(LIST_MS)]);
  const rows = await tx
    .query<FullAuditRow>(
      `SELECT ${COLUMNS}, a.customer_id AS "customerId", a.details, o.name AS "operatorName"
     FROM audit_log a ${USER} LEFT JOIN operators o ON 'operator:' || o.id = a.actor
     WHERE (:customerId::text IS NULL OR a.customer_id = :customerId) AND ${FILTERS} ${NEWEST}`,
      { customerId: filter.customerId ?? null, ...valuesOf(filter, page) },
    )
    .catch((error: unknown) => {
      throw isStatementTimeout(error) ? new SlowList({ cause: error }) : error;
    });
  return toPage(rows, page.limit);
}
