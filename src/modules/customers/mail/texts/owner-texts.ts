import type { Environment } from '../../../../domain/scope.ts';
import { facts, link, moment, text, type MailText } from '../mail-text.ts';

interface OfKey {
  readonly keyId: string;
  readonly keyName: string;
  readonly environment: Environment;
  /** The key's page. */
  readonly url: string;
}

const NOT_EXPECTED = text(
  'If no one at your company did this, revoke the key. Revoking takes effect within a second.',
);

const aboutKey = ({ keyId, keyName, environment }: OfKey) =>
  facts(['Key', keyName], ['ID', keyId], ['Environment', environment]);

export const keyCreated = (given: OfKey): MailText => ({
  subject: 'An API key was created',
  blocks: [
    text('Someone created an API key for your account. It is active now.'),
    aboutKey(given),
    link('View the key', given.url),
    NOT_EXPECTED,
  ],
});

export const keyRotated = (given: OfKey & { readonly oldEndsAt: Date }): MailText => ({
  subject: 'An API key was rotated',
  blocks: [
    text(`A new key replaces this key. The old key stops working on ${moment(given.oldEndsAt)}.`),
    aboutKey(given),
    link('View the key', given.url),
    NOT_EXPECTED,
  ],
});

export const keyRevoked = (given: OfKey): MailText => ({
  subject: 'An API key was revoked',
  blocks: [
    text('Requests with this key now fail.'),
    aboutKey(given),
    link('View the key', given.url),
  ],
});

/** Sent 30, 7, and 1 days before the key expires. */
export const keyExpiring = (
  given: OfKey & { readonly days: number; readonly endsAt: Date },
): MailText => ({
  subject: 'An API key expires soon',
  blocks: [
    text(
      `This key expires in ${given.days === 1 ? '1 day' : `${String(given.days)} days`}, on ${moment(given.endsAt)}. Requests with it fail after that.`,
    ),
    aboutKey(given),
    link('Rotate the key', given.url),
  ],
});

/** Two operators approved an address of a key's IP allowlist, or one declined it. */
export const rangeDecided = (
  given: OfKey & { readonly range: string; readonly isApproved: boolean },
): MailText => ({
  subject: given.isApproved ? 'An IP address was approved' : 'An IP address was declined',
  blocks: [
    text(
      given.isApproved
        ? 'You can now use the key from this address.'
        : 'You cannot use the key from this address. Addresses approved earlier stay approved.',
    ),
    facts(['Address', given.range]),
    aboutKey(given),
    link('View the key', given.url),
  ],
});

const LIVE = {
  APPROVED: ['Live access was approved', 'You can now create live API keys.'],
  DECLINED: ['Live access was declined', 'The page lists what is missing.'],
  WITHDRAWN: ['Live access was withdrawn', 'Requests with live API keys now fail.'],
} as const;

export const liveAccessDecided = (given: {
  readonly decision: keyof typeof LIVE;
  readonly url: string;
}): MailText => {
  const [subject, words] = LIVE[given.decision];
  return { subject, blocks: [text(words), link('View your live access', given.url)] };
};

export const customerSuspended = (given: { readonly at: Date }): MailText => ({
  subject: 'Your account was suspended',
  blocks: [
    text(
      `Your account was suspended on ${moment(given.at)}. You can log in and view your data. You cannot make payments or changes.`,
    ),
    text('Contact your account manager to resolve this.'),
  ],
});

const DISABLED_FOR = {
  FAILING: 'All deliveries to this endpoint failed for four days, so we disabled it.',
  RECEIVER_GONE: 'The endpoint answered 410 Gone, so we disabled it.',
} as const;

export const endpointDisabled = (given: {
  readonly endpointId: string;
  readonly environment: Environment;
  readonly reason: keyof typeof DISABLED_FOR;
  readonly url: string;
}): MailText => ({
  subject: 'A webhook endpoint was disabled',
  blocks: [
    text(
      `${DISABLED_FOR[given.reason]} We keep its events and send them when you enable the endpoint again.`,
    ),
    facts(['Endpoint', given.endpointId], ['Environment', given.environment]),
    link('View the deliveries', given.url),
  ],
});

/** To owners and finance users, at most once an hour: payments are over a limit of the customer. */
export const paymentsWaiting = (given: {
  readonly count: number;
  readonly environment: Environment;
  readonly url: string;
}): MailText => ({
  subject: 'Payments wait for your approval',
  blocks: [
    text(
      `${given.count === 1 ? '1 payment is' : `${String(given.count)} payments are`} over a limit of your company. Approve or decline ${given.count === 1 ? 'it' : 'them'}. After 7 days ${given.count === 1 ? 'it fails' : 'they fail'}, and the funds go back to your balance.`,
    ),
    facts(['Environment', given.environment]),
    link('View the payments', given.url),
    text('If you do not know them, decline them and revoke the API key.'),
  ],
});
