import { createHash } from 'node:crypto';
import type { CreditingLineRow } from '../../../db/ledger/crediting-line-store.ts';

/** What a line is a booking of; where the bank gave no reference, the line itself. */
export function bookingOf({ bookingKey, occurrence, statementId, line }: CreditingLineRow): {
  readonly bookingKey: Buffer;
  readonly occurrence: number;
} {
  if (bookingKey !== null) return { bookingKey, occurrence };
  const own = createHash('sha256')
    .update(`${String(statementId)}/${String(line)}`)
    .digest();
  return { bookingKey: own, occurrence: 1 };
}
