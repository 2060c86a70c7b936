/**
 * How long past the end of a quote the deposit that pays for the payment may still become final, in ms: the 20 minutes
 * that the slowest network needs, and the hour in which a sender is screened.
 */
export const DEPOSIT_FINAL_MAX_MS = 80 * 60_000;

/**
 * The moment from which a payment is not sent for the first time at the rate of its quote, and not again after a
 * rejection. Until then the rate is an option of the customer's, which the markup pays for: it must end.
 */
export function rateHeldUntil(
  { expiresAt }: { readonly expiresAt: Date },
  { isFunded, graceMs }: { readonly isFunded: boolean; readonly graceMs: number },
): Date {
  return new Date(expiresAt.getTime() + (isFunded ? DEPOSIT_FINAL_MAX_MS : 0) + graceMs);
}

/** Whether the rate of a payment holds; one in a single currency has none that ends. */
export const isRateHeld = (
  { rateHeldUntil: until }: { readonly rateHeldUntil: Date | null },
  now: Date,
): boolean => until === null || now < until;
