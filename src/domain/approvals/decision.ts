import type { Environment } from '../scope.ts';
import type { ApprovalContent } from './approval.ts';

/** What an operator signs: that they propose a change, or that they approve one. */
export const DECISION_STEPS = ['PROPOSE', 'APPROVE'] as const;
export type DecisionStep = (typeof DECISION_STEPS)[number];

/** One operator's decision about one approval: all that its effect follows from. */
export interface Decision extends ApprovalContent {
  readonly step: DecisionStep;
  readonly approvalId: string;
  /** `opr_...` of who decides. */
  readonly operatorId: string;
  readonly customerId: string;
  readonly environment: Environment;
  /** Why, in the operator's words. */
  readonly reason: string;
}

/** Tells this text from anything else that is signed. */
const FORM = 'causeway decision';

/**
 * What is signed of a decision, as a text: SHA-256 over it is the challenge of the assertion (WebAuthn level 2, section 5.8.1).
 * Two decisions that differ in anything have different texts.
 */
export function decisionText(decision: Decision): string {
  const { step, approvalId, operatorId, customerId, environment } = decision;
  const { action, subjectId, subjectVersion, content, reason } = decision;
  return JSON.stringify([
    ...[FORM, step, approvalId, operatorId, customerId, environment],
    ...[action, subjectId, subjectVersion, membersOf(content), reason],
  ]);
}

/** The same for a document that a file key signs. */
const DOCUMENT_FORM = 'causeway decision by file key';

/**
 * The document that a file key signs of a decision, byte by byte: all of the decision, for a person to read. Two decisions
 * that differ in anything have different documents.
 */
export function decisionDocument(decision: Decision): string {
  const { step, approvalId, operatorId, customerId, environment } = decision;
  const { action, subjectId, subjectVersion, content, reason } = decision;
  const document = {
    ...{ form: DOCUMENT_FORM, step, approvalId, operatorId, customerId, environment },
    ...{ action, subjectId, subjectVersion, content: Object.fromEntries(membersOf(content)) },
    reason,
  };
  // No character hides on a screen or turns the direction of its text.
  const escaped = JSON.stringify(document, null, 2).replace(
    /[^\n -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}

/** PostgreSQL keeps the members of an object in an order of its own. */
const membersOf = (content: Decision['content']) =>
  Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1));

/**
 * Whether the reason that was signed is the one of the approval. Who takes up what was handed in has a reason of their own,
 * which is stored with the signature alone.
 */
export function isReasonOf(
  approval: {
    readonly reason: string;
    readonly decisionReason: string | null;
    readonly takenUpAt: Date | null;
  },
  step: DecisionStep,
  signed: string,
): boolean {
  if (step === 'APPROVE') return signed === approval.decisionReason;
  return approval.takenUpAt !== null || signed === approval.reason;
}
