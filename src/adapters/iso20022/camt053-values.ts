import { FRACTION_DIGITS_MAX } from '../../domain/reconciliation/decimal-units.ts';
import type { Direction, EntryStatus } from '../../domain/reconciliation/statement-types.ts';

const WHOLE_DIGITS_MAX = 18;
const TEXT_MAX = 64;

/**
 * An xs:decimal that is not negative, as plain decimal text ("+010." is "10", ".5" is "0.5");
 * null for anything else.
 */
export function readDecimal(text: string): string | null {
  const match = text.length > TEXT_MAX ? null : /^\+?([0-9]*)(?:\.([0-9]*))?$/.exec(text);
  if (match === null) return null;
  const [, wholeDigits = '', fraction = ''] = match;
  if (wholeDigits === '' && fraction === '') return null;
  const whole = wholeDigits.replace(/^0+(?=[0-9])/, '') || '0';
  if (whole.length > WHOLE_DIGITS_MAX || fraction.length > FRACTION_DIGITS_MAX) return null;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

export function readCurrency(text: string): string | null {
  return /^[A-Z]{3}$/.test(text) ? text : null;
}

export function readDirection(text: string): Direction | null {
  return text === 'CRDT' || text === 'DBIT' ? text : null;
}

/** xs:boolean; null for anything else. */
export function readIndicator(text: string): boolean | null {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}

/** FUTR (a future booking, in later code lists) has moved nothing yet, like PDNG. */
export function readEntryStatus(text: string): EntryStatus | null {
  if (text === 'BOOK' || text === 'PDNG' || text === 'INFO') return text;
  return text === 'FUTR' ? 'PDNG' : null;
}

/** xs:date without its zone, or xs:dateTime as written; null where it is neither. */
export function readWhen(text: string): string | null {
  const zone = '(?:Z|[+-][0-9]{2}:[0-9]{2})?';
  const date = new RegExp(`^([0-9]{4}-[0-9]{2}-[0-9]{2})${zone}$`).exec(text)?.[1];
  if (date !== undefined) return isCalendarDate(date) ? date : null;
  const time = new RegExp(
    `^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?${zone}$`,
  ).exec(text);
  if (time?.[1] === undefined || !isCalendarDate(time[1])) return null;
  return Number.isNaN(Date.parse(text)) ? null : text;
}

function isCalendarDate(date: string): boolean {
  const milliseconds = Date.parse(date);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date);
}

/** A reference, ours or the bank's; null where the bank says that there was none. */
export function readReference(text: string): string | null {
  return /^(?:NOT ?PROVIDED|NONREF)$/i.test(text) ? null : text;
}

/** A count or sequence of at most 18 digits; null for anything else. */
export function readWholeNumber(text: string): bigint | null {
  return /^\+?[0-9]{1,18}$/.test(text) ? BigInt(text.replace('+', '')) : null;
}

/** PMNT families and sub-families of the external bank transaction codes, as far as they matter here. */
export interface BankTransactionCode {
  family: string | null;
  subFamily: string | null;
}

/** Issued and received credit transfers, instant (real-time) ones too. */
const CREDIT_TRANSFER_FAMILIES = /^(?:ICDT|RCDT|IRCT|RRCT)$/;

/**
 * Sub-families of credit transfers by which a bank says that an earlier one came back (ISO 20022
 * External Code Sets, ExternalBankTransactionSubFamily1Code): RRTN reversal due to payment return or
 * reimbursement, RPCR reversal due to payment cancellation request, ARET ACH return. Not AREV (ACH
 * reversal), which the originator of a transfer asks for, and not RRCT, which is a family here and
 * otherwise a purpose code that the payer chooses.
 */
const RETURN_SUB_FAMILIES = /^(?:ARET|RPCR|RRTN)$/;

/**
 * The bank books the return of a credit transfer. Only banks write this code: a payer chooses the
 * references, the purpose and the remittance text, which say nothing here.
 */
export function isReturnCode({ family, subFamily }: BankTransactionCode): boolean {
  if (family === null || subFamily === null) return false;
  return CREDIT_TRANSFER_FAMILIES.test(family) && RETURN_SUB_FAMILIES.test(subFamily);
}

/**
 * ISO 20022 external bank transaction sub-family codes of fees, commissions, taxes and interest. Banks
 * book those under the reference of the payment that they are for, which they are no part of.
 */
const CHARGE_SUB_FAMILIES = /^(?:CHRG|COM[EIMT]|FEES|INTR|TAXE)$/;

export function isCharge({ subFamily }: BankTransactionCode): boolean {
  return subFamily !== null && CHARGE_SUB_FAMILIES.test(subFamily);
}
