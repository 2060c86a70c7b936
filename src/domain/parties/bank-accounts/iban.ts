import { isValidIBAN } from 'ibantools';

import { withoutSeparators } from './written-form.ts';

/** ISO 13616 electronic format: upper case, without the blanks and hyphens of the printed form. */
export function normaliseIban(text: string): string {
  return withoutSeparators(text).toUpperCase();
}

/**
 * Is this an IBAN in electronic format: a country of the registry, its length and structure, and the
 * check digits by ISO 7064 mod 97-10? Where a country has a national check digit, that too.
 */
export function isValidIban(text: string): boolean {
  // Bounds the length before the library's arithmetic sees it. The library computes the check digits
  // anew: mod 97 = 1 alone would let 00, 01 and 99 pass for 97, 98 and 02.
  return /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(text) && isValidIBAN(text);
}

/** The ISO 3166-1 alpha-2 code that an IBAN begins with. */
export function ibanCountry(iban: string): string {
  return iban.slice(0, 2);
}
