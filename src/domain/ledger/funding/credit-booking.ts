/** Banks book by days of their own; a repeated line may name the day, or the moment in any zone. */
const SAME_BOOKING_MS = 36 * 3_600_000;

/**
 * Are these two lines, alike in the bank's reference, amount and currency, one booking on two statements?
 * Not where days lie between them: then the bank uses a reference again, and a human must look.
 */
export function isSameBooking(one: Date | null, other: Date | null): boolean {
  if (one === null || other === null) return true;
  return Math.abs(one.getTime() - other.getTime()) <= SAME_BOOKING_MS;
}
