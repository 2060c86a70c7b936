import type { UserRole } from '../../../../domain/customers/access/user-rights.ts';
import { facts, link, moment, oneLine, text, type MailText } from '../mail-text.ts';

/** The invitation of a user. */
export const invitation = (given: {
  readonly company: string;
  readonly role: UserRole;
  readonly url: string;
  readonly endsAt: Date;
}): MailText => ({
  subject: 'You have been invited to Causeway',
  blocks: [
    text(`You have been invited to join the account of ${oneLine(given.company)}.`),
    facts(['Your role', given.role.toLowerCase()], ['Expires', moment(given.endsAt)]),
    link('Accept the invitation', given.url),
    text('If you did not expect this invitation, ignore this email.'),
  ],
});

/** To a user's new address. The address changes when the user opens the link. */
export const addressToVerify = (given: {
  readonly url: string;
  readonly endsAt: Date;
}): MailText => ({
  subject: 'Confirm your email address',
  blocks: [
    text('A user entered this address as their new email address. Confirm it to start using it.'),
    link('Confirm the address', given.url),
    text(
      `The link expires on ${moment(given.endsAt)}. If you did not request this, ignore this email.`,
    ),
  ],
});

/** To a user's old address, before the new one is confirmed. */
export const addressChangeAsked = (given: {
  readonly at: Date;
  readonly url: string;
  readonly endsAt: Date;
}): MailText => ({
  subject: 'Request to change your email address',
  blocks: [
    text(
      `On ${moment(given.at)}, someone logged in to your account requested a new email address. When the new address is confirmed, login codes go there instead of here.`,
    ),
    text(
      'If this was not you, keep this address. That cancels the change and ends all your sessions.',
    ),
    link('Keep this address', given.url),
    text(`The link expires on ${moment(given.endsAt)}, or when the new address is confirmed.`),
  ],
});

/** To a user's old address. */
export const addressChanged = (given: { readonly at: Date }): MailText => ({
  subject: 'Your email address was changed',
  blocks: [
    text(
      `Your email address was changed on ${moment(given.at)}. Login codes now go to the new address.`,
    ),
    text('If this was not you, tell an owner of your account now. An owner can disable the user.'),
  ],
});

export const roleChanged = (given: {
  readonly role: UserRole;
  readonly company: string;
  readonly at: Date;
}): MailText => ({
  subject: 'Your role was changed',
  blocks: [
    text(`Your role in the account of ${oneLine(given.company)} was changed.`),
    facts(['Your role', given.role.toLowerCase()], ['Since', moment(given.at)]),
    text('You were logged out. Log in again to continue.'),
  ],
});

/** To the person who requested access. */
export const requestReceived = (given: { readonly requestId: string }): MailText => ({
  subject: 'We received your access request',
  blocks: [
    text('Thank you for your request. We will email you when we have decided.'),
    facts(['Request', given.requestId]),
    text('If you did not request access, ignore this email.'),
  ],
});

export const requestDeclined = (given: { readonly requestId: string }): MailText => ({
  subject: 'Your access request was declined',
  blocks: [
    text('We are sorry, but we cannot offer you an account at this time.'),
    facts(['Request', given.requestId]),
    text('We erase the details of your request in 30 days.'),
  ],
});
