import { createHash } from 'node:crypto';
import { decisionText, type Decision } from '../../../domain/approvals/decision.ts';

/** The challenge that an authenticator signs for a decision, in base64url. */
export const decisionChallenge = (decision: Decision): string =>
  createHash('sha256').update(decisionText(decision)).digest('base64url');
