/** Six digits, without the hyphen or blank in the middle ("062-000"). */
export function normaliseBsb(text: string): string {
  return text.replace(/^([0-9]{3})[- ]([0-9]{3})$/, '$1$2');
}

/** Does this look like a BSB (Australia), six digits? Format only: a BSB has no check digit. */
export function isValidBsb(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}
