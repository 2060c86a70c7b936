import type { KeyedHashes } from '../../vault/keyed-hash.ts';

const PURPOSE = 'idempotent-request';

/**
 * What a key is bound to: the request's fingerprint, hashed under the pepper. A plain hash of a body with
 * a name in it could be tested against guesses.
 */
export const requestMac = (vault: KeyedHashes, fingerprint: Buffer): Buffer =>
  vault.keyedHash(PURPOSE, fingerprint.toString('base64'));

/** Is a key bound to the request of this fingerprint? */
export const isRequestMac = (vault: KeyedHashes, mac: Buffer, fingerprint: Buffer): boolean =>
  vault.isKeyedHash(mac, PURPOSE, fingerprint.toString('base64'));
