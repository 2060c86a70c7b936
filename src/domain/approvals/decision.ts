import { createHash } from 'node:crypto';
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
}

/** Tells this text from anything else that is signed, and from a later form of it. */
const FORM = 'causeway decision 1';

/**
 * The challenge that an authenticator signs for a decision (WebAuthn level 2, section 5.8.1): SHA-256 over the decision, in
 * base64url. Two decisions that differ in anything have different challenges.
 */
export function decisionChallenge(decision: Decision): string {
  const { step, approvalId, operatorId, customerId, environment } = decision;
  const { action, subjectId, subjectVersion, content } = decision;
  // PostgreSQL keeps the members of an object in an order of its own.
  const members = Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1));
  const whole = [
    ...[FORM, step, approvalId, operatorId, customerId, environment],
    ...[action, subjectId, subjectVersion, members],
  ];
  return createHash('sha256').update(JSON.stringify(whole)).digest('base64url');
}
