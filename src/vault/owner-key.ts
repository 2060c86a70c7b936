import { randomBytes } from 'node:crypto';
import { openUnder, sealUnder, type Sealer } from './sealing.ts';

/** First byte of what is sealed under a data key. The numbers below it are the vault's own keys'. */
export const OWNER_MARK = 255;

const DATA_KEY_BYTES = 32;

/** Whose data key, as stores read it. Rows that belong to an end-user carry both fields. */
export interface KeyOwner {
  readonly endUserId: string;
  /**
   * The end-user's data key, sealed by the vault. Null: registered before there were data keys, so the
   * vault's own key seals for them. Empty: destroyed by erasure.
   */
  readonly ownerKey: Uint8Array | null;
}

/** Opening or sealing for an end-user who was erased. */
export class ErasedOwner extends Error {
  constructor(endUserId: string) {
    super(`the key of end-user ${endUserId} was destroyed`);
  }
}

/** Whether what is sealed for the end-user can never be read again. */
export const isErased = ({ ownerKey }: Pick<KeyOwner, 'ownerKey'>): boolean =>
  ownerKey?.length === 0;

/** The row that a wrapped data key is sealed for. */
export const keyRow = (endUserId: string): string => `end_user_keys/${endUserId}`;

/** A random data key, wrapped. */
export const newOwnerKey = (master: Pick<Sealer, 'seal'>, endUserId: string): Buffer =>
  master.seal(randomBytes(DATA_KEY_BYTES), keyRow(endUserId));

/**
 * Seals under the end-user's data key and opens what is sealed under it, or what was sealed by the vault's
 * own key before the end-user had one. The data key is unwrapped at each use and kept nowhere, so that an
 * erasure holds at once. Throws ErasedOwner where it is destroyed.
 */
export function ownerSealer(
  master: Pick<Sealer, 'seal' | 'open'>,
  { endUserId, ownerKey }: KeyOwner,
): Pick<Sealer, 'seal' | 'open'> {
  if (ownerKey === null) return master;
  const dataKey = (): Buffer => {
    if (ownerKey.length === 0) throw new ErasedOwner(endUserId);
    return master.open(ownerKey, keyRow(endUserId));
  };
  return {
    seal: (plain, row) => sealUnder(dataKey(), OWNER_MARK, plain, row),
    open(sealed, row) {
      const key = dataKey();
      return sealed[0] === OWNER_MARK ? openUnder(key, sealed, row) : master.open(sealed, row);
    },
  };
}
