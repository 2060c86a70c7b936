/** A part of a mail. */
export type MailBlock =
  | { readonly kind: 'TEXT'; readonly text: string }
  /** To be typed over. */
  | { readonly kind: 'CODE'; readonly code: string }
  | { readonly kind: 'LINK'; readonly label: string; readonly url: string }
  | { readonly kind: 'FACTS'; readonly facts: readonly (readonly [name: string, value: string])[] };

/**
 * What a mail says. No subject holds a code, a link or anything that another person typed; no mail holds a
 * picture, an amount, or data of an end-user.
 */
export interface MailText {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
}

export const text = (words: string): MailBlock => ({ kind: 'TEXT', text: words });
export const code = (digits: string): MailBlock => ({ kind: 'CODE', code: digits });
export const link = (label: string, url: string): MailBlock => ({ kind: 'LINK', label, url });
export const facts = (...pairs: readonly (readonly [string, string])[]): MailBlock => ({
  kind: 'FACTS',
  facts: pairs.map(([name, value]) => [name, oneLine(value)]),
});

/** Controls, line ends, and what turns the direction of text: no one can add a line to a mail of ours. */
const NOT_OF_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const SHOWN_MAX = 200;

/** What a person typed, as one line of at most 200 characters. */
export function oneLine(typed: string): string {
  const line = typed.replace(NOT_OF_A_LINE, ' ').trim();
  return line.length <= SHOWN_MAX ? line : `${line.slice(0, SHOWN_MAX - 1)}…`;
}

/** A time in UTC, as mails show it: `November 22, 2026, 10:05 UTC`. */
export function moment(at: Date): string {
  const day = at.toLocaleDateString('en-US', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}
