import { isValidIBAN } from 'ibantools';

/** ISO 13616 electronic format: upper case, without the blanks of the printed form. */
export function normaliseIban(text: string): string {
  return text.replaceAll(' ', '').toUpperCase();
}

/**
 * Is this an IBAN in electronic format: a country of the registry, its length and structure, and the
 * check digits by ISO 7064 mod 97-10? Where a country has a national check digit, that too.
 */
export function isValidIban(text: string): boolean {
  // mod 97 alone lets 00, 01 and 99 pass for 97, 98 and 02; ISO 13616-1 generates 02 to 98 only.
  if (!/^[A-Z]{2}(?!00|01|99)[0-9]{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  return isValidIBAN(text);
}

/** The ISO 3166-1 alpha-2 code that an IBAN begins with. */
export function ibanCountry(iban: string): string {
  return iban.slice(0, 2);
}
