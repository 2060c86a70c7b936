/**
 * Does this look like a UK sort code, six digits? Format only: which checks an account number must
 * pass for a sort code is in Pay.UK's Vocalink tables, which change quarterly.
 */
export function isValidSortCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}
