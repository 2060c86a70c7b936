import { isFinal, type PaymentStatus } from './payment-states.ts';

/** NONE: under way. PROVISIONAL: COMPLETED, and may still come back. FINAL: nothing changes it any more. */
export const FINALITIES = ['NONE', 'PROVISIONAL', 'FINAL'] as const;

export type Finality = (typeof FINALITIES)[number];

export interface PaymentFinality {
  readonly finality: Finality;
  readonly finalAt: Date | null;
  /**
   * Until when its rail lets it come back, from its completion on; null before, and for what ended
   * without delivery.
   */
  readonly finalDueAt: Date | null;
}

/** What a version says of it: that it completes, with the end of the return window, or that this is over. */
export interface FinalityChange {
  readonly finalDueAt?: Date;
  readonly becomesFinal?: true;
}

/**
 * How final a payment is with its next status. COMPLETED is provisional until it is said to be final; any
 * other status without a way out is final at once. What is final stays so.
 */
export function finalityAfter(
  before: PaymentFinality,
  status: PaymentStatus,
  { finalDueAt, becomesFinal }: FinalityChange,
  now: Date,
): PaymentFinality {
  const due = finalDueAt ?? before.finalDueAt;
  if (before.finality === 'FINAL') {
    return { finality: 'FINAL', finalAt: before.finalAt ?? now, finalDueAt: before.finalDueAt };
  }
  if (isFinal(status)) return { finality: 'FINAL', finalAt: now, finalDueAt: null };
  if (status !== 'COMPLETED') return { finality: 'NONE', finalAt: null, finalDueAt: null };
  return becomesFinal === true
    ? { finality: 'FINAL', finalAt: now, finalDueAt: due }
    : { finality: 'PROVISIONAL', finalAt: null, finalDueAt: due };
}
