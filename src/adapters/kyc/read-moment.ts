import { readMoment as momentOf } from '../../domain/moments.ts';

// RFC 3339, section 5.6, without the leap second, which a Date cannot hold.
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** A moment that a provider wrote; null where it is none. */
export function readMoment(value: unknown): Date | null {
  if (typeof value !== 'string' || !MOMENT.test(value)) return null;
  return momentOf(value);
}
