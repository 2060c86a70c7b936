import type { ScopedTransaction } from '../../../db/client/database.ts';
import {
  listUnreadKycReports,
  markKycReport,
  readAppliedVersion,
} from '../../../db/parties/kyc-report-store.ts';
import type { KycReportEffect, KycReportRow } from '../../../db/parties/kyc-report-store.ts';
import { isMoreRestrictive } from '../../../domain/parties/kyc/kyc-restriction.ts';
import { isDecided } from '../../../domain/parties/kyc/kyc-states.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../../domain/scope.ts';
import { changeKyc, isOutdated, lockKyc } from './change-kyc.ts';
import type { LockedKyc } from './change-kyc.ts';
import { reportedOutcome, type KycJudging } from './reported-outcome.ts';

/** Reports judged in one transaction; more wait for the next one. */
const REPORTS_MAX = 50;

export interface AppliedReports {
  readonly status: KycStatus;
  /** Whether nothing is waited for: what else the provider may say, it says by itself. */
  readonly isOver: boolean;
  /** When the check last changed; how long to wait for the next change follows from it. */
  readonly changedAt: Date;
  /** The end-user's status, which an older round does not say. */
  readonly endUserKycStatus: KycStatus;
  readonly hasMovedEndUser: boolean;
  /** Whether the end-user was erased: then nothing is waited for any more. */
  readonly isErased: boolean;
  /** Versions of which the provider said two things. */
  readonly contradicted: readonly number[];
  /** Whether more reports may be waiting. */
  readonly hasMore: boolean;
}

/**
 * Judges the stored reports of one check. The provider's version decides which of two is newer: an
 * older one is STALE, the same one DUPLICATE, one that no legal move leads to ILLEGAL. Of two that say
 * different things of one version the more restrictive counts, whichever comes first; the other is a
 * CONTRADICTION. What two operators approved, only a newer version undoes, and only one that decides
 * otherwise; what else it says is OVERRIDDEN. Null: there is no such check.
 */
export async function applyKycReports(
  tx: ScopedTransaction,
  scope: Scope,
  ref: { readonly endUserId: string; readonly kycCheckId: string },
  judging: KycJudging,
): Promise<AppliedReports | null> {
  const found = await lockKyc(tx, scope, ref);
  if (found === null) return null;
  let kyc = found;
  const reports = await listUnreadKycReports(tx, scope, ref.kycCheckId, REPORTS_MAX);
  let applied =
    reports.length === 0
      ? { version: 0, statuses: [] }
      : await readAppliedVersion(tx, scope, ref.kycCheckId);
  const contradicted: number[] = [];

  async function judge(report: KycReportRow): Promise<KycReportEffect> {
    if (report.providerVersion < applied.version) return 'STALE';
    const isOverridden = kyc.check.overrideId !== null && kyc.check.status === 'APPROVED';
    if (report.providerVersion === applied.version) {
      if (applied.statuses.includes(report.status)) return 'DUPLICATE';
      if (isOverridden) return 'OVERRIDDEN';
      contradicted.push(report.providerVersion);
      if (!isMoreRestrictive(kyc.check.status, report.status)) return 'CONTRADICTION';
    }
    if (isOverridden && ['PENDING', 'IN_REVIEW'].includes(report.status)) return 'OVERRIDDEN';
    const target = reportedOutcome(report, judging);
    const change = await changeKyc(tx, scope, kyc, target, judging.at);
    kyc = change.kyc;
    if (change.effect === 'ILLEGAL') return 'ILLEGAL';
    const { providerVersion: version, status } = report;
    applied = {
      version,
      statuses: version === applied.version ? [...applied.statuses, status] : [status],
    };
    return change.effect;
  }

  for (const report of reports) {
    await markKycReport(tx, scope, report.id, await judge(report), judging.at);
  }
  return {
    status: kyc.check.status,
    isOver: isOver(kyc),
    changedAt: kyc.check.updatedAt,
    endUserKycStatus: kyc.endUser.kycStatus,
    hasMovedEndUser: kyc.endUser.kycStatus !== found.endUser.kycStatus,
    isErased: kyc.endUser.erasedAt !== null,
    contradicted,
    hasMore: reports.length === REPORTS_MAX,
  };
}

/** An outdated check's outcome helps no one; one that asks for data again is replaced by a new round. */
function isOver(kyc: LockedKyc): boolean {
  const { check, endUser } = kyc;
  if (isDecided(check.status)) return true;
  return (
    isOutdated(kyc) && (check.status === 'RESUBMISSION_REQUIRED' || check.round < endUser.kycRound)
  );
}
