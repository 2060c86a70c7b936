/**
 * Is this an IFSC (India): four letters of the bank, a zero, six letters or digits of the branch?
 * Format only; the list of branches is the Reserve Bank's.
 */
export function isValidIfsc(text: string): boolean {
  return /^[A-Z]{4}0[A-Z0-9]{6}$/.test(text);
}
