import type { Environment, Scope } from './scope.ts';

/** Ourselves as a customer: reserved by the database, without API keys. */
export const HOUSE = 'cus_house';

export const houseScope = (environment: Environment): Scope => ({ customerId: HOUSE, environment });
