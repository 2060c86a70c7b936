import { createHash } from 'node:crypto';
import type { CreditingLineRow } from '../../../db/ledger/crediting-line-store.ts';

/** What a line is stored as a booking of: a reference of the bank and its number on the statement, or the line itself. */
interface BookingKey {
  readonly bookingKey: Buffer;
  readonly occurrence: number;
}

/** Where the bank gave no reference, the line itself. The release before this one knows a booking by this alone. */
export function bookingOf(line: CreditingLineRow): BookingKey {
  const { bookingKey, occurrence } = line;
  return bookingKey === null ? ownBookingOf(line) : { bookingKey, occurrence };
}

/** The line itself, whatever references it has. */
export function ownBookingOf({
  statementId,
  line,
}: Pick<CreditingLineRow, 'statementId' | 'line'>): BookingKey {
  const own = createHash('sha256')
    .update(`${String(statementId)}/${String(line)}`)
    .digest();
  return { bookingKey: own, occurrence: 1 };
}
