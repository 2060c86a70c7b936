/** WITHDRAWAL: to an own account of the customer. PAYOUT: every other payment. */
export const PAYMENT_KINDS = ['PAYOUT', 'WITHDRAWAL'] as const;

export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** What a payment is, by whose company or person its end-user is. */
export const paymentKindOf = (relationship: 'CLIENT' | 'SELF' | null): PaymentKind =>
  relationship === 'SELF' ? 'WITHDRAWAL' : 'PAYOUT';
