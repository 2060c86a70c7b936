import type { ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import type { TimelineStep } from '../../../kit/parts/timeline.tsx';
import { moment } from '../../parts/moments.ts';

/** Who proposed, took up and decided it, why, and whether it is in effect. */
export function stepsOf(approval: ApprovalRow): readonly TimelineStep[] {
  const { submittedBy, proposedBy, decision, decidedBy, decidedAt, takenUpAt } = approval;
  const isHandedIn = submittedBy !== null;
  const first = isHandedIn ? `Submitted by ${submittedBy}` : `Proposed by ${proposedBy ?? '–'}`;
  return [
    done(first, approval.reason, approval.proposedAt),
    ...(takenUpAt === null ? [] : [done(`Taken up by ${proposedBy ?? '–'}`, '', takenUpAt)]),
    ...(decision === null || decidedAt === null
      ? [next(proposedBy === null ? 'An operator takes it up' : 'Another operator approves')]
      : [
          done(
            `${decision === 'APPROVED' ? 'Approved' : 'Refused'} by ${decidedBy ?? '–'}`,
            approval.decisionReason ?? '',
            decidedAt,
          ),
        ]),
    ...(decision === 'APPROVED' ? [endOf(approval)] : []),
  ];
}

/** What came of an approval: its effect, or why there is none. */
function endOf({ usedAt, voidAs, voidBy, voidAt, voidReason }: ApprovalRow): TimelineStep {
  if (usedAt !== null) return done('In effect', '', usedAt);
  if (voidAt === null) return next('Takes effect');
  const title =
    voidAs === 'WITHDRAWN' ? `Withdrawn by ${voidBy ?? '–'}` : 'Void: its effect was refused';
  return done(title, voidReason ?? '', voidAt);
}

const done = (title: string, detail: string, at: Date): TimelineStep => ({
  ...{ state: 'done', title, detail },
  time: moment(at),
});
const next = (title: string): TimelineStep => ({ state: 'next', title, time: 'not yet' });
