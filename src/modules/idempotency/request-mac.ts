import type { Vault } from '../../vault/vault.ts';

/**
 * What a key is bound to: the request's fingerprint, hashed under the pepper. A plain hash of a body with
 * a name in it could be tested against guesses.
 */
export const requestMac = (vault: Pick<Vault, 'keyedHash'>, fingerprint: Buffer): Buffer =>
  vault.keyedHash('idempotent-request', fingerprint.toString('base64'));
