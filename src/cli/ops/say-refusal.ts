import { Refusal } from '../../domain/errors/refusal.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';

/** Tells a partner's refusal to an operator, with all of its problems. */
export function sayRefusal(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const problems = error.details.map(({ path, message }) => `${path} ${message}`);
  throw new PlainError([`${error.code}: ${error.message}`, ...problems].join('\n'));
}
