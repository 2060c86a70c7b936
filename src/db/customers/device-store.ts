import type { Surface } from '../../domain/customers/access/rights.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { Asking } from './login-challenge-store.ts';

/** Has a person of that address logged in with that device, and is it not too long ago? */
export async function isKnownDevice(
  db: Asking,
  asker: {
    readonly surface: Surface;
    readonly addressHash: Buffer;
    readonly deviceHash: Buffer;
  },
  at: Date,
): Promise<boolean> {
  const rows = await db.query<{ isKnown: boolean }>(
    `SELECT is_known_device(:surface, :addressHash, :deviceHash, :at) AS "isKnown"`,
    { ...asker, at },
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
    readonly deviceHash: Buffer;
    readonly personId: string;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<boolean> {
  const rows = await tx.query<{ wasKnown: boolean }>(
    `WITH known AS (
       SELECT FROM devices
       WHERE device_hash = :deviceHash AND person_id = :personId AND expires_at > :at),
     forgotten_devices AS (
       DELETE FROM devices WHERE (device_hash, person_id) IN (
         SELECT device_hash, person_id FROM devices WHERE expires_at < :at AND person_id <> :personId
         ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED)),
     forgotten_sessions AS (
       DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at < :at::timestamptz - interval '90 days'
         ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED))
     INSERT INTO devices (device_hash, person_id, created_at, expires_at)
     VALUES (:deviceHash, :personId, :at, :expiresAt)
     ON CONFLICT (device_hash, person_id) DO UPDATE SET expires_at = excluded.expires_at
     RETURNING EXISTS (SELECT FROM known) AS "wasKnown"`,
    { ...device },
  );
  return rows[0]?.wasKnown === true;
}

/** Forgets the devices of a person, all but one where that is given: what logs in there next is a new one. */
export async function forgetDevices(
  tx: SystemTransaction,
  personId: string,
  keptHash: Buffer | null,
): Promise<void> {
  await tx.query(
    'DELETE FROM devices WHERE person_id = :personId AND device_hash IS DISTINCT FROM :keptHash',
    { personId, keptHash },
  );
}
