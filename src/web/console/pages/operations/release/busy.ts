import { isReleaseBusy } from '../../../../../db/operations/release-busy.ts';
import { notNow } from '../../../../kit/page-refusal.ts';

/** Payments were being released all the while: nothing was changed, and it is tried again. */
export function sayWhenBusy(error: unknown): never {
  throw isReleaseBusy(error) ? notNow() : error;
}
