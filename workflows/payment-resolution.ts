import { ApplicationFailure } from '@temporalio/common';
import type { PaymentResolution } from '../activities/types.ts';

const OPERATOR_MAX = 100;
const REASON_MAX = 500;

/**
 * Reads the argument of `resolve`, which Temporal UI or the CLI may have sent. Throws a failure that
 * names the field; thrown by the update's validator it leaves no trace in the history.
 */
export function readResolution(input: unknown): PaymentResolution {
  if (typeof input !== 'object' || input === null) throw refuse('the argument must be an object');
  const { action, operator, reason, ...rest } = input as Record<string, unknown>;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) throw refuse(`unknown field ${unknown.slice(0, 40)}`);
  if (action !== 'RETRY') throw refuse('action must be RETRY');
  if (!isText(operator, OPERATOR_MAX)) throw refuse('operator must be a name of 1-100 characters');
  if (!isText(reason, REASON_MAX)) throw refuse('reason must be a text of 1-500 characters');
  return { action, operator, reason };
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max;

const refuse = (message: string) =>
  ApplicationFailure.create({ type: 'INVALID_RESOLUTION', message, nonRetryable: true });
