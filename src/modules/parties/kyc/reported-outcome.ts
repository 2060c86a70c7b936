import type { KycReportRow } from '../../../db/parties/kyc-report-store.ts';
import { approvalExpiry } from '../../../domain/parties/kyc/approval-expiry.ts';
import { publicReasons } from '../../../domain/parties/kyc/kyc-reasons.ts';
import type { KycTarget } from './change-kyc.ts';

/** The time by which reports are judged, and how many days our own rule lets an approval stand. */
export interface KycJudging {
  readonly at: Date;
  /** 0: without an end of ours. */
  readonly approvalDays: number;
}

/** An approval whose end has come. */
export const APPROVAL_EXPIRED: KycTarget = {
  status: 'EXPIRED',
  reasons: publicReasons(['APPROVAL_EXPIRED']),
};

/** What a check comes to by a report. An approval that is over when it is told of is EXPIRED. */
export function reportedOutcome(
  { status, reasonCodes, expiresAt: stated }: KycReportRow,
  { at, approvalDays }: KycJudging,
): KycTarget {
  const reasons = publicReasons(reasonCodes);
  if (status !== 'APPROVED') return { status, reasons };
  const expiresAt = approvalExpiry(at, approvalDays, stated);
  return expiresAt !== null && expiresAt <= at ? APPROVAL_EXPIRED : { status, reasons, expiresAt };
}
