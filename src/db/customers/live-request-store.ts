import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** What a request for live access is about: a change of any of it makes the request OUTDATED. */
export interface LiveRequestBasis {
  /** `eu_...`, the company as an end-user of the platform account. */
  readonly companyId: string;
  /** Its `identityVersion`. */
  readonly companyVersion: number;
  /** The check that approved just this data. */
  readonly kycCheckId: string;
  readonly termsVersion: number;
}

/** A customer's request for live access, and what was decided. */
export interface LiveRequestRow extends LiveRequestBasis {
  /** `lar_...` */
  readonly id: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly decision: 'APPROVED' | 'DECLINED' | 'OUTDATED' | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** For the customer to read. */
  readonly decisionReason: string | null;
  readonly withdrawnAt: Date | null;
  /** For the customer to read. */
  readonly withdrawalReason: string | null;
}

const COLUMNS = `r.id, r.customer_id AS "customerId", c.name AS "customerName",
  r.requested_by AS "requestedBy", r.requested_at AS "requestedAt", r.company_id AS "companyId",
  r.company_version AS "companyVersion", r.kyc_check_id AS "kycCheckId",
  r.terms_version AS "termsVersion", r.decision, r.decided_by AS "decidedBy",
  r.decided_at AS "decidedAt", r.decision_reason AS "decisionReason",
  r.withdrawn_at AS "withdrawnAt", r.withdrawal_reason AS "withdrawalReason"`;
const FROM = 'FROM live_access_requests r JOIN customers c ON c.id = r.customer_id';

/** A customer's request that waits, else its last one; null where it made none. */
export async function findLastLiveRequest(
  tx: ScopedTransaction,
  scope: Scope,
): Promise<LiveRequestRow | null> {
  const rows = await tx.query<LiveRequestRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE r.customer_id = $1 AND r.environment = $2
     ORDER BY r.decision IS NULL DESC, r.id DESC LIMIT 1`,
    [scope.customerId, scope.environment],
  );
  return rows[0] ?? null;
}

/** One request of any customer; null where there is none. */
export async function findLiveRequest(
  tx: SystemTransaction,
  id: string,
): Promise<LiveRequestRow | null> {
  const rows = await tx.query<LiveRequestRow>(`SELECT ${COLUMNS} ${FROM} WHERE r.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Requests that wait for operators, of all customers, oldest first. */
export async function listWaitingLiveRequests(
  tx: SystemTransaction,
  limit: number,
): Promise<LiveRequestRow[]> {
  return tx.query<LiveRequestRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE r.decision IS NULL ORDER BY r.id LIMIT $1`,
    [limit],
  );
}

/** Stores a request; false where another one of the customer waits. */
export async function insertLiveRequest(
  tx: ScopedTransaction,
  scope: Scope,
  request: LiveRequestBasis & {
    readonly id: string;
    readonly requestedBy: string;
    readonly at: Date;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO live_access_requests (id, customer_id, environment, requested_by, requested_at,
       company_id, company_version, kyc_check_id, terms_version)
     VALUES (:id, :customerId, :environment, :requestedBy, :at, :companyId, :companyVersion,
       :kycCheckId, :termsVersion)
     ON CONFLICT (customer_id) WHERE decision IS NULL DO NOTHING RETURNING id`,
    { ...scope, ...request },
  );
  return rows.length > 0;
}

/** Closes a request that is about what is no more; the customer asks anew. */
export async function closeOutdatedLiveRequest(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE live_access_requests SET decision = 'OUTDATED', decided_at = $4
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND decision IS NULL`,
    [scope.customerId, scope.environment, id, at],
  );
}
