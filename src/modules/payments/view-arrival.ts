import type { PaymentArrival } from './payment-arrival.ts';

/** An expected arrival as the API shows it. */
export const viewArrival = <Arrival extends PaymentArrival>({ at, reason }: Arrival) => ({
  at: at?.toISOString() ?? null,
  reason: reason as Arrival['reason'],
});
