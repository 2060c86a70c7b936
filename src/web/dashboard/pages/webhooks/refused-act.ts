import { Refusal } from '../../../../domain/errors/refusal.ts';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import { refusalText } from '../../../kit/refusal-text.ts';

const OF_THE_FORM: readonly string[] = [
  ...['limit_reached', 'webhook_endpoint_disabled', 'validation_failed', 'resource_not_found'],
];

/** What a use case refuses of a form, said at a field of it. Throws whatever is about something else. */
export function problemOfRefusal(error: unknown, field: string): FieldProblem {
  if (!(error instanceof Refusal) || !OF_THE_FORM.includes(error.code)) throw error;
  return { field, message: refusalText(error) };
}
