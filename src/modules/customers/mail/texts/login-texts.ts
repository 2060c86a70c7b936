import { code, facts, link, moment, oneLine, text, type MailText } from '../mail-text.ts';

const NOT_YOU = text(
  'If that was not you, ignore this mail: without the code nothing happens. Never share the code; we do not ask for it.',
);

/** The code of a login. `site`: which of the two it opens, as its host. */
export const loginCode = (given: {
  readonly code: string;
  readonly site: string;
  readonly minutes: number;
}): MailText => ({
  subject: 'Your code to log in',
  blocks: [
    text(`A person, most likely you, is logging in at ${given.site}.`),
    code(given.code),
    text(
      `It is good for ${String(given.minutes)} minutes, once, and only in the browser that asked for it.`,
    ),
    NOT_YOU,
  ],
});

/** The code that confirms one act of a person who is logged in. */
export const stepUpCode = (given: {
  readonly code: string;
  /** What is being done: "create an API key". */
  readonly act: string;
  readonly minutes: number;
}): MailText => ({
  subject: 'Your code to confirm a change',
  blocks: [
    text(`It confirms this and nothing else: ${oneLine(given.act)}.`),
    code(given.code),
    text(
      `It is good for ${String(given.minutes)} minutes, once, and only in the browser that asked for it.`,
    ),
    text(
      'If that was not you, another person is logged in as you: log in and end your other sessions. Never share the code.',
    ),
  ],
});

/** A login came from a browser that was not known. */
export const newDevice = (given: {
  readonly at: Date;
  readonly browser: string;
  readonly sessionsUrl: string;
}): MailText => ({
  subject: 'A new device logged in',
  blocks: [
    text('Your account was opened in a browser that had not been used for it before.'),
    facts(['When', moment(given.at)], ['Browser', given.browser]),
    text('If that was you, there is nothing to do. If not, end that session at once.'),
    link('See your sessions', given.sessionsUrl),
  ],
});
