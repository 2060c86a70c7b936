/** How long past the end of its first rate a payment may be priced anew, in ms: 24 hours. */
const REQUOTE_MAX_MS = 24 * 3_600_000;

/** The moment from which a payment is not priced anew any more: 24 hours after its first rate is held. */
export const requoteEnd = (rateHeldUntil: Date): Date =>
  new Date(rateHeldUntil.getTime() + REQUOTE_MAX_MS);

/** Until when the first rate was held of a payment that may be priced anew until `requoteUntil`. */
export const firstRateEnd = (requoteUntil: Date): Date =>
  new Date(requoteUntil.getTime() - REQUOTE_MAX_MS);
