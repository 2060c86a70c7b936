/** How a value may be written, and what is kept of it. */
export interface WrittenForm {
  /** ECMA-262, anchored: what a request may hold. Fit for JSON Schema's `pattern`. */
  readonly pattern: string;
  /** Characters, separators included. */
  readonly minLength: number;
  readonly maxLength: number;
  /** The canonical form of a text that fits the pattern. */
  readonly normalise: (text: string) => string;
}

/** So many characters of one class ("0-9", "A-Z"): exactly `least` where `most` is left out. */
export type Run = readonly [characters: string, least: number, most?: number];

/**
 * Blanks as printed, within a class of a pattern: those that break no line (U+00A0, U+202F), too. The characters
 * themselves, as partners' languages have no escape for them in common.
 */
export const BLANKS = ' \u00a0\u202f';

// People copy what is printed: "12-34-56", "DE89 3704 0044". A partner may leave that as it is.
const SEPARATORS = new RegExp(`[${BLANKS}\\-]`, 'g');
// The hyphen escaped: HTML reads patterns by the v flag, which wants that.
/** Any number of blanks and hyphens. */
export const SEPARATOR_PATTERN = `[${BLANKS}\\-]*`;

/** A text without the blanks and hyphens that print puts between its characters. */
export function withoutSeparators(text: string): string {
  return text.replace(SEPARATORS, '');
}

/**
 * A code of digits and capital letters. Blanks and hyphens between them and small letters are taken, and
 * are gone from the canonical form; there may be as many separators as characters.
 */
export function codeForm(...runs: readonly Run[]): WrittenForm {
  const parts = runs.map(([characters, least, most = least]) => {
    const times = least === most ? `{${least}}` : `{${least},${most}}`;
    return `(?:[${withSmallLetters(characters)}]${SEPARATOR_PATTERN})${times}`;
  });
  return {
    pattern: `^${SEPARATOR_PATTERN}${parts.join('')}$`,
    minLength: runs.reduce((sum, [, least]) => sum + least, 0),
    maxLength: 2 * runs.reduce((sum, [, least, most = least]) => sum + most, 0),
    normalise: (text) => withoutSeparators(text).toUpperCase(),
  };
}

/** A number of `least` to `most` digits, exactly `least` where `most` is left out. Leading zeros stay. */
export function digitsForm(least: number, most = least): WrittenForm {
  return codeForm(['0-9', least, most]);
}

/** Whether a text is written so that `normalise` may be asked. */
export function isWritten(form: WrittenForm, text: string): boolean {
  // The length first: no expression ever sees a text that is out of all proportion.
  return text.length <= form.maxLength && new RegExp(form.pattern, 'u').test(text);
}

function withSmallLetters(characters: string): string {
  return characters.replace(/[A-Z](?:-[A-Z])?/g, (letters) => letters + letters.toLowerCase());
}
