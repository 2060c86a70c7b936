import type { ApprovalAction } from '../../domain/approvals/approval.ts';
import { applyAddress } from './apply-address.ts';
import { applyBlockedDeposit } from './apply-blocked-deposit.ts';
import { applyChainResumption } from './apply-chain-resumption.ts';
import { applyConfirmation } from './apply-confirmation.ts';
import { applyDustDeposits } from './apply-dust-deposits.ts';
import { applyCustomerResumption } from './apply-customer-resumption.ts';
import { applyDepositClearance } from './apply-deposit-clearance.ts';
import { applyKycOverride } from './apply-kyc-override.ts';
import type { ApplyApproval } from './apply-approval.ts';
import { applyException, applyExceptionReversal, applyExceptions } from './apply-exception.ts';
import { applyForeignNonce, applyForeignPayment } from './apply-foreign-nonce.ts';
import { applySignerAccountRetirement } from './apply-signer-account-retirement.ts';
import { applySignerAccountThaw } from './apply-signer-account-thaw.ts';
import { applyLateReturn } from './apply-late-return.ts';
import { applyCoverTrade } from './apply-cover-trade.ts';
import { applyCreditAssignment, applyCreditClosing } from './apply-credit.ts';
import { applyLiveAccess } from './apply-live-access.ts';
import { applyOwnAccount } from './apply-own-account.ts';
import { applyPasskeyRemoval } from './apply-passkey-removal.ts';
import { applyScreeningRelease } from './apply-screening-release.ts';
import { applyStatementSums } from './apply-statement-sums.ts';
import { applyWalletRelease } from './apply-wallet-release.ts';

export type ApprovalEffects = Readonly<Record<ApprovalAction, ApplyApproval>>;

/** What each kind of approval does. */
export const APPROVAL_EFFECTS: ApprovalEffects = {
  KYC_OVERRIDE: applyKycOverride,
  SCREENING_RELEASE: applyScreeningRelease,
  LATE_RETURN: applyLateReturn,
  CONFIRM_SETTLED: applyConfirmation,
  CONFIRM_FAILED: applyConfirmation,
  FX_COVER: applyCoverTrade,
  CREDIT_ASSIGNMENT: applyCreditAssignment,
  CREDIT_CLOSING: applyCreditClosing,
  STATEMENT_SUMS: applyStatementSums,
  EXCEPTION_ACT: applyException,
  EXCEPTION_SET: applyExceptions,
  EXCEPTION_REVERSAL: applyExceptionReversal,
  OWN_ACCOUNT: applyOwnAccount,
  ADDRESS: applyAddress,
  REMOVE_PASSKEYS: applyPasskeyRemoval,
  CUSTOMER_RESUMPTION: applyCustomerResumption,
  LIVE_ACCESS: applyLiveAccess,
  SIGNER_ACCOUNT_THAW: applySignerAccountThaw,
  WALLET_RELEASE: applyWalletRelease,
  DEPOSIT_CLEARANCE: applyDepositClearance,
  BLOCKED_DEPOSIT: applyBlockedDeposit,
  SIGNER_ACCOUNT_RETIRE: applySignerAccountRetirement,
  FOREIGN_NONCE: applyForeignNonce,
  FOREIGN_PAYMENT: applyForeignPayment,
  CHAIN_RESUMPTION: applyChainResumption,
  DUST_DEPOSITS: applyDustDeposits,
};
