import { thawSignerAccount } from '../onchain/thaw-signer-account.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** A frozen hot address pays again, once it has learnt what it may have paid without the database. */
export const applySignerAccountThaw: ApplyApproval = async (deps, approval) => {
  const status = await thawSignerAccount(deps, approval);
  return status === 'OPEN'
    ? `${approval.subjectId} pays again.`
    : `${approval.subjectId} pays again once the engine has found what it already paid.`;
};
