import type { Scope } from '../../domain/scope.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import type { Vault } from '../../vault/vault.ts';

/** What the log keeps of a closed key, so that it can be closed again after a restore. */
export interface ClosedKeyWitness extends Scope {
  /** See `hashOfKey`. */
  readonly keyHash: string;
  /** The key, sealed for its hash; base64. */
  readonly sealedKey: string;
}

/** A key as audit log and log name it: HMAC-SHA-256 under the pepper, in hex. A plain hash could be guessed. */
export const hashOfKey = (
  vault: KeyedHashes,
  { customerId, environment }: Scope,
  key: string,
): string => vault.steadyHash('closed-key', `${customerId}/${environment}/${key}`).toString('hex');

const rowOf = ({ customerId, environment }: Scope, keyHash: string): string =>
  `closed_keys/${customerId}/${environment}/${keyHash}`;

/** The witness of a key that is closed. */
export function witnessClosedKey(
  vault: KeyedHashes & Pick<Vault, 'seal'>,
  { customerId, environment }: Scope,
  key: string,
): ClosedKeyWitness {
  const scope = { customerId, environment };
  const keyHash = hashOfKey(vault, scope, key);
  const sealedKey = vault.seal(Buffer.from(key), rowOf(scope, keyHash)).toString('base64');
  return { ...scope, keyHash, sealedKey };
}

/** The key of a witness. Throws where the witness was changed, or is of another installation. */
export const keyOfWitness = (
  vault: Pick<Vault, 'open'>,
  { keyHash, sealedKey, ...scope }: ClosedKeyWitness,
): string => vault.open(Buffer.from(sealedKey, 'base64'), rowOf(scope, keyHash)).toString('utf8');
