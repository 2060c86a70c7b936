import { insertSignature } from '../../../db/approvals/approval-signature-store.ts';
import type { KeySignature } from '../../../domain/approvals/operator-keys.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import type { Decision } from '../../../domain/approvals/decision.ts';
import { decisionChallenge } from './decision-challenge.ts';
import { ApprovalRefused } from '../approval-refused.ts';
import { whyNoSignature } from './judge-signatures.ts';
import type { OperatorKeys } from '../../../domain/approvals/operator-keys.ts';

/** Gets an operator's signature for what they decide. */
export interface DecisionSigner {
  readonly operatorKeys: OperatorKeys;
  /** The id that a new proposal gets, where it was named when the signature was asked for. */
  readonly approvalId?: string;
  /** Answers the signature of a decision. Throws where it has to be asked for first. */
  sign(tx: SystemTransaction, decision: Decision): Promise<KeySignature>;
}

/** The signer that has the operators' keys; null where only their authenticators sign. */
export function softwareSigner(operatorKeys: OperatorKeys): DecisionSigner | null {
  const { sign } = operatorKeys;
  if (sign === null) return null;
  return {
    operatorKeys,
    sign: (_tx, decision) =>
      Promise.resolve(sign(decision.operatorId, decisionChallenge(decision))),
  };
}

/** Has a decision signed, and keeps the signature. Throws ApprovalRefused where its key is none of the operator's. */
export async function signDecision(
  tx: SystemTransaction,
  signer: DecisionSigner,
  decision: Decision,
  at: Date,
): Promise<void> {
  const { step, operatorId, reason, customerId, environment } = decision;
  const signature = { ...(await signer.sign(tx, decision)), step, operatorId, reason };
  const problem = await whyNoSignature(signer.operatorKeys, decision, signature);
  if (problem !== null) throw new ApprovalRefused(`This decision does not count: it is ${problem}`);
  await insertSignature(tx, { customerId, environment }, decision.approvalId, signature, at);
}
