import { findScreeningCase } from '../../db/parties/screening-case-store.ts';
import { releaseCase } from '../parties/screening/release-case.ts';
import { wakeCase } from '../parties/screening/wake-case.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Lets payments go that a hit held, as two operators agreed. */
export const applyScreeningRelease: ApplyApproval = async (deps, approval) => {
  const row = await deps.db.system((tx) => findScreeningCase(tx, approval.subjectId));
  if (row === null) throw new ApprovalRefused(`There is no case ${approval.subjectId}.`);
  await releaseCase(deps, row, approval);
  return `Released: ${row.id}. ${await wakeCase(deps, row)} They continue unless something else holds them.`;
};
