import { isSameBooking } from '../ledger/funding/credit-booking.ts';
import type { Report } from './booking-identity.ts';
import { areAccountsApart, isSameMoment, mayShowOneBooking } from './compare-bookings.ts';
import type { Direction } from './statement-types.ts';

/** Where a line stands. */
export interface LinePlace {
  readonly statementId: bigint;
  readonly line: number;
}

/** A booked line that names an attempt of a payment: a debit, or a credit that the bank marks as a return. */
export interface PaymentLine extends LinePlace {
  readonly paymentId: string;
  /** Of the attempt, in upper case. */
  readonly reference: string;
  readonly direction: Direction;
  readonly isReversal: boolean;
  /** Major units, decimal text; equal amounts have equal texts. */
  readonly amount: string;
  readonly currency: string;
  readonly bankReference: string | null;
  /** The reference is of an entry with several transactions. */
  readonly isEntryReference: boolean;
  readonly bookedAt: Date | null;
  readonly account: string;
  readonly report: Report;
  readonly isJudged: boolean;
  /** The line of another report that it was found to repeat. */
  readonly repeats: LinePlace | null;
}

/**
 * Which of a payment's lines on a statement repeat a line of another one, by their numbers. `before`: judged lines of
 * the payment on other statements. Each booking is repeated by one line of a statement at most, and by a line that is
 * like every line which shows it: a second debit that an earlier report already shows under another reference is none
 * of them.
 */
export function findRepeatedLines(
  lines: readonly PaymentLine[],
  before: readonly PaymentLine[],
): ReadonlyMap<number, LinePlace> {
  const bookings = new Map<string, PaymentLine[]>();
  for (const line of before) if (line.repeats === null) bookings.set(placeOf(line), [line]);
  for (const line of before) {
    if (line.repeats !== null) bookings.get(placeOf(line.repeats))?.push(line);
  }
  const found = new Map<number, LinePlace>();
  const take = (line: PaymentLine, place: string, first: LinePlace): void => {
    bookings.delete(place);
    found.set(line.line, { statementId: first.statementId, line: first.line });
  };
  for (const line of lines) {
    if (line.repeats !== null) take(line, placeOf(line.repeats), line.repeats);
  }
  for (const line of lines) {
    if (line.isJudged) continue;
    for (const [place, shown] of bookings) {
      const [first] = shown;
      if (first === undefined || !shown.every((one) => isSamePaymentLine(line, one))) continue;
      take(line, place, first);
      break;
    }
  }
  return found;
}

const placeOf = ({ statementId, line }: LinePlace): string =>
  `${String(statementId)}/${String(line)}`;

/**
 * Whether two lines of different statements show one movement of a payment's money: under our own reference, which the
 * bank repeats and nobody else can give to a debit; of one amount; within 36 hours; on reports that may show one
 * booking, or at one moment with one reference of the bank. Two references of the bank of one kind that differ are two
 * movements.
 */
function isSamePaymentLine(one: PaymentLine, other: PaymentLine): boolean {
  const isSameMoney =
    one.reference === other.reference &&
    one.direction === other.direction &&
    one.amount === other.amount &&
    one.currency === other.currency &&
    (one.direction === 'CRDT' || one.isReversal === other.isReversal);
  if (!isSameMoney || areAccountsApart(one.account, other.account)) return false;
  if (!isSameBooking(one.bookedAt, other.bookedAt)) return false;
  const areComparable =
    one.bankReference !== null &&
    other.bankReference !== null &&
    one.isEntryReference === other.isEntryReference;
  if (mayShowOneBooking(one.report, other.report)) {
    return !areComparable || one.bankReference === other.bankReference;
  }
  const isProven = areComparable && one.bankReference === other.bankReference;
  return isProven && isSameMoment(one.bookedAt, other.bookedAt);
}
