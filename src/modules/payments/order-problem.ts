import type { Problem } from '../../domain/errors/refusal.ts';
import type { ErrorCode } from '../../domain/errors/registry.ts';

/** Something in the way of an order, and in which of its fields. */
export const problem = (code: ErrorCode, path: string, message: string): Problem => ({
  ...{ path, code, message },
});

/** An id that is missing and an id of another customer answer alike. */
export const missing = (path: string): Problem =>
  problem('resource_not_found', path, 'The resource does not exist.');
