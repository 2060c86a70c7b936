import type { Peppers } from '../domain/peppers.ts';
import { createKeyedHashes, type KeyedHashes } from './keyed-hash.ts';
import { newOwnerKey, OWNER_MARK, ownerSealer, type KeyOwner } from './owner-key.ts';
import { openUnder, sealUnder, type Sealer } from './sealing.ts';

export interface VaultKeys {
  /** Encryption keys of 32 bytes by a number 0-254; the current one seals, all of them open. */
  readonly encryption: ReadonlyMap<number, Buffer>;
  readonly currentKeyId: number;
  /** The peppers of every keyed hash: API tokens, link tokens, account fingerprints. */
  readonly peppers: Peppers;
}

/** Something is sealed under a key that this process was not given. Logs show its code. */
export class MissingEncryptionKey extends Error {
  override readonly name = 'MissingEncryptionKey';
  readonly code: string;

  constructor(id: number) {
    super(`ENCRYPTION_KEYS has no key ${String(id)}, which sealed a stored value`);
    this.code = `ENCRYPTION_KEY_${String(id)}_MISSING`;
  }
}

/** Keeps what the database must not be able to read. By itself it seals what belongs to no end-user. */
export interface Vault extends Sealer, KeyedHashes {
  /** The number of the key that seals what belongs to no end-user. */
  readonly currentKeyId: number;
  /** The number of the pepper under which new keyed hashes are made. */
  readonly currentPepper: number;
  /** A new end-user's data key as it is stored: sealed by the vault's own key, bound to the end-user. */
  newOwnerKey(endUserId: string): Buffer;
  /** Seals and opens what belongs to an end-user. Its methods throw ErasedOwner once they were erased. */
  of(owner: KeyOwner): Sealer;
}

/** Throws where a key is not 32 bytes long, a pepper is shorter, or a number is not to be had. */
export function createVault(keys: VaultKeys): Vault {
  const keyOf = (id: number): Buffer => {
    const key = keys.encryption.get(id);
    if (key === undefined) throw new MissingEncryptionKey(id);
    if (key.length !== 32) throw new Error(`encryption key ${String(id)} is not 32 bytes long`);
    return key;
  };
  keyOf(keys.currentKeyId);
  if (keys.encryption.has(OWNER_MARK)) {
    throw new Error(`${String(OWNER_MARK)} is no number for an encryption key`);
  }

  const master = withJson({
    seal: (plain, row) => sealUnder(keyOf(keys.currentKeyId), keys.currentKeyId, plain, row),
    open: (sealed, row) => openUnder(keyOf(sealed[0] ?? -1), sealed, row),
  });
  return {
    ...master,
    currentKeyId: keys.currentKeyId,
    currentPepper: keys.peppers.current,
    newOwnerKey: (endUserId) => newOwnerKey(master, endUserId),
    of: (owner) => withJson(ownerSealer(master, owner)),
    ...createKeyedHashes(keys.peppers),
  };
}

function withJson({ seal, open }: Pick<Sealer, 'seal' | 'open'>): Sealer {
  return {
    seal,
    open,
    sealJson: (value, row) => seal(Buffer.from(JSON.stringify(value)), row),
    openJson: <Value>(sealed: Uint8Array, row: string) =>
      JSON.parse(open(sealed, row).toString('utf8')) as Value,
  };
}
