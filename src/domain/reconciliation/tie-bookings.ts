import type { ShownBooking } from './booking-identity.ts';
import { compareBookings, haveSameCreditor, type Likeness } from './compare-bookings.ts';

/** A booking that a line of another report showed first. */
export interface KnownBooking extends ShownBooking {
  readonly id: string;
  /** Another line of this report shows it: each line of a report is a booking of its own. */
  readonly isShown: boolean;
}

/** NEW: nothing that is known may be the same. */
export type Tie =
  { readonly kind: 'NEW' } | { readonly kind: 'SAME' | 'UNCLEAR'; readonly id: string };

/**
 * Ties lines of one report to known bookings, each to one at most. Proven ties go first. Of lines without proof, as
 * many as there are known bookings with their creditor may repeat these; the others are new, because a report shows
 * each booking once. A line with another creditor than all that is left may repeat any of it.
 */
export function tieBookings(
  lines: readonly ShownBooking[],
  known: readonly KnownBooking[],
): readonly Tie[] {
  const free = new Map<string, KnownBooking[]>();
  for (const booking of known) {
    if (booking.isShown) continue;
    const place = moneyOf(booking);
    free.set(place, [...(free.get(place) ?? []), booking]);
  }
  const ties: Tie[] = lines.map(() => ({ kind: 'NEW' }));
  const tie = (likeness: Exclude<Likeness, 'DIFFERENT'>, isCreditorEqual: boolean): void => {
    for (const [index, line] of lines.entries()) {
      if (ties[index]?.kind !== 'NEW') continue;
      const left = free.get(moneyOf(line)) ?? [];
      const fitting = left.filter(
        (booking) =>
          compareBookings(line, booking) === likeness &&
          haveSameCreditor(line, booking) === isCreditorEqual,
      );
      const found = fitting.find((booking) => sharesReference(line, booking)) ?? fitting[0];
      if (found === undefined) continue;
      ties[index] = { kind: likeness, id: found.id };
      if (isCreditorEqual) left.splice(left.indexOf(found), 1);
    }
  };
  tie('SAME', true);
  tie('UNCLEAR', true);
  tie('UNCLEAR', false);
  return ties;
}

const moneyOf = ({ amount, currency, direction }: ShownBooking): string =>
  `${direction} ${amount} ${currency}`;

const sharesReference = (one: ShownBooking, other: ShownBooking): boolean =>
  one.references.some(({ value }) => other.references.some((theirs) => theirs.value === value));
