import { settleLateReturn } from '../payments/settle-late-return.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What an approved decision about money that came back late does. */
export const applyLateReturn: ApplyApproval = async (deps, approval) => {
  await settleLateReturn(deps, approval);
  return approval.content['decision'] === 'CREDIT'
    ? `Credited: the late return of ${approval.subjectId}.`
    : `Kept in suspense: the late return of ${approval.subjectId}.`;
};
