import { randomBytes } from 'node:crypto';
import { recordDevice } from '../../../db/customers/device-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';

/** How long a device is known after its last login. */
const DEVICE_LIFE_MS = 90 * 24 * 3_600_000;

const DEVICE_BYTES = 32;
const DEVICE = /^[A-Za-z0-9_-]{43}$/;

/** What a browser's cookie says it is; null where that is nothing of ours. */
export const readDevice = (cookie: string | undefined): string | null =>
  cookie !== undefined && DEVICE.test(cookie) ? cookie : null;

export const newDevice = (): string => randomBytes(DEVICE_BYTES).toString('base64url');

export const hashesOfDevice = (vault: KeyedHashes, device: string): readonly Buffer[] =>
  vault.keyedHashes('device', device);

/** Knows a device of a person for 90 days more; answers whether it is a new one. */
export async function keepDevice(
  { vault, clock }: { readonly vault: KeyedHashes; readonly clock: Clock },
  tx: SystemTransaction,
  personId: string,
  device: string,
): Promise<boolean> {
  const at = clock.now();
  const deviceHashes = hashesOfDevice(vault, device);
  const expiresAt = new Date(at.getTime() + DEVICE_LIFE_MS);
  return !(await recordDevice(tx, { deviceHashes, personId, at, expiresAt }));
}
