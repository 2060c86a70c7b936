import { DEPOSIT_STATUSES, type DepositStatus } from '../onchain/deposits/deposit.ts';
import { CHECK_STATUSES, type CheckStatus } from '../parties/kyc/kyc-states.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../payments/payment-states.ts';

/** Every type an event can have: one of them for each version of a resource, and `ping`. */
export type EventType =
  | `end_user.${'created' | 'updated' | 'closed'}`
  | `kyc.${Lowercase<CheckStatus> | 'updated'}`
  | `bank_account.${'created' | 'activated' | 'disabled'}`
  | `wallet.${'created' | 'activated' | 'verified' | 'rejected' | 'disabled'}`
  | `deposit_address.${'created' | 'disabled'}`
  | `payment.${Lowercase<PaymentStatus> | 'created' | 'requoted' | 'reconciled' | 'final' | 'updated'}`
  | `payment_batch.${'created' | 'completed'}`
  | `deposit.${Lowercase<DepositStatus> | 'updated'}`
  | `balance.${'credited' | 'credit_reversed'}`
  | `webhook_endpoint.${'updated' | 'disabled'}`
  | 'ping';

const named = <Family extends string, Name extends string>(
  family: Family,
  names: readonly Name[],
): `${Family}.${Lowercase<Name>}`[] =>
  [...new Set(names)].map((name) => `${family}.${name.toLowerCase() as Lowercase<Name>}` as const);

/** The same as values. Additive only: receivers switch on these texts. */
export const EVENT_TYPES: readonly EventType[] = [
  ...named('end_user', ['created', 'updated', 'closed']),
  ...named('kyc', [...CHECK_STATUSES, 'updated']),
  ...named('bank_account', ['created', 'activated', 'disabled']),
  ...named('wallet', ['created', 'activated', 'verified', 'rejected', 'disabled']),
  ...named('deposit_address', ['created', 'disabled']),
  ...named('payment', [
    ...(['created', ...PAYMENT_STATUSES, 'requoted', 'reconciled', 'final', 'updated'] as const),
  ]),
  ...named('payment_batch', ['created', 'completed']),
  ...named('deposit', [...DEPOSIT_STATUSES, 'updated']),
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
