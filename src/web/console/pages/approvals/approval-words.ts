import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import type { ApprovalAction } from '../../../../domain/approvals/approval.ts';
import type { Tone } from '../../../kit/parts/chip.tsx';

/** What each action does, for the operator who decides. */
export const ACTION_WORDS: Readonly<Record<ApprovalAction, string>> = {
  KYC_OVERRIDE: 'Change the state of a KYC check',
  SCREENING_RELEASE: 'Release a screening hit',
  WALLET_RELEASE: 'Release a wallet that is under review',
  DEPOSIT_CLEARANCE: 'Credit a deposit whose sender was reviewed',
  BLOCKED_DEPOSIT: 'Credit a deposit in suspense, or keep it there',
  LATE_RETURN: 'Settle a late return',
  CONFIRM_SETTLED: 'Confirm that the bank paid a payment',
  CONFIRM_FAILED: 'Confirm that the bank did not pay a payment, and return its funds',
  FX_COVER: 'Record a cover trade',
  CREDIT_ASSIGNMENT: 'Assign an unmatched credit to a customer',
  CREDIT_CLOSING: 'Close an unmatched credit that the bank sent back, or showed twice',
  STATEMENT_SUMS: 'Credit lines of a statement whose sums do not add up',
  EXCEPTION_ACT: 'End an exception of a statement',
  EXCEPTION_SET: 'End exceptions of one kind as rules suggest',
  EXCEPTION_REVERSAL: 'Reverse an act that ended an exception',
  OWN_ACCOUNT: 'Allow a customer to withdraw to an account',
  CUSTOMER_RESUMPTION: 'Resume a suspended customer',
  ADDRESS: 'Allow a live key to be used from an IP address range',
  LIVE_ACCESS: 'Allow a customer to move real money',
  SIGNER_ACCOUNT_THAW: 'Thaw a frozen hot address',
  SIGNER_ACCOUNT_RETIRE: 'Give up a hot address for good',
  FOREIGN_NONCE: 'Confirm that a transaction of a hot address is not one of ours',
  FOREIGN_PAYMENT: 'Say whether a transaction that the engine did not make paid a payment',
  CHAIN_RESUMPTION: 'Resume a network that took back final blocks',
  DUST_DEPOSITS: 'Make deposits of small transfers to an address',
  REMOVE_PASSKEYS: 'Remove all passkeys of a person who lost them',
};

/** Where a proposal stands. */
export function stateOf(
  approval: ApprovalRow,
  now: Date,
): { readonly tone: Tone; readonly text: string } {
  const { decision, usedAt, expiresAt, proposedBy, voidAt } = approval;
  if (decision === 'REFUSED') return { tone: 'bad', text: 'Refused' };
  if (voidAt !== null) return { tone: 'bad', text: 'Void' };
  if (usedAt !== null) return { tone: 'ok', text: 'In effect' };
  if (expiresAt <= now) return { tone: 'none', text: 'Expired' };
  if (decision === 'APPROVED') return { tone: 'wait', text: 'Approved, not in effect' };
  return proposedBy === null
    ? { tone: 'wait', text: 'From the command line' }
    : { tone: 'moving', text: 'Needs a second operator' };
}

/** Who proposed it: an operator's id, a customer's owner, or the name that was given to a command. */
export function proposerOf({ proposedBy, submittedBy }: ApprovalRow): string {
  if (proposedBy !== null) return proposedBy;
  if (submittedBy?.startsWith('user:') === true) return `${submittedBy} (an owner)`;
  return `${submittedBy ?? 'unknown'} (by command)`;
}
