import type { ApprovalRow } from '../../../db/approval-store.ts';
import type { ApprovalAction } from '../../../domain/approvals/approval.ts';
import type { Tone } from '../../../web/parts/chip.tsx';

/** What each action does, for who decides. */
export const ACTION_WORDS: Readonly<Record<ApprovalAction, string>> = {
  KYC_OVERRIDE: 'Give a KYC check another state',
  SCREENING_RELEASE: 'Release a screening hit',
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

/** Who proposed it: an operator's id, or the name that was given to a command. */
export const proposerOf = ({ proposedBy, submittedBy }: ApprovalRow): string =>
  proposedBy ?? `${submittedBy ?? 'somebody'} (by command)`;
