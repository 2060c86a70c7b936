/** A decimal as text, split where its point is. Neither part has been read as a number. */
interface DecimalText {
  readonly whole: string;
  readonly fraction: string;
}

// No sign, exponent, blank or separator; digits on both sides of a point; no leading zero beside a
// lone one: "01" is not a JSON number, so the string form of an amount may not be one either.
const PLAIN_DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Splits a plain unsigned decimal ("10", "10.50"); null for everything else (" 1", "1e3", ".5"). */
export function splitDecimal(text: string): DecimalText | null {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) return null;
  return { whole: match[1] ?? '', fraction: match[2] ?? '' };
}

/** Cuts zeros off the end. A loop, because /0+$/ takes quadratic time on "000...01". */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * The canonical form of a plain decimal, so that 10, "10.0" and "10.00" give the same request
 * fingerprint. Text that is not a plain decimal comes back unchanged.
 */
export function normaliseDecimal(text: string): string {
  const parts = splitDecimal(text);
  if (parts === null) return text;
  const fraction = withoutTrailingZeros(parts.fraction);
  return fraction === '' ? parts.whole : `${parts.whole}.${fraction}`;
}
