import { isCountry } from '../corridors/countries.ts';

/**
 * Upper case without blanks; the branch code XXX is dropped, because it names the head office just as
 * eight characters do (ISO 9362).
 */
export function normaliseBic(text: string): string {
  const bic = text.replaceAll(' ', '').toUpperCase();
  return bic.length === 11 && bic.endsWith('XXX') ? bic.slice(0, 8) : bic;
}

/**
 * Is this a BIC (ISO 9362:2022): party prefix of four letters or digits, an ISO 3166-1 country,
 * party suffix of two, and a branch of three or none? Whether it is connected is not asked.
 */
export function isValidBic(text: string): boolean {
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text)) return false;
  return isCountry(text.slice(4, 6));
}
