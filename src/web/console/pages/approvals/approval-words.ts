import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import type { Tone } from '../../../kit/parts/chip.tsx';

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
