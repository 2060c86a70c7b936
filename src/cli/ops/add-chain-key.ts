import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { KeyUnusable, openKey, sealKey } from '../../modules/onchain/signers/sealed-keys.ts';
import type { KeyPlace } from '../../server/config/chain-signers-config.ts';
import {
  readSignersShape,
  type HeldKey,
  type SignersFile,
} from '../../server/config/chain-signers-file.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { readJson } from './json-file.ts';

export interface ChainKeyOrder {
  readonly environment: Environment;
  readonly place: KeyPlace;
  readonly networks: readonly Network[];
}

/**
 * Makes a key, seals it and adds it to the file of keys, which is made where it is missing; answers its
 * address and the file. The key is on the disk before its address is told, and is never
 * shown. Throws PlainError where the file cannot be read or written.
 */
export function addChainKey({ environment, place, networks }: ChainKeyOrder): {
  readonly address: string;
  readonly file: SignersFile;
} {
  const { path, secret } = place;
  const next = `${path}.new`;
  const descriptor = openNext(next);
  try {
    const before = existsSync(path) ? readChainKeys(path) : { keys: [], limits: [] };
    const { address, sealed } = sealKey(secret, environment, randomBytes(32));
    openKey(secret, { environment, address }, sealed);
    const key = { address, networks: [...networks], kind: 'LOCAL' as const, sealed };
    const file = { ...before, keys: [...before.keys, key] };
    writeFileSync(descriptor, `${JSON.stringify(file, null, 2)}\n`);
    fsyncSync(descriptor);
    renameSync(next, path);
    keepName(path);
    return { address, file };
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** The file of keys. Throws PlainError where it is none. */
export function readChainKeys(path: string): SignersFile {
  const read = readSignersShape(readJson(path));
  if (read.ok) return read.file;
  throw new PlainError([`${path} is not valid:`, ...read.lines].join('\n'));
}

/** Does the sealed key open with the secret of the environment, and is it the address's? */
export function doesOpen(
  { secret }: KeyPlace,
  environment: Environment,
  { address, sealed }: Extract<HeldKey, { kind: 'LOCAL' }>,
): boolean {
  try {
    openKey(secret, { environment, address }, sealed);
    return true;
  } catch (error) {
    if (error instanceof KeyUnusable) return false;
    throw error;
  }
}

/** The new name of the file outlives a loss of power only once the folder is on the disk. */
function keepName(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Opened before the file is read: of two commands at a time the second one adds nothing. */
function openNext(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new PlainError(
      isThere
        ? `${path} exists. Another command is writing it, or a killed command left it. In the second case, remove it.`
        : `${path} cannot be written.`,
    );
  }
}
