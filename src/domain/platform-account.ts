import type { Environment, Scope } from './scope.ts';

/** Ourselves as a customer: reserved by the database, without API keys. */
export const PLATFORM_ACCOUNT = 'cus_platform';

export const platformScope = (environment: Environment): Scope => ({
  customerId: PLATFORM_ACCOUNT,
  environment,
});
