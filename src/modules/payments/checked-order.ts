import type { Corridor } from '../../domain/payments/corridors/corridor.ts';
import type { Problem } from '../../domain/errors/refusal.ts';

/** Everything that stands in the way of an order, and the way that it would take. */
export interface CheckedOrder {
  readonly problems: readonly Problem[];
  /** Of the bank account, open or not; null where the account is not the caller's, and to a wallet. */
  readonly corridor: Corridor | null;
  /** The rail that it takes; null where nothing leads there now. */
  readonly rail: string | null;
  /** Whether it asks for an amount that the account or wallet can be paid: only then it has a cost. */
  readonly hasCost: boolean;
}
