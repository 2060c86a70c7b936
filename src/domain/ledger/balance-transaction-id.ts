import { ID_PREFIXES, isId } from '../ids.ts';

/** Crockford's base32, as TypeIDs write it. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Lines of one ledger transaction: what the five bits of an id's last digit can tell apart, from 1. */
export const ENTRY_LINES_MAX = 31;

/** One line of one ledger transaction. */
export interface EntryPlace {
  readonly transactionId: string;
  /** 1 to 31. */
  readonly line: number;
}

/**
 * The id under which a customer sees a ledger line: its transaction's, with the line's number mixed into
 * the five lowest random bits. No column holds it, and it is a TypeID like every other. Throws RangeError
 * for a line that has none.
 */
export function balanceTransactionId({ transactionId, line }: EntryPlace): string {
  if (line < 1 || line > ENTRY_LINES_MAX) throw new RangeError(`line ${String(line)} has no id`);
  return withLastDigitMixed(transactionId, line, ID_PREFIXES.balanceTransaction);
}

/** The places that an id may stand for: of the 31 at most one exists. None where it is no such id. */
export function placesOf(id: string): EntryPlace[] {
  if (!isId(ID_PREFIXES.balanceTransaction, id)) return [];
  return Array.from({ length: ENTRY_LINES_MAX }, (_none, index) => ({
    transactionId: withLastDigitMixed(id, index + 1, ID_PREFIXES.ledgerTransaction),
    line: index + 1,
  }));
}

function withLastDigitMixed(id: string, line: number, prefix: string): string {
  const suffix = id.slice(id.indexOf('_') + 1);
  const digit = DIGITS.charAt(DIGITS.indexOf(suffix.slice(-1)) ^ line);
  return `${prefix}_${suffix.slice(0, -1)}${digit}`;
}
