import type { EventType } from '../webhooks/event-types.ts';
import type { PaymentStatus } from './payment-states.ts';

/** The name of the event that announces a payment's new version. */
export function paymentEventType(change: {
  readonly from: PaymentStatus | null;
  readonly to: PaymentStatus;
  readonly reconciled: boolean;
  readonly becameFinal?: boolean;
  readonly requoted?: boolean;
}): EventType {
  if (change.from === null) return 'payment.created';
  if (change.requoted === true) return 'payment.requoted';
  if (change.from !== change.to)
    return `payment.${change.to.toLowerCase() as Lowercase<PaymentStatus>}`;
  // Another status names the event itself: what fails is final at once.
  if (change.becameFinal === true) return 'payment.final';
  return change.reconciled ? 'payment.reconciled' : 'payment.updated';
}
