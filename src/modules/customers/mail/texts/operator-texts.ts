import { facts, link, text, type MailText } from '../mail-text.ts';

/** A person requests access. */
export const opsRequestReceived = (given: {
  readonly requestId: string;
  readonly url: string;
}): MailText => ({
  subject: 'New access request',
  blocks: [
    text('Someone requested access to Causeway.'),
    facts(['Request', given.requestId]),
    link('Review the request', given.url),
  ],
});

/** No operator has decided for two days. */
export const opsRequestWaiting = (given: {
  readonly requestId: string;
  readonly days: number;
  readonly url: string;
}): MailText => ({
  subject: 'An access request needs a decision',
  blocks: [
    text(`This access request has waited for ${String(given.days)} days.`),
    facts(['Request', given.requestId]),
    link('Review the request', given.url),
  ],
});

export const opsApprovalWaiting = (given: {
  readonly approvalId: string;
  /** The kind of decision, in our words. */
  readonly what: string;
  readonly url: string;
}): MailText => ({
  subject: 'An approval needs a second operator',
  blocks: [
    text('An operator proposed this change. It takes effect when a second operator approves it.'),
    facts(['Approval', given.approvalId], ['About', given.what]),
    link('Review the approval', given.url),
  ],
});

/** Payments that cannot continue without an operator. */
export const opsPaymentsStuck = (given: {
  readonly count: number;
  readonly url: string;
}): MailText => ({
  subject: 'Payments need an operator',
  blocks: [
    text(
      given.count === 1
        ? '1 payment is waiting for a decision.'
        : `${String(given.count)} payments are waiting for a decision.`,
    ),
    link('View the payments', given.url),
  ],
});

/** A request of customers that no operator has been notified of. */
export const opsDecisionWaiting = (given: {
  /** The kind of request, in our words. */
  readonly what: string;
  readonly count: number;
  readonly url: string;
}): MailText => ({
  subject: 'A customer request needs a decision',
  blocks: [
    text('The request takes effect when two operators approve it.'),
    facts(['About', given.what], ['New', String(given.count)]),
    link('Open the inbox', given.url),
  ],
});

/** A deposit or a payment that continues only after operators decide. */
export const opsMoneyWaiting = (given: {
  /** The kind of request, in our words. */
  readonly what: string;
  readonly count: number;
  readonly url: string;
}): MailText => ({
  subject: 'Money is waiting for an operator',
  blocks: [
    text('It does not continue until an operator acts.'),
    facts(['About', given.what], ['New', String(given.count)]),
    link('Open the inbox', given.url),
  ],
});

/** What has waited too long of one kind. */
export interface OverdueItem {
  /** The kind, in our words. */
  readonly what: string;
  readonly count: number;
  /** Whether there may be more than counted. */
  readonly isMore: boolean;
  /** Ids of some of which nobody was told today. */
  readonly examples: readonly string[];
}

/** What has waited too long, a line for each kind. */
export const opsOverdue = (given: {
  readonly items: readonly OverdueItem[];
  readonly url: string;
}): MailText => ({
  subject: 'Something has waited too long',
  blocks: [
    text('These have not moved within their time.'),
    facts(
      ...given.items.map(({ what, count, isMore, examples }): readonly [string, string] => [
        what,
        `${String(count)}${isMore ? ' or more' : ''}, for example ${examples.join(', ')}`,
      ]),
    ),
    link('Open the console', given.url),
  ],
});

/** A command added an operator. The console did not show it to anyone. */
export const opsOperatorAdded = (given: {
  readonly operatorId: string;
  readonly role: string;
  readonly isConfirmed: boolean;
  readonly url: string;
}): MailText => ({
  subject: 'An operator was added from the command line',
  blocks: [
    text(
      given.isConfirmed
        ? 'No admin exists yet to confirm the operator, so the operator can approve immediately.'
        : 'The operator cannot approve anything until an admin confirms the account.',
    ),
    text('If no one on your team requested this, disable the operator.'),
    facts(['Operator', given.operatorId], ['Role', given.role.toLowerCase()]),
    link('View the operators', given.url),
  ],
});
