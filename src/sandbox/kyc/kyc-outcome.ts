import { kycPath, type KycStatus } from '../../domain/parties/kyc/kyc-states.ts';

/** The states that a provider's check can be in. */
export type CheckStatus =
  | 'PENDING'
  | 'IN_REVIEW'
  | 'APPROVED'
  | 'REJECTED'
  | 'RESUBMISSION_REQUIRED'
  | 'REVOKED'
  | 'EXPIRED';

export interface CheckReason {
  /** UPPER_CASE, an open set. */
  readonly code: string;
  /** For developers; holds no personal data. */
  readonly message: string;
  readonly retryable: boolean;
}

/** Which way a sandbox check goes: all that is kept of the last name it was started with. */
export type CheckOutcome = 'APPROVE' | 'REJECT' | 'RESUBMIT' | 'REVIEW' | 'REVOKE';

interface CheckMove {
  readonly status: CheckStatus;
  readonly reasons: readonly CheckReason[];
}

const OUTCOME_BY_LAST_NAME: ReadonlyMap<string, CheckOutcome> = new Map([
  ['Approve', 'APPROVE'],
  ['Reject', 'REJECT'],
  ['Resubmit', 'RESUBMIT'],
  ['Review', 'REVIEW'],
  ['Revoke', 'REVOKE'],
]);

const IN_REVIEW: CheckMove = { status: 'IN_REVIEW', reasons: [] };
const APPROVED: CheckMove = { status: 'APPROVED', reasons: [] };
const REJECTED = decided(
  'REJECTED',
  'IDENTITY_NOT_VERIFIED',
  'the identity could not be verified',
  false,
);
const RESUBMISSION_REQUIRED = decided(
  'RESUBMISSION_REQUIRED',
  'DOCUMENT_UNREADABLE',
  'a document cannot be read',
  true,
);
const REVOKED = decided('REVOKED', 'APPROVAL_WITHDRAWN', 'the approval was withdrawn', false);
const EXPIRED = decided('EXPIRED', 'APPROVAL_EXPIRED', 'the approval is over', false);

/** The moves after PENDING, in order; a check without a further one stays where it is. */
const MOVES: Readonly<Record<CheckOutcome, readonly CheckMove[]>> = {
  APPROVE: [IN_REVIEW, APPROVED],
  REJECT: [IN_REVIEW, REJECTED],
  RESUBMIT: [IN_REVIEW, RESUBMISSION_REQUIRED],
  REVIEW: [IN_REVIEW],
  REVOKE: [IN_REVIEW, APPROVED, REVOKED],
};

const MOVE_TO: ReadonlyMap<KycStatus, CheckMove> = new Map(
  [IN_REVIEW, APPROVED, REJECTED, RESUBMISSION_REQUIRED, REVOKED, EXPIRED].map((move) => [
    move.status,
    move,
  ]),
);

/** The moves that lead from one status to another; none where it is the same. Null: no way leads there. */
export function movesBetween(from: CheckStatus, to: CheckStatus): readonly CheckMove[] | null {
  return kycPath(from, to)?.flatMap((status) => MOVE_TO.get(status) ?? []) ?? null;
}

/** Reads a status that a check can be moved to; null where it is none. */
export const readMovedStatus = (text: unknown): CheckStatus | null =>
  [...MOVE_TO.values()].find(({ status }) => status === text)?.status ?? null;

/** Case-sensitive; any other name approves. */
export function outcomeOf(lastName: string): CheckOutcome {
  return OUTCOME_BY_LAST_NAME.get(lastName) ?? 'APPROVE';
}

/** What the end-user is asked for on the other side's page, of a person and of a business. */
export const DOCUMENTS_ASKED = {
  INDIVIDUAL: ['IDENTITY', 'PROOF_OF_ADDRESS'],
  BUSINESS: ['COMPANY_REGISTER', 'IDENTITY'],
} as const;

/** Where a check goes that has documents: one that was to be asked for them is approved. */
export function outcomeWith(documents: number, outcome: CheckOutcome): CheckOutcome {
  return outcome === 'RESUBMIT' && documents > 0 ? 'APPROVE' : outcome;
}

/** The move that follows the given status, or null when the check stays there. */
export function nextMove(outcome: CheckOutcome, status: CheckStatus): CheckMove | null {
  const moves = MOVES[outcome];
  return moves[moves.findIndex((move) => move.status === status) + 1] ?? null;
}

function decided(
  status: CheckStatus,
  code: string,
  message: string,
  retryable: boolean,
): CheckMove {
  return { status, reasons: [{ code, message, retryable }] };
}
