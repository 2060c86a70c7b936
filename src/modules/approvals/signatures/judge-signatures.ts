import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import type { DecisionSignature } from '../../../db/approvals/approval-signature-store.ts';
import type { ApprovalContent } from '../../../domain/approvals/approval.ts';
import { APPROVAL_RIGHTS } from '../../../domain/approvals/approval-rights.ts';
import {
  DECISION_STEPS,
  decisionDocument,
  isReasonOf,
  type Decision,
  type DecisionStep,
} from '../../../domain/approvals/decision.ts';
import { decisionChallenge } from './decision-challenge.ts';
import { rolesWith } from '../../../domain/customers/access/rights.ts';
import type { OperatorKeys } from '../../../domain/approvals/operator-keys.ts';
import { isAssertionOf } from './verify-assertion.ts';
import { isFileSignatureOf } from './verify-file-signature.ts';

/** What of an approval its signatures are about. */
export type SignedApproval = Pick<
  ApprovalRow,
  | 'id'
  | 'customerId'
  | 'environment'
  | 'action'
  | 'subjectId'
  | 'subjectVersion'
  | 'content'
  | 'contentHash'
  | 'proposedBy'
  | 'decidedBy'
  | 'reason'
  | 'decisionReason'
  | 'takenUpAt'
>;

/** What of it is decided. */
type Subject = Pick<SignedApproval, 'id' | 'customerId' | 'environment' | keyof ApprovalContent>;

/** What an operator signs of an approval. */
export function decisionOf(
  approval: Subject,
  by: Pick<Decision, 'step' | 'operatorId' | 'reason'>,
): Decision {
  const { id, customerId, environment, action, subjectId, subjectVersion, content } = approval;
  const about = { action, subjectId, subjectVersion, content };
  return { ...by, approvalId: id, customerId, environment, ...about };
}

const WORD: Readonly<Record<DecisionStep, string>> = {
  PROPOSE: 'The proposal',
  APPROVE: 'The approval',
};

/**
 * Why an approval is none: a sentence; null where two operators have signed all of it, each with a key of theirs that gives
 * them the right.
 */
export async function whyUnsigned(
  keys: OperatorKeys,
  approval: SignedApproval,
  signatures: readonly DecisionSignature[],
): Promise<string | null> {
  if (keys.isFromBefore(approval)) return null;
  const { proposedBy, decidedBy } = approval;
  if (proposedBy === null || decidedBy === null || proposedBy === decidedBy) {
    return 'Two operators did not decide it.';
  }
  for (const step of DECISION_STEPS) {
    const operatorId = step === 'PROPOSE' ? proposedBy : decidedBy;
    const signature = signatures.find((one) => one.step === step);
    if (signature?.operatorId !== operatorId) return `${WORD[step]} is not signed.`;
    const decision = decisionOf(approval, { step, operatorId, reason: signature.reason });
    const problem = await whyNoSignature(keys, decision, signature);
    if (problem !== null) return `${WORD[step]} is ${problem}`;
    if (!isReasonOf(approval, step, signature.reason)) {
      return `${WORD[step]} is signed with another reason.`;
    }
  }
  return null;
}

/** What is wrong with the signature of one decision, in the words after "it is"; null where nothing is. */
export async function whyNoSignature(
  keys: OperatorKeys,
  decision: Decision,
  signature: DecisionSignature,
): Promise<string | null> {
  const key = keys.find(decision.operatorId, signature.credentialId);
  if (key === null) return 'signed with a key that is not in the operator keys file.';
  const roles: readonly string[] = rolesWith('console', APPROVAL_RIGHTS[decision.action]) ?? [];
  if (key.role !== null && !roles.includes(key.role)) {
    return 'signed by an operator without that right in the operator keys file.';
  }
  const { publicKey } = key;
  const isSigned =
    key.kind === 'FILE'
      ? isFileSignatureOf(signature, { publicKey, document: decisionDocument(decision) })
      : await isAssertionOf(signature, {
          ...{ publicKey, challenge: decisionChallenge(decision), origin: keys.origin },
        });
  return isSigned ? null : 'signed as something else.';
}
