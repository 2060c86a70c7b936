import type { SystemTransaction } from '../../../db/client/database.ts';
import { isKnownDevice } from '../../../db/customers/device-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { CodeAsker } from '../../../domain/customers/access/login-code.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import { hashesOfDevice } from './devices.ts';
import type { LoginAttempt } from './login-codes.ts';

/** A login attempt, and where it comes from. */
export interface LoginFrom extends LoginAttempt {
  /** The device's cookie; null where the browser has none. */
  readonly device: string | null;
  /** A /24, or a /64 of IPv6. */
  readonly network: string;
  /** The /48 around it; of IPv4 the same /24. */
  readonly wideNetwork: string;
}

/** A device is known for the addresses of the people who have logged in with it, and for no other. */
export async function findAsker(
  { vault, clock }: { readonly vault: KeyedHashes; readonly clock: Clock },
  tx: SystemTransaction,
  { surface, address, device, network, wideNetwork }: LoginFrom,
): Promise<CodeAsker> {
  const asker = {
    surface,
    addressHashes: vault.keyedHashes(ADDRESS_PURPOSE, address),
    deviceHashes: hashesOfDevice(vault, device ?? ''),
  };
  const isKnown = await isKnownDevice(tx, asker, clock.now());
  return isKnown && device !== null
    ? { kind: 'KNOWN_DEVICE', device }
    : { kind: 'STRANGER', address: `${surface}:${address}`, network, wideNetwork };
}
