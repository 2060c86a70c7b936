/** What could steer a terminal, or turn the direction of its text; a line feed is let through. */
const UNPRINTABLE = /[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/gu;

/**
 * Text of others for a terminal: what cannot be printed is written as JSON writes it (`\u001b`). JSON stays
 * the same JSON, for there such a character stands only within a text.
 */
export function escapeUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
