import { minorDigits } from './currencies.ts';
import { splitDecimal } from './decimal-text.ts';

export type AmountProblem = 'format' | 'not_positive' | 'too_large' | 'too_precise';

type ParsedAmount =
  | { readonly ok: true; readonly minor: bigint }
  | { readonly ok: false; readonly problem: AmountProblem };

/** Amounts stay below 10^12 major units: that many whole digits at the most. */
const WHOLE_DIGITS_MAX = 12;

/**
 * Reads an amount in major units from a JSON number's source text or a decimal string into minor
 * units. Written decimals count: "10.000" is too precise for USD although its value would fit.
 * Throws RangeError for an unknown currency; never for the text.
 */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const digits = minorDigits(currency);
  const parts = splitDecimal(text);
  if (parts === null) return { ok: false, problem: 'format' };
  if (parts.fraction.length > digits) return { ok: false, problem: 'too_precise' };
  // Before BigInt sees it: a body full of digits must not cost a body full of arithmetic.
  if (parts.whole.length > WHOLE_DIGITS_MAX) return { ok: false, problem: 'too_large' };
  const minor = BigInt(parts.whole + parts.fraction.padEnd(digits, '0'));
  return minor > 0n ? { ok: true, minor } : { ok: false, problem: 'not_positive' };
}

/** Is an amount that was worked out one that could also have been asked for: below 10^12 major units? */
export function isBelowAmountLimit(minor: bigint, currency: string): boolean {
  return minor < 10n ** BigInt(WHOLE_DIGITS_MAX + minorDigits(currency));
}

/** Minor units as major-unit text with exactly the currency's decimals; "-" before negative ones. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = minorDigits(currency);
  const sign = minor < 0n ? '-' : '';
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * The two decimals by which the sandbox chooses a behaviour: USD 10.01 and KWD 1.010 give 1; of a
 * currency without decimals the whole amount mod 100. Null where further decimals are not zero
 * (KWD 1.015): such an amount has no two-decimal part.
 */
export function magicMinorPart(minor: bigint, currency: string): number | null {
  const digits = minorDigits(currency);
  if (digits <= 2) return Number(minor % 100n);
  const beyondTwoDecimals = 10n ** BigInt(digits - 2);
  if (minor % beyondTwoDecimals !== 0n) return null;
  return Number((minor / beyondTwoDecimals) % 100n);
}
