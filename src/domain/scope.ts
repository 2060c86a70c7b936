/** `test` or `live`, decided by the API key alone. */
export type Environment = 'test' | 'live';

export const ENVIRONMENTS: readonly Environment[] = ['test', 'live'];

/** Who a row belongs to. Every row carries both; every store method takes one. */
export interface Scope {
  readonly customerId: string;
  readonly environment: Environment;
}
