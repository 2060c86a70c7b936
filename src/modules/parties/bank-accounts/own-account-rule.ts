import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import type { Environment } from '../../../domain/scope.ts';

/**
 * Whether only operators may register accounts of an end-user: of the customer's own company, in live. Who
 * has stolen a key must not be able to register an account and withdraw everything to it.
 */
export const isForOperators = (
  { relationship }: Pick<EndUserRow, 'relationship'>,
  environment: Environment,
): boolean => relationship === 'SELF' && environment === 'live';
