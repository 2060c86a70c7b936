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
  'If no user of your company did this, revoke the key: that holds within a second.',
);

const aboutKey = ({ keyId, keyName, environment }: OfKey) =>
  facts(['Key', keyName], ['Id', keyId], ['Environment', environment]);

export const keyCreated = (given: OfKey): MailText => ({
  subject: 'An API key was created',
  blocks: [
    text('A new API key of your account can be used from now on.'),
    aboutKey(given),
    link('See the key', given.url),
    NOT_EXPECTED,
  ],
});

export const keyRotated = (given: OfKey & { readonly oldEndsAt: Date }): MailText => ({
  subject: 'An API key was rotated',
  blocks: [
    text(`A new key takes its place. The old one is refused from ${moment(given.oldEndsAt)} on.`),
    aboutKey(given),
    link('See the key', given.url),
    NOT_EXPECTED,
  ],
});

export const keyRevoked = (given: OfKey): MailText => ({
  subject: 'An API key was revoked',
  blocks: [
    text('Every request with it is refused.'),
    aboutKey(given),
    link('See the key', given.url),
  ],
});

/** 30, 7 and 1 days before the end. */
export const keyExpiring = (
  given: OfKey & { readonly days: number; readonly endsAt: Date },
): MailText => ({
  subject: 'An API key is about to expire',
  blocks: [
    text(
      `Requests with it are refused in ${given.days === 1 ? 'one day' : `${String(given.days)} days`}: from ${moment(given.endsAt)} on.`,
    ),
    aboutKey(given),
    link('Rotate the key', given.url),
  ],
});

/** Two operators, or one who declined, have decided about an address that a key may be used from. */
export const rangeDecided = (
  given: OfKey & { readonly range: string; readonly isApproved: boolean },
): MailText => ({
  subject: given.isApproved ? 'A network address was approved' : 'A network address was declined',
  blocks: [
    text(
      given.isApproved
        ? 'The key may be used from it now.'
        : 'The key may not be used from it. Whatever was approved before still is.',
    ),
    facts(['Address', given.range]),
    aboutKey(given),
    link('See the key', given.url),
  ],
});

const LIVE = {
  APPROVED: ['Live access was approved', 'You can create live keys now.'],
  DECLINED: ['Live access was declined', 'What is missing is on the page.'],
  WITHDRAWN: ['Live access was withdrawn', 'Requests with live keys are refused.'],
} as const;

export const liveAccessDecided = (given: {
  readonly decision: keyof typeof LIVE;
  readonly url: string;
}): MailText => {
  const [subject, words] = LIVE[given.decision];
  return { subject, blocks: [text(words), link('See where you stand', given.url)] };
};

export const customerSuspended = (given: { readonly at: Date }): MailText => ({
  subject: 'Your account is suspended',
  blocks: [
    text(
      `Since ${moment(given.at)} nothing can be changed and no payment can be made. You can still log in and see everything.`,
    ),
    text('Answer this through the contact that you have with us.'),
  ],
});

const DISABLED_FOR = {
  FAILING: 'It did not take deliveries for four days, so none are sent to it any more.',
  RECEIVER_GONE: 'It answered 410, which asks for no more deliveries, so none are sent to it.',
} as const;

export const endpointDisabled = (given: {
  readonly endpointId: string;
  readonly environment: Environment;
  readonly reason: keyof typeof DISABLED_FOR;
  readonly url: string;
}): MailText => ({
  subject: 'A webhook endpoint was disabled',
  blocks: [
    text(`${DISABLED_FOR[given.reason]} Events are kept, and sent once it is enabled again.`),
    facts(['Endpoint', given.endpointId], ['Environment', given.environment]),
    link('See what it answered', given.url),
  ],
});
