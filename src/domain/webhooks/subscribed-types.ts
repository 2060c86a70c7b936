import { subscriptionsFor } from './events/envelope.ts';
import { EVENT_TYPES } from './event-types.ts';

/**
 * The types that two lists of subscriptions (`payment.sent`, `payment.*`, `*`) have in common; null: all
 * there are, also those that come with another version.
 */
export function subscribedTypes(
  subscribed: readonly string[],
  named: readonly string[] = ['*'],
): string[] | null {
  if (subscribed.includes('*') && named.includes('*')) return null;
  return EVENT_TYPES.filter((type) => {
    const patterns = subscriptionsFor(type);
    return [subscribed, named].every((list) => patterns.some((one) => list.includes(one)));
  });
}
