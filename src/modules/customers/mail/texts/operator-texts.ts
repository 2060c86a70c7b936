import { facts, link, text, type MailText } from '../mail-text.ts';

/** A person asks for access. */
export const opsRequestReceived = (given: {
  readonly requestId: string;
  readonly url: string;
}): MailText => ({
  subject: 'A request for access waits',
  blocks: [
    text('A person has asked for access.'),
    facts(['Request', given.requestId]),
    link('Read it', given.url),
  ],
});

/** No one has decided for two days. */
export const opsRequestWaiting = (given: {
  readonly requestId: string;
  readonly days: number;
  readonly url: string;
}): MailText => ({
  subject: 'A request for access still waits',
  blocks: [
    text(`No operator has decided about it for ${String(given.days)} days.`),
    facts(['Request', given.requestId]),
    link('Read it', given.url),
  ],
});

export const opsApprovalWaiting = (given: {
  readonly approvalId: string;
  /** What kind of decision it is, in words of ours. */
  readonly what: string;
  readonly url: string;
}): MailText => ({
  subject: 'An approval waits for a second operator',
  blocks: [
    text('Another operator has proposed it. It takes effect once a second operator approves.'),
    facts(['Approval', given.approvalId], ['About', given.what]),
    link('See it', given.url),
  ],
});

/** Payments that no rule moves on any more. */
export const opsPaymentsStuck = (given: {
  readonly count: number;
  readonly url: string;
}): MailText => ({
  subject: 'Payments need an operator',
  blocks: [
    text(
      given.count === 1
        ? 'One payment waits for an operator to decide.'
        : `${String(given.count)} payments wait for an operator to decide.`,
    ),
    link('See them', given.url),
  ],
});

/** Something that customers ask for, and that no one has been told of. */
export const opsDecisionWaiting = (given: {
  /** What it is, in words of ours. */
  readonly what: string;
  readonly count: number;
  readonly url: string;
}): MailText => ({
  subject: 'Customers wait for a decision',
  blocks: [
    text('It takes effect once two operators agree.'),
    facts(['About', given.what], ['New ones', String(given.count)]),
    link('See what waits', given.url),
  ],
});

/** Money that came in, or is to leave, and goes on only once operators have looked. */
export const opsMoneyWaiting = (given: {
  /** What it is, in words of ours. */
  readonly what: string;
  readonly count: number;
  readonly url: string;
}): MailText => ({
  subject: 'Money waits for an operator',
  blocks: [
    text('It does not go on by itself.'),
    facts(['About', given.what], ['New ones', String(given.count)]),
    link('See what waits', given.url),
  ],
});

/** An account was made by a command, which no one in the console has seen. */
export const opsOperatorAdded = (given: {
  readonly operatorId: string;
  readonly role: string;
  readonly isConfirmed: boolean;
  readonly url: string;
}): MailText => ({
  subject: 'An operator was added by a command',
  blocks: [
    text(
      given.isConfirmed
        ? 'There is no admin yet who could confirm it, so the account approves at once.'
        : 'The account approves nothing before an admin has confirmed it.',
    ),
    text('If none of you has asked for it, an admin disables it.'),
    facts(['Operator', given.operatorId], ['Role', given.role.toLowerCase()]),
    link('See the operators', given.url),
  ],
});
