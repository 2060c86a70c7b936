/** Six digits, without the hyphens or blanks between pairs ("12-34-56"). */
export function normaliseSortCode(text: string): string {
  return text.replace(/^([0-9]{2})[- ]([0-9]{2})[- ]([0-9]{2})$/, '$1$2$3');
}

/**
 * Does this look like a UK sort code, six digits? Format only: which checks an account number must
 * pass for a sort code is in Pay.UK's Vocalink tables, which change quarterly.
 */
export function isValidSortCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}
