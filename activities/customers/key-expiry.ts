import {
  mailExpiringKeys,
  type ExpiringKeysDeps,
} from '../../src/modules/customers/mail-expiring-keys.ts';
import type { KeyExpiryActivities } from '../types.ts';

/** Tells owners of keys that are about to expire; run twice, at once or late, each notice is given once. */
export function createKeyExpiryActivities(deps: ExpiringKeysDeps): KeyExpiryActivities {
  return { mailExpiringKeys: () => mailExpiringKeys(deps) };
}
