import type { PaymentRow } from '../../../db/payments/payment-store.ts';
import type { FundsStatus } from '../../../domain/payments/payment-states.ts';
import type { Place, ProgressStepsProps } from '../../kit/parts/progress-steps.tsx';

/** The step that a payment's money is at. Unknown: bank or network may have paid it out, or not. */
export function progressOf({
  fundsStatus,
  destination,
}: Pick<PaymentRow, 'fundsStatus' | 'destination'>): ProgressStepsProps {
  const isOnChain = destination.kind === 'WALLET';
  const between = isOnChain ? 'On the network' : 'At the bank';
  const places: Readonly<Record<FundsStatus, Place>> = {
    AWAITED: 'Deposit',
    ARRIVING: 'Deposit',
    HELD: 'Reserved',
    IN_RAIL: between,
    DELIVERED: 'Beneficiary',
    BACK_IN_BALANCE: 'Balance',
    UNKNOWN: between,
  };
  return { at: places[fundsStatus], isUnknown: fundsStatus === 'UNKNOWN', isOnChain };
}
