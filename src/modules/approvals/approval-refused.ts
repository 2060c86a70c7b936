/** Why a decision cannot be taken: a sentence for the operator. */
export class ApprovalRefused extends Error {
  override readonly name = 'ApprovalRefused';
}
