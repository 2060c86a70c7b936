import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import type { ApprovalAction } from '../../../../domain/approvals/approval.ts';
import type { Tone } from '../../../kit/parts/chip.tsx';

/** What each action does, for who decides. */
export const ACTION_WORDS: Readonly<Record<ApprovalAction, string>> = {
  KYC_OVERRIDE: 'Give a KYC check another state',
  SCREENING_RELEASE: 'Release a screening hit',
  WALLET_RELEASE: 'Let a wallet be paid whose address was under review',
  DEPOSIT_CLEARANCE: 'Let a deposit be credited whose sender was looked at',
  BLOCKED_DEPOSIT: 'Decide a deposit in suspense: credit it, or keep it for good',
  LATE_RETURN: 'Settle money that came back late',
  CONFIRM_SETTLED: 'Confirm that the bank paid a payment',
  CONFIRM_FAILED: 'Confirm that the bank did not pay a payment: its funds go back',
  FX_COVER: 'Record a cover trade',
  CREDIT_ASSIGNMENT: 'Assign an unmatched credit to a customer',
  CREDIT_CLOSING: 'Close an unmatched credit that left the bank again',
  OWN_ACCOUNT: 'Let a customer withdraw to an account',
  CUSTOMER_RESUMPTION: 'Resume a suspended customer',
  ADDRESS: 'Let a live key be used from a range of addresses',
  LIVE_ACCESS: 'Let a customer move real money',
  SIGNER_ACCOUNT_THAW: 'Let a hot address that was frozen pay again',
  SIGNER_ACCOUNT_RETIRE: 'Give a hot address up for ever',
  FOREIGN_NONCE: 'Take a transaction of a hot address for none of ours',
  FOREIGN_PAYMENT: 'Say whether a transaction that we did not make paid a payment',
  CHAIN_RESUMPTION: 'Let a network go on that took back final blocks',
  REMOVE_PASSKEYS: 'Remove all passkeys of a person who has lost them',
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
  if (expiresAt <= now) return { tone: 'none', text: 'Ran out' };
  if (decision === 'APPROVED') return { tone: 'wait', text: 'Approved, not in effect' };
  return proposedBy === null
    ? { tone: 'wait', text: 'Handed in' }
    : { tone: 'moving', text: 'Waits for a second operator' };
}

/** Who proposed it: an operator's id, a customer's owner, or the name that was given to a command. */
export function proposerOf({ proposedBy, submittedBy }: ApprovalRow): string {
  if (proposedBy !== null) return proposedBy;
  if (submittedBy?.startsWith('user:') === true) return `${submittedBy} (an owner)`;
  return `${submittedBy ?? 'unknown'} (by command)`;
}
