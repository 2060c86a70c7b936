import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/**
 * What became of a report. Only APPLIED and UNCHANGED say the status of the provider's check; OUTDATED
 * approved data that has changed since, CONTRADICTION says less of a version than another one did,
 * OVERRIDDEN says less than two operators did.
 */
export type KycReportEffect =
  | 'APPLIED'
  | 'UNCHANGED'
  | 'OUTDATED'
  | 'DUPLICATE'
  | 'STALE'
  | 'ILLEGAL'
  | 'CONTRADICTION'
  | 'OVERRIDDEN';

/** A report of the provider before it is stored. */
export interface NewKycReport {
  readonly kycCheckId: string;
  /** Equal for the same message, however often it arrives. */
  readonly reportId: string;
  readonly status: KycStatus;
  /** The provider's own reason codes; they never leave as they are. */
  readonly reasonCodes: readonly string[];
  /** Counts the provider's changes of this check, from 1. */
  readonly providerVersion: number;
  /** Until when the provider says that its approval holds. */
  readonly expiresAt: Date | null;
  readonly receivedAt: Date;
}

export interface KycReportRow {
  readonly id: bigint;
  readonly status: KycStatus;
  readonly reasonCodes: readonly string[];
  readonly providerVersion: number;
  readonly expiresAt: Date | null;
}

/** Stores a report once and answers its row, whether this call wrote it or an earlier one did. */
export async function insertKycReport(
  tx: ScopedTransaction,
  scope: Scope,
  report: NewKycReport,
): Promise<bigint> {
  const inserted = await tx.query<{ id: bigint }>(
    `INSERT INTO kyc_reports (customer_id, environment, kyc_check_id, report_id, status, reasons,
       provider_version, expires_at, received_at)
     VALUES (:customerId, :environment, :kycCheckId, :reportId, :status, :reasons,
       :providerVersion, :expiresAt, :receivedAt)
     ON CONFLICT (kyc_check_id, report_id) DO NOTHING RETURNING id`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      kycCheckId: report.kycCheckId,
      reportId: report.reportId,
      status: report.status,
      reasons: JSON.stringify(report.reasonCodes),
      providerVersion: report.providerVersion,
      expiresAt: report.expiresAt,
      receivedAt: report.receivedAt,
    },
  );
  if (inserted[0] !== undefined) return inserted[0].id;
  const known = await tx.query<{ id: bigint }>(
    `SELECT id FROM kyc_reports
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3 AND report_id = $4`,
    [scope.customerId, scope.environment, report.kycCheckId, report.reportId],
  );
  const [row] = known;
  if (row === undefined) throw new Error(`a report on ${report.kycCheckId} is not to be found`);
  return row.id;
}

/** Reports that are not judged yet, in the provider's order. */
export async function listUnreadKycReports(
  tx: ScopedTransaction,
  scope: Scope,
  kycCheckId: string,
  limit: number,
): Promise<KycReportRow[]> {
  return tx.query<KycReportRow>(
    `SELECT id, status, reasons AS "reasonCodes", provider_version AS "providerVersion",
       expires_at AS "expiresAt"
     FROM kyc_reports
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3 AND processed_at IS NULL
     ORDER BY provider_version, id LIMIT $4`,
    [scope.customerId, scope.environment, kycCheckId, limit],
  );
}

/** How far the provider's reports have brought a check: its version, and what they said of that one. */
interface AppliedKycVersion {
  readonly version: number;
  /** More than one where the provider contradicted itself. */
  readonly statuses: readonly KycStatus[];
}

/** The newest provider version that a judged report has brought the check to; 0 before the first. */
export async function readAppliedVersion(
  tx: ScopedTransaction,
  scope: Scope,
  kycCheckId: string,
): Promise<AppliedKycVersion> {
  const rows = await tx.query<AppliedKycVersion>(
    `SELECT provider_version AS version, array_agg(status) AS statuses FROM kyc_reports
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3
       AND effect IN ('APPLIED', 'UNCHANGED', 'OUTDATED')
     GROUP BY provider_version ORDER BY provider_version DESC LIMIT 1`,
    [scope.customerId, scope.environment, kycCheckId],
  );
  return rows[0] ?? { version: 0, statuses: [] };
}

/** Closes one report with what became of it. */
export async function markKycReport(
  tx: ScopedTransaction,
  scope: Scope,
  id: bigint,
  effect: KycReportEffect,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE kyc_reports SET processed_at = $4, effect = $5
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND processed_at IS NULL`,
    [scope.customerId, scope.environment, id, at, effect],
  );
}
