import type { DecisionStep } from '../../domain/approvals/decision.ts';
import type { KeySignature } from '../../domain/approvals/operator-keys.ts';
import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

export type DecisionSignature = KeySignature & {
  readonly step: DecisionStep;
  readonly operatorId: string;
  /** The reason that was signed with it. */
  readonly reason: string;
};

/** Keeps the signature of one decision. */
export async function insertSignature(
  tx: SystemTransaction,
  scope: Scope,
  approvalId: string,
  signature: DecisionSignature,
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO approval_signatures (approval_id, step, customer_id, environment, operator_id, reason,
       credential_id, authenticator_data, client_data, signature, signed_at)
     VALUES (:approvalId, :step, :customerId, :environment, :operatorId, :reason,
       :credentialId, :authenticatorData, :clientData, :signature, :at)`,
    { ...scope, ...signature, approvalId, at },
  );
}

/** The signatures of an approval, at most one of each step. Those from before reasons were signed count for nothing. */
export async function listSignatures(
  tx: AnyTransaction,
  approvalId: string,
): Promise<readonly DecisionSignature[]> {
  return tx.query<DecisionSignature>(
    `SELECT step, operator_id AS "operatorId", reason, credential_id AS "credentialId",
       authenticator_data AS "authenticatorData", client_data AS "clientData", signature
     FROM approval_signatures WHERE approval_id = $1 AND reason IS NOT NULL`,
    [approvalId],
  );
}
