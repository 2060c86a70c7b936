/** What ends an exception of a statement. */
export const EXCEPTION_ACTS = [
  'ACKNOWLEDGE',
  'WRITE_OFF',
  'CREDIT_RETURN',
  'RECOVER',
  'TIE_TRADE',
] as const;
export type ExceptionAct = (typeof EXCEPTION_ACTS)[number];

/** Accounts of the platform for differences, by the names that operators choose. */
export const DIFFERENCE_ACCOUNTS = {
  BANK_CHARGES: 'bank_charges',
  FX_DIFFERENCE: 'fx_difference',
  GOODWILL: 'goodwill',
} as const;
export type DifferenceAccount = keyof typeof DIFFERENCE_ACCOUNTS;

/** What the choice of an act depends on. */
export interface ActableException {
  /** A MatchException of a line, MISSING_AT_BANK, or the code of a statement's problem. */
  readonly exception: string;
  /** Of a line: what the bank booked and the ledger did not, minor units; positive came in, negative left. */
  readonly open: bigint;
  /** The line is a payment's. */
  readonly isOfPayment: boolean;
  /** The line shows a credit that waits in suspense. */
  readonly isCredit?: boolean;
  /** What is open of it is in suspense. */
  readonly isInSuspense?: boolean;
}

/** Lines that another report, or an earlier line, may show as well: then their money moved once. */
const MAY_REPEAT: ReadonlySet<string> = new Set([
  'DUPLICATE_AT_BANK',
  'LATE',
  // The second one of a payment: what the first one shows is in suspense.
  'LATE_RETURN',
  'UNEXPECTED_AT_BANK',
  'UNKNOWN_RETURN',
]);

/**
 * The acts that may end an exception. What moved no money that the ledger lacks is acknowledged. A credit can also be the
 * return of a payment, and a debit can be recovered from a customer. A line that repeats another one's booking is acknowledged.
 * A payment that the bank never paid is given back as a return, or acknowledged. A debit of no payment may show a cover trade.
 * A credit that waits in suspense is returned to a payment or written off here; its other ends are acts about the credit.
 * A line of a statement that does not add up moves money only once its sums are accepted, or by a corrected statement.
 */
export function actsFor({
  exception,
  open,
  isOfPayment,
  isCredit = false,
  isInSuspense = false,
}: ActableException): readonly ExceptionAct[] {
  if (isCredit) return ['CREDIT_RETURN', 'WRITE_OFF'];
  if (open === 0n || exception === 'UNPROVEN_SUM') return ['ACKNOWLEDGE'];
  if (exception === 'MISSING_AT_BANK') return ['ACKNOWLEDGE', 'CREDIT_RETURN'];
  // What differs of a return is in suspense once: a line that shows more of it may be another one's booking.
  const mayRepeat =
    MAY_REPEAT.has(exception) || (exception === 'AMOUNT_MISMATCH' && open > 0n && !isInSuspense);
  return [
    ...(mayRepeat ? (['ACKNOWLEDGE'] as const) : []),
    'WRITE_OFF',
    open > 0n ? 'CREDIT_RETURN' : 'RECOVER',
    ...(exception === 'UNEXPECTED_AT_BANK' && open < 0n && !isOfPayment
      ? (['TIE_TRADE'] as const)
      : []),
  ];
}
