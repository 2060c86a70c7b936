import { createHash } from 'node:crypto';
import type { NewStatementLine } from '../../db/reconciliation/statement-line-store.ts';
import { readMoment } from '../../domain/moments.ts';
import {
  identifyBooking,
  isOfBank,
  type BookingIdentity,
  type BookingReference,
} from '../../domain/reconciliation/booking-identity.ts';
import type { StatementLinePiece } from '../../domain/reconciliation/statement-piece.ts';

/**
 * ISO 20022 Max35Text: references and codes are no longer and have no blanks. What has is prose of a
 * payer, may name people, and is none of ours: it is not kept.
 */
const REFERENCE = /^[\x21-\x7e]{1,35}$/;

/** A line as it is stored: what matching needs, and no names, texts or account numbers. */
export function lineToStore(piece: StatementLinePiece): NewStatementLine {
  return {
    line: piece.lineNumber,
    entry: piece.entry.number,
    reference: referenceText(piece.endToEndId),
    bankReference: referenceText(piece.bankReference),
    amount: piece.amount,
    currency: piece.currency,
    direction: piece.direction,
    isReversal: piece.reversal,
    booked: piece.status === 'BOOK',
    bookedAt: readBookedAt(piece.bookedAt ?? piece.valueDate),
    reason: reasonCode(piece.returnReason),
    isReturn: piece.isReturn,
    creditorReferences: piece.creditorReferences,
    isEntryReference: piece.isEntryReference,
    ...bookingOf(piece),
  };
}

/**
 * What tells one booking from another: a key of each reference that a bank gave it, with the amount and the currency.
 * Only of credits, and of what takes one back. `bookingKey` is the one key that the release before this one knows:
 * null where there is no such reference.
 */
function bookingOf(
  piece: StatementLinePiece,
): Pick<NewStatementLine, 'bookingKey' | 'bookingReferences'> {
  const isCrediting = piece.status === 'BOOK' && (piece.direction === 'CRDT' || piece.isReturn);
  if (!isCrediting) return { bookingKey: null, bookingReferences: [] };
  const identity = identifyBooking(piece);
  const keys = identity.references
    .filter(isOfBank)
    .map((reference) => ({ kind: reference.kind, key: keyOf(identity, reference) }));
  return {
    bookingKey: keys[0]?.key ?? null,
    bookingReferences: keys.map(({ kind, key }) => `${kind}:${key.toString('base64url')}`),
  };
}

/** An entry's reference has the key that it has where the transaction is shown alone. */
function keyOf(
  { direction, amount, currency }: BookingIdentity,
  { kind, value }: BookingReference,
): Buffer {
  const element = kind === 'EntryAcctSvcrRef' ? 'AcctSvcrRef' : kind;
  const told = [direction, element, value, amount, currency];
  return createHash('sha256').update(JSON.stringify(told)).digest();
}

function referenceText(text: string | null): string | null {
  return text !== null && REFERENCE.test(text) ? text : null;
}

function reasonCode(text: string | null): string | null {
  if (text === null || text === '') return null;
  return /^[A-Za-z0-9_]{1,35}$/.test(text) ? text.toUpperCase() : 'UNSPECIFIED';
}

/** A date is its first moment in UTC; a time without a zone is taken as UTC, whatever ours is. Null: none that we hold. */
export function readBookedAt(text: string | null): Date | null {
  if (text === null) return null;
  const isLocal = text.includes('T') && !/(?:Z|[+-][0-9]{2}:[0-9]{2})$/.test(text);
  return readMoment(isLocal ? `${text}Z` : text);
}
