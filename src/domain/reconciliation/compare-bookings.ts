import { isSameBooking } from '../ledger/funding/credit-booking.ts';
import {
  isOfBank,
  type BookingReference,
  type Report,
  type ShownBooking,
} from './booking-identity.ts';

/** UNCLEAR: an operator must look. */
export type Likeness = 'SAME' | 'DIFFERENT' | 'UNCLEAR';

/**
 * Whether lines of two reports show one booking. Only references of banks prove it: of a kind that both have, they are
 * equal in one booking and differ in two. What contradicts itself, or has no such reference in common, is UNCLEAR where
 * amount, account and day (36 hours) are equal and the reports may show one booking; for a credit that is counted twice
 * is lost by the platform, and one that is swallowed by the customer. The two lines are of two reports: lines of one
 * report are bookings of their own.
 */
export function compareBookings(one: ShownBooking, other: ShownBooking): Likeness {
  const isSameMoney =
    one.amount === other.amount &&
    one.currency === other.currency &&
    one.direction === other.direction;
  if (!isSameMoney || areAccountsApart(one.account, other.account)) return 'DIFFERENT';
  const { isEqual, isContradicted } = compareReferences(one.references, other.references);
  const mayBeOne =
    isSameBooking(one.bookedAt, other.bookedAt) && mayShowOneBooking(one.report, other.report);
  if (isEqual) {
    const isOne = mayBeOne || isSameMoment(one.bookedAt, other.bookedAt);
    return isOne && !isContradicted && haveSameCreditor(one, other) ? 'SAME' : 'UNCLEAR';
  }
  return isContradicted || !mayBeOne ? 'DIFFERENT' : 'UNCLEAR';
}

/** Both have the creditor references of the other one. The payer chose them, so equality alone proves nothing. */
export function haveSameCreditor(
  one: Pick<ShownBooking, 'creditorReferences'>,
  other: Pick<ShownBooking, 'creditorReferences'>,
): boolean {
  const theirs = new Set(other.creditorReferences);
  return (
    theirs.size === new Set(one.creditorReferences).size &&
    one.creditorReferences.every((reference) => theirs.has(reference))
  );
}

/**
 * Reports of whole periods that do not overlap show different bookings. Intraday reports and advices repeat what others
 * show, whatever period they name. An unknown period may be any.
 */
export function mayShowOneBooking(one: Report, other: Report): boolean {
  if (one.kind !== 'DAY' || other.kind !== 'DAY') return true;
  if (one.from === null || one.to === null || other.from === null || other.to === null) return true;
  return isWithin(one.from, other) || isWithin(other.from, one);
}

/** A bank that lists a booking once more, on the report of a later period, gives it the same time. */
export const isSameMoment = (one: Date | null, other: Date | null): boolean =>
  one !== null && other !== null && one.getTime() === other.getTime();

/** Half open; a report that ends where it begins holds that moment. */
function isWithin(moment: Date, { from, to }: Report): boolean {
  if (from === null || to === null) return true;
  return moment.getTime() === from.getTime() || (moment > from && moment < to);
}

const IBAN = /^[A-Z]{2}[0-9]{2}[0-9A-Z]{8,30}$/;

/** Two identifications of one form differ: one account has an IBAN and a number of the bank's own at most. */
export function areAccountsApart(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.replace(/\s/g, '').toUpperCase());
  if (left === undefined || right === undefined || left === right) return false;
  return IBAN.test(left) === IBAN.test(right);
}

function compareReferences(
  one: readonly BookingReference[],
  other: readonly BookingReference[],
): { readonly isEqual: boolean; readonly isContradicted: boolean } {
  const theirs = other.filter(isOfBank);
  let isEqual = false;
  let isContradicted = false;
  for (const mine of one.filter(isOfBank)) {
    const comparable = theirs.filter(({ kind }) => isComparable(kind, mine.kind));
    if (comparable.some(({ value }) => value === mine.value)) isEqual = true;
    else if (comparable.some(({ kind }) => kind === mine.kind && kind !== 'UNKNOWN')) {
      isContradicted = true;
    }
  }
  return { isEqual, isContradicted };
}

type Kind = BookingReference['kind'];

/** A bank may show a booking alone on one report, and in an entry with others on the next. */
function isComparable(one: Kind, other: Kind): boolean {
  return one === 'UNKNOWN' || other === 'UNKNOWN' || giverOf(one) === giverOf(other);
}

const giverOf = (kind: Kind): Kind => (kind === 'EntryAcctSvcrRef' ? 'AcctSvcrRef' : kind);
