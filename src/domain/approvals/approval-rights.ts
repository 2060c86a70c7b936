import type { OperatorRight } from '../customers/access/operator-rights.ts';
import type { ApprovalAction } from './approval.ts';

/**
 * The right that proposing, taking up, approving and refusing takes, by action. The database holds the roles
 * that have it, in `approval_actions`.
 */
export const APPROVAL_RIGHTS = {
  KYC_OVERRIDE: 'decide-reviews',
  SCREENING_RELEASE: 'decide-reviews',
  WALLET_RELEASE: 'decide-reviews',
  DEPOSIT_CLEARANCE: 'decide-reviews',
  BLOCKED_DEPOSIT: 'decide-reviews',
  OWN_ACCOUNT: 'decide-reviews',
  LATE_RETURN: 'decide-payments',
  CONFIRM_SETTLED: 'decide-payments',
  CONFIRM_FAILED: 'decide-payments',
  FX_COVER: 'decide-reconciliation',
  CREDIT_ASSIGNMENT: 'decide-reconciliation',
  CREDIT_CLOSING: 'decide-reconciliation',
  STATEMENT_SUMS: 'decide-reconciliation',
  EXCEPTION_ACT: 'decide-reconciliation',
  EXCEPTION_SET: 'decide-reconciliation',
  EXCEPTION_REVERSAL: 'decide-reconciliation',
  CUSTOMER_RESUMPTION: 'suspend-customers',
  ADDRESS: 'decide-addresses',
  REMOVE_PASSKEYS: 'decide-live-access',
  LIVE_ACCESS: 'decide-live-access',
  SIGNER_ACCOUNT_THAW: 'decide-payments',
  SIGNER_ACCOUNT_RETIRE: 'decide-payments',
  FOREIGN_NONCE: 'decide-payments',
  FOREIGN_PAYMENT: 'decide-payments',
  CHAIN_RESUMPTION: 'decide-payments',
  DUST_DEPOSITS: 'decide-payments',
} as const satisfies Readonly<Record<ApprovalAction, OperatorRight>>;
