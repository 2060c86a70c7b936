import { isCountry } from '../../payments/corridors/countries.ts';

/**
 * Upper case without blanks; the branch code XXX is dropped, because it names the head office just as
 * eight characters do (ISO 9362).
 */
export function normaliseBic(text: string): string {
  const bic = text.replaceAll(/[ \u00a0\u202f]/g, '').toUpperCase();
  return bic.length === 11 && bic.endsWith('XXX') ? bic.slice(0, 8) : bic;
}

/** The country of a valid BIC: ISO 3166-1 alpha-2. */
export const bicCountry = (bic: string): string => bic.slice(4, 6);

/**
 * Is this a BIC (ISO 9362:2022): party prefix of four letters or digits, an ISO 3166-1 country,
 * party suffix of two, and a branch of three or none? Whether it is connected is not asked.
 */
export function isValidBic(text: string): boolean {
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text)) return false;
  return isCountry(bicCountry(text));
}
