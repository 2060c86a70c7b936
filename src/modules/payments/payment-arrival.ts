import type { HistoryRow } from '../../db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { expectedArrival } from '../../domain/payments/corridors/arrival.ts';
import { isSettledOrFinal } from '../../domain/payments/payment-states.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import { NO_SPEED, NO_WAY, orderArrival, type OrderArrival } from './order-arrival.ts';
import type { ServedCorridors } from './served-corridors.ts';

/** When a payment arrives. PAYMENT_ENDED: it has arrived, or never does. NOT_RECORDED: of an answer made anew. */
export type PaymentArrival =
  OrderArrival | { readonly at: null; readonly reason: 'PAYMENT_ENDED' | 'NOT_RECORDED' };

export const ENDED = { at: null, reason: 'PAYMENT_ENDED' } as const;

/** As much of a payment as decides when it arrives. */
type ArrivingPayment = Pick<
  PaymentRow,
  'status' | 'destination' | 'unit' | 'releaseAt' | 'funding' | 'updatedAt'
>;

/**
 * When a payment arrives, as seen `now`: a sent one counted from the moment when it was sent last, which may be in
 * the past, and any other as though it left now, or on its release day. `country` is the bank account's.
 */
export function paymentArrival(
  payment: ArrivingPayment,
  history: readonly Pick<HistoryRow, 'status' | 'at'>[],
  { country, served, now }: ArrivalFacts,
): PaymentArrival {
  const { status, destination, unit, releaseAt, funding } = payment;
  if (isSettledOrFinal(status)) return ENDED;
  const corridor =
    destination.kind === 'BANK'
      ? (served.corridors.find(country ?? '', unit, railOf(destination)) ?? null)
      : null;
  if (status === 'SENT') {
    if (destination.kind === 'WALLET') return NO_SPEED;
    return corridor === null ? NO_WAY : expectedArrival(corridor, sentAt(payment, history));
  }
  return orderArrival({ destination, corridor }, served, {
    from: releaseAt !== null && releaseAt > now ? releaseAt : now,
    awaitsDeposit: funding?.status === 'AWAITED',
  });
}

interface ArrivalFacts {
  /** Of the bank account; null of a payment to a wallet. */
  readonly country: string | null;
  readonly served: Pick<ServedCorridors, 'corridors' | 'isServed' | 'assetsOf'>;
  readonly now: Date;
}

/** The first of the versions that are SENT to the end: what the bank rejected and was sent again left later. */
function sentAt(
  { updatedAt }: ArrivingPayment,
  history: readonly Pick<HistoryRow, 'status' | 'at'>[],
): Date {
  const before = history.findLastIndex(({ status }) => status !== 'SENT');
  return history[before + 1]?.at ?? updatedAt;
}
