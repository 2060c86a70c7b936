import type { UserRole } from '../../../../domain/customers/access/user-rights.ts';
import { facts, link, moment, oneLine, text, type MailText } from '../mail-text.ts';

/** The link that makes an invited address a user's. */
export const invitation = (given: {
  readonly company: string;
  readonly role: UserRole;
  readonly url: string;
  readonly endsAt: Date;
}): MailText => ({
  subject: 'You are invited to Causeway',
  blocks: [
    text(`You are invited to work with the account of ${oneLine(given.company)}.`),
    facts(['Your role', given.role.toLowerCase()], ['Open until', moment(given.endsAt)]),
    link('Accept the invitation', given.url),
    text('If you did not expect this, ignore it: nothing happens without you.'),
  ],
});

/** To a user's new address, which is not theirs before the link was used. */
export const addressToVerify = (given: {
  readonly url: string;
  readonly endsAt: Date;
}): MailText => ({
  subject: 'Confirm your e-mail address',
  blocks: [
    text('This address was entered as the new one of a user. It holds once it is confirmed.'),
    link('Confirm the address', given.url),
    text(`The link is good until ${moment(given.endsAt)}. If that was not you, ignore this mail.`),
  ],
});

/** To a user's old address, while the new one has not answered. */
export const addressChangeAsked = (given: {
  readonly at: Date;
  readonly url: string;
  readonly endsAt: Date;
}): MailText => ({
  subject: 'Another e-mail address was asked for',
  blocks: [
    text(
      `On ${moment(given.at)} a person who was logged in to your account asked for another e-mail address. It holds once it is confirmed there; then codes no longer come here.`,
    ),
    text('If that was not you, keep this address: the change is over, and all your sessions end.'),
    link('Keep this address', given.url),
    text(`The link is good until ${moment(given.endsAt)}, or until the new address is confirmed.`),
  ],
});

/** To a user's old address. */
export const addressChanged = (given: { readonly at: Date }): MailText => ({
  subject: 'Your e-mail address was changed',
  blocks: [
    text(
      `Since ${moment(given.at)} your account has another e-mail address. Codes go there, and no longer here.`,
    ),
    text('If that was not you, tell an owner of your account at once: they can disable the user.'),
  ],
});

export const roleChanged = (given: {
  readonly role: UserRole;
  readonly company: string;
  readonly at: Date;
}): MailText => ({
  subject: 'Your role was changed',
  blocks: [
    text(`Your role in the account of ${oneLine(given.company)} is another one now.`),
    facts(['Your role', given.role.toLowerCase()], ['Since', moment(given.at)]),
    text('You were logged out. Log in again to go on.'),
  ],
});

/** To the one who asked for access. */
export const requestReceived = (given: { readonly requestId: string }): MailText => ({
  subject: 'We have your request',
  blocks: [
    text('Thank you. We read every request; you get a mail when it is decided.'),
    facts(['Request', given.requestId]),
    text('If you did not ask for access, ignore this mail.'),
  ],
});

export const requestDeclined = (given: { readonly requestId: string }): MailText => ({
  subject: 'Your request was declined',
  blocks: [
    text('We are sorry: we cannot offer you an account at this time.'),
    facts(['Request', given.requestId]),
    text('What you told us is erased in 30 days.'),
  ],
});
