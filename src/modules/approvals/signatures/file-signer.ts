import { decisionDocument } from '../../../domain/approvals/decision.ts';
import type { FileSignature, OperatorKeys } from '../../../domain/approvals/operator-keys.ts';
import { ApprovalRefused } from '../approval-refused.ts';
import type { DecisionSigner } from './decision-signer.ts';
import { whyNoSignature } from './judge-signatures.ts';

/** What an operator signed with a file key, before it came here. */
interface SignedDocument {
  readonly document: string;
  readonly signature: Buffer;
}

/** Signs with what a file key of the operator has signed. Throws ApprovalRefused where that is another decision. */
export function fileSigner(
  operatorKeys: OperatorKeys,
  { document, signature }: SignedDocument,
): DecisionSigner {
  return {
    operatorKeys,
    async sign(_tx, decision) {
      const { step, operatorId, reason } = decision;
      if (document !== decisionDocument(decision)) {
        throw new ApprovalRefused(
          'The document says something else than the approval does now. Export it again, and compare both.',
        );
      }
      const known = operatorKeys.fileKeysOf(operatorId);
      if (known.length === 0) {
        throw new ApprovalRefused(`The operator keys file names no file key of ${operatorId}.`);
      }
      let problem = '';
      for (const credentialId of known) {
        const given: FileSignature = {
          ...{ credentialId, authenticatorData: null, clientData: null, signature },
        };
        const judged = { ...given, step, operatorId, reason };
        const why = await whyNoSignature(operatorKeys, decision, judged);
        if (why === null) return given;
        problem = why;
      }
      throw new ApprovalRefused(`This decision does not count: it is ${problem}`);
    },
  };
}
