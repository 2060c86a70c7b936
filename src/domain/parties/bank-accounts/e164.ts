/**
 * Is this an international telephone number as ITU-T E.164 has it: plus, a country code that does not
 * begin with zero, at most 15 digits in all? A number has at least seven digits.
 */
export function isValidE164(text: string): boolean {
  return /^\+[1-9][0-9]{6,14}$/.test(text);
}
