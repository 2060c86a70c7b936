import type { PaymentOutcome } from './payments/payment-states.ts';

/** What a transaction brought about, for those who count. It names nobody, and nothing of one customer. */
export type Happening =
  | { readonly kind: 'PAYMENT_ACCEPTED' }
  /** A worker took it to send it, so long after it was accepted or became due. */
  | { readonly kind: 'PAYMENT_CLAIMED'; readonly afterMs: number }
  /** So long after it was accepted or became due; null where it had to wait for a deposit. */
  | {
      readonly kind: 'PAYMENT_FINISHED';
      readonly outcome: PaymentOutcome;
      readonly afterMs: number | null;
    }
  /** Nobody knows whether the bank paid. */
  | { readonly kind: 'OUTCOME_UNKNOWN' };
