/** The states of a KYC check and the moves between them. */
export const KYC_STATUSES = [
  'NOT_STARTED',
  'PENDING',
  'IN_REVIEW',
  'APPROVED',
  'REJECTED',
  'RESUBMISSION_REQUIRED',
  'EXPIRED',
  'REVOKED',
] as const;

export type KycStatus = (typeof KYC_STATUSES)[number];

/** The states that a check can have. NOT_STARTED is an end-user's who has no check yet. */
export type CheckStatus = Exclude<KycStatus, 'NOT_STARTED'>;

export const CHECK_STATUSES: readonly CheckStatus[] = KYC_STATUSES.filter(
  (status): status is CheckStatus => status !== 'NOT_STARTED',
);

const MOVES: Readonly<Record<KycStatus, readonly KycStatus[]>> = {
  NOT_STARTED: ['PENDING'],
  PENDING: ['IN_REVIEW'],
  IN_REVIEW: ['APPROVED', 'REJECTED', 'RESUBMISSION_REQUIRED'],
  APPROVED: ['EXPIRED', 'REVOKED', 'RESUBMISSION_REQUIRED'],
  REJECTED: [],
  RESUBMISSION_REQUIRED: ['IN_REVIEW', 'REJECTED'],
  EXPIRED: [],
  REVOKED: [],
};

export function isLegalKycMove(from: KycStatus, to: KycStatus): boolean {
  return MOVES[from].includes(to);
}

export const KYC_MOVES: readonly (readonly [KycStatus, KycStatus])[] = KYC_STATUSES.flatMap(
  (from) => MOVES[from].map((to) => [from, to] as const),
);

/** Whether the check's workflow has nothing to wait for: an outcome that only a new fact changes. */
export function isDecided(status: KycStatus): boolean {
  return ['APPROVED', 'REJECTED', 'EXPIRED', 'REVOKED'].includes(status);
}

/**
 * The moves that lead from one state to another, in order. A provider that reports only the outcome
 * has passed through the states between; each becomes a version of its own. Null: no way leads there.
 */
export function kycPath(from: KycStatus, to: KycStatus): readonly KycStatus[] | null {
  if (from === to) return [];
  if (isLegalKycMove(from, to)) return [to];
  const viaReview = isLegalKycMove(from, 'IN_REVIEW') && isLegalKycMove('IN_REVIEW', to);
  return viaReview ? ['IN_REVIEW', to] : null;
}

/** Whether a new check may be started for an end-user in this state. */
export function canStartCheck(status: KycStatus): boolean {
  return status === 'NOT_STARTED' || ['REJECTED', 'EXPIRED', 'REVOKED'].includes(status);
}

/**
 * What a KYC outcome's reason may tell the outside. Naming a sanctions hit could tip the person off,
 * which anti-money-laundering law forbids, so every such reason leaves as one code.
 */
export function publicReasonCode(code: string): string {
  return /SANCTION|WATCHLIST|PEP|ADVERSE|TERROR|FRAUD/.test(code) ? 'COMPLIANCE_DECLINED' : code;
}
