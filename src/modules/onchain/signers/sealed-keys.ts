import type { Environment } from '../../../domain/scope.ts';
import { openUnder, sealUnder } from '../../../vault/sealing.ts';
import { addressOfKey } from './local-key-store.ts';

/** There is one secret an environment; the vault's own keys carry other marks in other places. */
const MARK = 0;
const KEY_BYTES = 32;

/** What a sealed key is bound to: one copied elsewhere does not open. */
interface KeyPlace {
  readonly environment: Environment;
  /** In EIP-55's mixed case. */
  readonly address: string;
}

/** A sealed key that does not open, or that is another address's. Says nothing of what it holds. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable';
}

/** Seals a private key under the environment's secret (32 bytes): base64 for the file of keys. */
export function sealKey(
  secret: Buffer,
  environment: Environment,
  key: Uint8Array,
): { readonly address: string; readonly sealed: string } {
  const address = addressOfKey(key);
  const sealed = sealUnder(secret, MARK, key, rowOf({ environment, address }));
  return { address, sealed: sealed.toString('base64') };
}

/** Opens what `sealKey` sealed for the place. Throws KeyUnusable. */
export function openKey(secret: Buffer, place: KeyPlace, sealed: string): Buffer {
  const key = open(secret, place, sealed);
  if (key.length !== KEY_BYTES || addressOfKey(key) !== place.address) {
    throw new KeyUnusable(`the sealed key of ${place.address} is another address's`);
  }
  return key;
}

function open(secret: Buffer, place: KeyPlace, sealed: string): Buffer {
  try {
    return openUnder(secret, Buffer.from(sealed, 'base64'), rowOf(place));
  } catch {
    throw new KeyUnusable(
      `the sealed key of ${place.address} does not open with the ${place.environment} secret`,
    );
  }
}

const rowOf = ({ environment, address }: KeyPlace): string => `chain-key/${environment}/${address}`;
