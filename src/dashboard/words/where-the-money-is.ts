import type { FundsStatus } from '../../domain/payments/payment-states.ts';
import type { Place } from '../../web/parts/stones.tsx';

/** The stone that a payment's money is at. Unknown: the bank may have paid it out, or not. */
export function stoneOf(funds: FundsStatus): { readonly at: Place; readonly isUnknown: boolean } {
  return { at: STONES[funds], isUnknown: funds === 'UNKNOWN' };
}

const STONES: Readonly<Record<FundsStatus, Place>> = {
  HELD: 'Reserved',
  IN_RAIL: 'At the bank',
  DELIVERED: 'Beneficiary',
  BACK_IN_BALANCE: 'Balance',
  UNKNOWN: 'At the bank',
};
