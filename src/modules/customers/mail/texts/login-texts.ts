import { code, facts, link, moment, oneLine, text, type MailText } from '../mail-text.ts';

const NOT_YOU = text(
  'If you did not request this code, ignore this email. No one can log in without the code. Never share it. We never ask for it.',
);

/** The code of a login. `site`: which of the two it opens, as its host. */
export const loginCode = (given: {
  readonly code: string;
  readonly site: string;
  readonly minutes: number;
}): MailText => ({
  subject: 'Your login code',
  blocks: [
    text(`Use this code to log in at ${given.site}.`),
    code(given.code),
    text(
      `The code works once, for ${String(given.minutes)} minutes, in the browser that requested it.`,
    ),
    NOT_YOU,
  ],
});

/** The code that confirms one action of a person who is logged in. */
export const stepUpCode = (given: {
  readonly code: string;
  /** What is being done: "create an API key". */
  readonly act: string;
  readonly minutes: number;
}): MailText => ({
  subject: 'Your confirmation code',
  blocks: [
    text(`This code confirms one action: ${oneLine(given.act)}.`),
    code(given.code),
    text(
      `The code works once, for ${String(given.minutes)} minutes, in the browser that requested it.`,
    ),
    text(
      'If you did not request this code, someone else is logged in to your account. Log in and end your other sessions. Never share the code.',
    ),
  ],
});

/** A passkey was added to the account, or removed from it. */
export const passkeyChanged = (given: {
  readonly change: 'added' | 'removed';
  readonly at: Date;
  readonly settingsUrl: string;
}): MailText => ({
  subject: given.change === 'added' ? 'Passkey added' : 'Passkey removed',
  blocks: [
    text(
      given.change === 'added'
        ? 'Someone added a passkey to your account.'
        : 'Someone removed a passkey from your account.',
    ),
    facts(['When', moment(given.at)]),
    text(
      'If this was you, you do not need to do anything. If it was not, remove unknown passkeys and end your other sessions now.',
    ),
    link('View your passkeys', given.settingsUrl),
  ],
});

/** A login from a browser that the person has not used before. */
export const newDevice = (given: {
  readonly at: Date;
  readonly browser: string;
  readonly sessionsUrl: string;
}): MailText => ({
  subject: 'New login to your account',
  blocks: [
    text('Someone logged in to your account from a new browser.'),
    facts(['When', moment(given.at)], ['Browser', given.browser]),
    text('If this was you, you do not need to do anything. If it was not, end the session now.'),
    link('View your sessions', given.sessionsUrl),
  ],
});
