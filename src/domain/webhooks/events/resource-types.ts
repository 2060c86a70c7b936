import type { EventType } from '../event-types.ts';

/** What events are about, as their `resource.type` says it. */
export const RESOURCE_TYPES = [
  'payment',
  'payment_batch',
  'end_user',
  'kyc',
  'bank_account',
  'wallet',
  'deposit_address',
  'deposit',
  'funding_credit',
  'webhook_endpoint',
] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** What events of a type are about: the family's name says it, but of a balance it is what moved it. */
export function resourceTypeOf(type: EventType): ResourceType {
  if (type === 'ping') return 'webhook_endpoint';
  const family = type.slice(0, type.indexOf('.'));
  return family === 'balance' ? 'funding_credit' : (family as ResourceType);
}
