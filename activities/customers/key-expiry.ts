import {
  mailExpiringKeys,
  type ExpiringKeysDeps,
} from '../../src/modules/customers/mail-expiring-keys.ts';

/** Tells owners of keys that are about to expire; run twice, at once or late, each notice is given once. */
export function createKeyExpiryActivities(deps: ExpiringKeysDeps) {
  return {
    /** Tells the owners of every key that ends in 30, 7 or 1 days, once each. */
    mailExpiringKeys: (): Promise<void> => mailExpiringKeys(deps),
  };
}
