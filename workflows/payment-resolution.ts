import { ApplicationFailure } from '@temporalio/common';
import type { PaymentResolution } from '../src/domain/workflows/work-refs.ts';
import { ID_PREFIXES, isId } from '../src/domain/ids.ts';

/**
 * Reads the argument of `resolve`, which Temporal UI or the CLI may have sent. Throws a failure that
 * says what is wrong in messages of our own only: thrown by the update's validator it leaves no trace
 * in the history, and even so it never repeats what was sent.
 */
export function readResolution(input: unknown): PaymentResolution {
  if (typeof input !== 'object' || input === null) throw refuse('the argument must be an object');
  const { action, decisionId, ...rest } = input as Record<string, unknown>;
  if (Object.keys(rest).length > 0) throw refuse('there are fields besides action and decisionId');
  if (action !== 'RETRY') throw refuse('action must be RETRY');
  if (decisionId === undefined) return { action };
  if (typeof decisionId !== 'string' || !isId(ID_PREFIXES.operatorDecision, decisionId)) {
    throw refuse('decisionId must be the id of a stored decision');
  }
  return { action, decisionId };
}

const refuse = (message: string) =>
  ApplicationFailure.create({ type: 'INVALID_RESOLUTION', message, nonRetryable: true });
