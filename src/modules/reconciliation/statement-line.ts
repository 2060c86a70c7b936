import { createHash } from 'node:crypto';
import type { NewStatementLine } from '../../db/reconciliation/statement-line-store.ts';
import { readMoment } from '../../domain/moments.ts';
import { fromUnits, toUnits } from '../../domain/reconciliation/decimal-units.ts';
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
    bookedAt: readBookedAt(piece.bookedAt),
    reason: reasonCode(piece.returnReason),
    isReturn: piece.isReturn,
    creditorReferences: piece.creditorReferences,
    bookingKey: bookingKey(piece),
  };
}

/**
 * What tells one booking from another on overlapping statements: the bank's own reference (else that of
 * the payer's bank), the amount and the currency. Only of credits, and of what takes one back. Null
 * where there is no such reference: then the line itself is the booking.
 */
function bookingKey(piece: StatementLinePiece): Buffer | null {
  const { bankReference, transactionId, amount, currency, direction, status } = piece;
  const isCrediting = status === 'BOOK' && (direction === 'CRDT') !== piece.isReturn;
  const reference = bankReference ?? transactionId;
  if (!isCrediting || reference === null) return null;
  const kind = bankReference === null ? 'TxId' : 'AcctSvcrRef';
  const told = [direction, kind, reference, fromUnits(toUnits(amount)), currency];
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
