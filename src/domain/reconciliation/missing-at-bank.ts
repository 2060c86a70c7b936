/** A payment that we take as paid out. */
interface PaidOut {
  /** When we took it as paid; null where we do not. */
  readonly completedAt: Date | null;
  /** A booked debit of any of its attempts was matched, on any statement. */
  readonly isDebitBooked: boolean;
  /** When a return was credited that no statement has shown; null where there is none. */
  readonly returnToldAt: Date | null;
}

/**
 * MISSING_AT_BANK: completed, or credited as returned, before the cut, yet on no statement. `cut` is the
 * end of the last statement that was read whole, less the time that the bank may take to book; later
 * payments may still come.
 */
export function isMissingAtBank(paid: PaidOut, cut: Date): boolean {
  const isBefore = (moment: Date | null) => moment !== null && moment.getTime() < cut.getTime();
  return (!paid.isDebitBooked && isBefore(paid.completedAt)) || isBefore(paid.returnToldAt);
}
