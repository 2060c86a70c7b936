import { isReleaseBusy } from '../../db/operations/release-busy.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';

/** Rethrows what kept a stop, resume or restore mode from being written, as a sentence where it is known. */
export function sayWhyReleaseFailed(error: unknown): never {
  if (error instanceof RangeError) throw new PlainError(error.message);
  if (!isReleaseBusy(error)) throw error;
  throw new PlainError(
    'Nothing was changed: payments were being released all the while, for 15 s. Run it again.',
  );
}
