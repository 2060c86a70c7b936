import type { Surface } from '../../domain/customers/access/rights.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { Asking } from './login-challenge-store.ts';

/** Has a person of that address logged in with that device, and is it not too long ago? */
export async function isKnownDevice(
  db: Asking,
  asker: {
    readonly surface: Surface;
    readonly addressHashes: readonly Buffer[];
    readonly deviceHashes: readonly Buffer[];
  },
  at: Date,
): Promise<boolean> {
  const rows = await db.query<{ isKnown: boolean }>(
    `SELECT bool_or(is_known_device(:surface, address.hash, device.hash, :at)) AS "isKnown"
     FROM unnest(:addressHashes::bytea[]) AS address (hash), unnest(:deviceHashes::bytea[]) AS device (hash)`,
    {
      ...{ surface: asker.surface, at },
      addressHashes: [...asker.addressHashes],
      deviceHashes: [...asker.deviceHashes],
    },
  );
  return rows[0]?.isKnown === true;
}

/**
 * Knows a device of a person until `expiresAt`; answers whether it was known before. Forgets a few
 * devices and sessions that have been over for long.
 */
export async function recordDevice(
  tx: SystemTransaction,
  device: {
    /** The first one is stored. */
    readonly deviceHashes: readonly Buffer[];
    readonly personId: string;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<boolean> {
  const rows = await tx.query<{ wasKnown: boolean }>(
    `WITH known AS (
       SELECT FROM devices
       WHERE device_hash = ANY (:deviceHashes::bytea[]) AND person_id = :personId AND expires_at > :at),
     -- Under another pepper: it would be in the way when its hash moves.
     replaced AS (
       DELETE FROM devices WHERE person_id = :personId AND device_hash = ANY ((:deviceHashes::bytea[])[2:])),
     forgotten_devices AS (
       DELETE FROM devices WHERE (device_hash, person_id) IN (
         SELECT device_hash, person_id FROM devices WHERE expires_at < :at AND person_id <> :personId
         ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED)),
     forgotten_sessions AS (
       DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at < :at::timestamptz - interval '90 days'
         ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED))
     INSERT INTO devices (device_hash, person_id, created_at, expires_at)
     VALUES ((:deviceHashes::bytea[])[1], :personId, :at, :expiresAt)
     ON CONFLICT (device_hash, person_id) DO UPDATE SET expires_at = excluded.expires_at
     RETURNING EXISTS (SELECT FROM known) AS "wasKnown"`,
    { ...device, deviceHashes: [...device.deviceHashes] },
  );
  return rows[0]?.wasKnown === true;
}

/** Forgets the devices of a person, all but one where that is given: what logs in there next is a new one. */
export async function forgetDevices(
  tx: SystemTransaction,
  personId: string,
  keptHashes: readonly Buffer[],
): Promise<void> {
  await tx.query(
    'DELETE FROM devices WHERE person_id = :personId AND device_hash <> ALL (:keptHashes::bytea[])',
    { personId, keptHashes: [...keptHashes] },
  );
}
