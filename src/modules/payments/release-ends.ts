import type { FailureCode } from '../../domain/payments/failures/failure-catalogue.ts';
import { reasonNamed } from '../../domain/payments/failures/rail-reasons.ts';
import type { PaymentChange } from '../../domain/payments/payment.ts';
import { APPROVAL_MAX_MS } from '../../domain/payments/limits/payment-limit.ts';
import type { StatusDetail } from '../../domain/payments/payment-states.ts';
import {
  COMPLIANCE_REVIEW_MAX_MS,
  KYC_WITHDRAWN_MAX_MS,
} from '../../domain/payments/settlement-timing.ts';
import { TRAVEL_RULE_MAX_MS } from '../../domain/payments/travel-rule/travel-rule-policy.ts';

/** How the wait for a release ends where nothing lifts what is in the way. */
export interface ReleaseEnd {
  /** Milliseconds of waiting after which it ends. */
  readonly afterMs: number;
  /** What the closed attempt says. */
  readonly reason: StatusDetail;
  readonly change: PaymentChange;
}

const failed = (statusDetail: StatusDetail, code: FailureCode): PaymentChange => ({
  status: 'FAILED',
  statusDetail,
  fundsStatus: 'BACK_IN_BALANCE',
  hasOpenAttempt: false,
  failure: reasonNamed(code),
  movements: [{ kind: 'RELEASE' }],
});

const KYC_FAILED = failed('KYC_WITHDRAWN', 'kyc_withdrawn');

/** The same whether operators refused or did not decide, and no matter who was looked up: no one is told more. */
const COMPLIANCE_FAILED = failed('COMPLIANCE_DECLINED', 'compliance_declined');

const TRAVEL_RULE_FAILED = failed('TRAVEL_RULE_REJECTED', 'travel_rule_rejected');

/** It stays disabled, and a payment that the bank knows of cannot be canceled. */
const disabledOf = (problem: StatusDetail): ReleaseEnd => ({
  ...{ afterMs: 0, reason: problem },
  change: failed(problem, 'destination_disabled'),
});

const ENDS: Readonly<Partial<Record<StatusDetail, ReleaseEnd>>> = {
  KYC_WITHDRAWN: { afterMs: KYC_WITHDRAWN_MAX_MS, reason: 'KYC_WITHDRAWN', change: KYC_FAILED },
  COMPLIANCE_REVIEW: {
    afterMs: COMPLIANCE_REVIEW_MAX_MS,
    reason: 'COMPLIANCE_DECLINED',
    change: COMPLIANCE_FAILED,
  },
  TRAVEL_RULE: {
    afterMs: TRAVEL_RULE_MAX_MS,
    reason: 'TRAVEL_RULE_REJECTED',
    change: TRAVEL_RULE_FAILED,
  },
  CUSTOMER_APPROVAL: {
    ...{ afterMs: APPROVAL_MAX_MS, reason: 'APPROVAL_EXPIRED' },
    change: failed('APPROVAL_EXPIRED', 'approval_expired'),
  },
  QUOTE_EXPIRED: {
    ...{ afterMs: 0, reason: 'QUOTE_EXPIRED' },
    change: failed('QUOTE_EXPIRED', 'quote_expired'),
  },
  TRAVEL_RULE_REJECTED: { afterMs: 0, reason: 'TRAVEL_RULE_REJECTED', change: TRAVEL_RULE_FAILED },
  COMPLIANCE_DECLINED: {
    afterMs: 0,
    reason: 'COMPLIANCE_DECLINED',
    change: COMPLIANCE_FAILED,
  },
};

/** Problems that nothing lifts: a disabled account stays disabled, and so does a wallet. */
const LASTING: ReadonlySet<StatusDetail> = new Set(['BANK_ACCOUNT_DISABLED', 'WALLET_NOT_ACTIVE']);

export const isLasting = (problem: StatusDetail): boolean => LASTING.has(problem);

/**
 * Null for what a payment waits for without end. `mayBankKnow`: an attempt of it has left or ended, so that its customer
 * cannot cancel it.
 */
export function releaseEndOf(problem: StatusDetail, mayBankKnow: boolean): ReleaseEnd | null {
  if (isLasting(problem)) return mayBankKnow ? disabledOf(problem) : null;
  return ENDS[problem] ?? null;
}
