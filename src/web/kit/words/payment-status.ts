import type { PaymentStatus } from '../../../domain/payments/payment-states.ts';
import type { Tone } from '../parts/chip.tsx';

/** A status of a payment as people read it. */
export const STATUS_WORDS: Readonly<
  Record<PaymentStatus, { readonly tone: Tone; readonly text: string }>
> = {
  PROCESSING: { tone: 'moving', text: 'Processing' },
  ON_HOLD: { tone: 'wait', text: 'On hold' },
  SENT: { tone: 'moving', text: 'Sent' },
  COMPLETED: { tone: 'ok', text: 'Completed' },
  FAILED: { tone: 'bad', text: 'Failed' },
  CANCELED: { tone: 'none', text: 'Canceled' },
  EXPIRED: { tone: 'none', text: 'Expired' },
  RETURNED: { tone: 'back', text: 'Returned' },
};

/** The words of a status; its own name where a later version has a new one. */
export const statusWords = (status: string): { readonly tone: Tone; readonly text: string } =>
  Object.hasOwn(STATUS_WORDS, status)
    ? STATUS_WORDS[status as PaymentStatus]
    : { tone: 'none', text: status };
