/** Does this look like a BSB (Australia), six digits? Format only: a BSB has no check digit. */
export function isValidBsb(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}
