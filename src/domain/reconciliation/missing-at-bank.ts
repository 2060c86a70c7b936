/** A payment that we take as paid out. */
export interface PaidOut {
  /** When we took it as paid; null where we do not. */
  readonly completedAt: Date | null;
  /** A booked debit of any of its attempts was matched, on any statement. */
  readonly isDebitBooked: boolean;
}

/**
 * MISSING_AT_BANK: completed before the cut, yet on no statement. `cut` is the end of the last
 * statement that was read whole, less the time that the bank may take to book; later payments may
 * still come.
 */
export function isMissingAtBank({ completedAt, isDebitBooked }: PaidOut, cut: Date): boolean {
  return !isDebitBooked && completedAt !== null && completedAt.getTime() < cut.getTime();
}
