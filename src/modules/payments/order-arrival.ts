import { expectedArrival, type NoArrivalReason } from '../../domain/payments/corridors/arrival.ts';
import { networkOf } from '../../domain/payments/payment-destination.ts';
import type { OrderRoute } from './order-check.ts';
import type { ServedCorridors } from './served-corridors.ts';

/** When what is to be sent arrives; null with the reason. */
export type OrderArrival =
  | { readonly at: Date; readonly reason: null }
  | {
      readonly at: null;
      readonly reason: NoArrivalReason | 'AWAITS_DEPOSIT' | 'CORRIDOR_UNAVAILABLE';
    };

export const NO_WAY = { at: null, reason: 'CORRIDOR_UNAVAILABLE' } as const;

/** When a network has taken a transfer in is not known before. */
export const NO_SPEED = { at: null, reason: 'SPEED_NOT_STATED' } as const;

/** It leaves when what pays for it is there. */
const AWAITS_DEPOSIT = { at: null, reason: 'AWAITS_DEPOSIT' } as const;

/** When an order arrives that leaves `from` over its route, if a payment may take that route now. */
export function orderArrival(
  { destination, corridor }: Pick<OrderRoute, 'destination' | 'corridor'>,
  { isServed, assetsOf }: Pick<ServedCorridors, 'isServed' | 'assetsOf'>,
  { from, awaitsDeposit }: { readonly from: Date; readonly awaitsDeposit: boolean },
): OrderArrival {
  const network = destination && networkOf(destination);
  const isOpen =
    network === null
      ? corridor?.status === 'ACTIVE' && isServed(corridor.rail)
      : assetsOf(network) !== null;
  if (!isOpen) return NO_WAY;
  if (awaitsDeposit) return AWAITS_DEPOSIT;
  return corridor === null ? NO_SPEED : expectedArrival(corridor, from);
}
