import { KYC_STATUSES } from '../kyc/kyc-states.ts';
import { PAYMENT_STATUSES } from '../payments/payment-states.ts';

const named = (family: string, names: readonly string[]): string[] =>
  [...new Set(names)].map((name) => `${family}.${name.toLowerCase()}`);

/** Every type an event can have. Additive only: receivers switch on these texts. */
export const EVENT_TYPES: readonly string[] = [
  ...named('end_user', ['created', 'updated', 'closed']),
  ...named('kyc', [...KYC_STATUSES, 'updated']),
  ...named('bank_account', ['created', 'activated', 'disabled']),
  ...named('payment', ['created', ...PAYMENT_STATUSES, 'reconciled', 'final', 'updated']),
  ...named('payment_batch', ['created', 'completed']),
  ...named('balance', ['credited', 'credit_reversed']),
  ...named('webhook_endpoint', ['updated', 'disabled']),
  'ping',
];

const FAMILIES = new Set(
  EVENT_TYPES.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0] ?? ''}.*`),
);

/** All that a subscription may name: a type, a family (`payment.*`) or everything (`*`). */
export const SUBSCRIPTIONS: readonly string[] = ['*', ...FAMILIES, ...EVENT_TYPES];

export function isSubscription(text: string): boolean {
  return SUBSCRIPTIONS.includes(text);
}
