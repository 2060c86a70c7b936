import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { DepositOwner } from '../onchain/deposit-store.ts';

/** An address that deposits may come to, and whose it is. */
export type WatchedAddress = DepositOwner &
  Pick<Scope, 'customerId'> & {
    /** In EIP-55's case. */
    readonly address: string;
    readonly createdAt: Date;
  };

/** Every address of an environment, with whether something may be expected there since `$2`. */
const ADDRESSES = `
  SELECT address, customer_id AS "customerId", payment_id AS "paymentId",
    NULL::text AS "depositAddressId", created_at AS "createdAt",
    status = 'AWAITED' OR updated_at > $2 AS busy
  FROM payment_fundings WHERE environment = $1
  UNION ALL
  SELECT address, customer_id, NULL, id, created_at, status = 'ACTIVE' OR updated_at > $2
  FROM deposit_addresses WHERE environment = $1`;

/**
 * the addresses that every poll cycle reads, on all networks, for what is sent to the wrong one is the
 * customer's too: payments that wait or have changed since `since`, and standing addresses.
 */
export function readBusyAddresses(
  tx: SystemTransaction,
  environment: Environment,
  since: Date,
): Promise<WatchedAddress[]> {
  return tx.query<WatchedAddress>(
    `SELECT address, "customerId", "paymentId", "depositAddressId", "createdAt"
     FROM (${ADDRESSES}) AS addresses WHERE busy ORDER BY address`,
    [environment, since],
  );
}

/** Every address that deposits may come to. */
export const readAllAddresses = (
  tx: SystemTransaction,
  environment: Environment,
): Promise<WatchedAddress[]> => readBusyAddresses(tx, environment, new Date(0));

/** Whose address of deposits it is; null where it is none of ours. */
export async function findWatchedAddress(
  tx: SystemTransaction,
  environment: Environment,
  address: string,
): Promise<WatchedAddress | null> {
  const rows = await tx.query<WatchedAddress>(
    `SELECT address, customer_id AS "customerId", payment_id AS "paymentId",
       NULL::text AS "depositAddressId", created_at AS "createdAt"
     FROM payment_fundings WHERE environment = $1 AND address = $2
     UNION ALL SELECT address, customer_id, NULL, id, created_at
     FROM deposit_addresses WHERE environment = $1 AND address = $2`,
    [environment, address],
  );
  return rows[0] ?? null;
}

/** Whether anything at all is watched in an environment. */
export async function isAnyAddressWatched(
  tx: SystemTransaction,
  environment: Environment,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM payment_fundings WHERE environment = $1
     UNION ALL SELECT FROM deposit_addresses WHERE environment = $1 LIMIT 1`,
    [environment],
  );
  return rows.length > 0;
}

/** When the first address of an environment was given out; null where none was. */
export async function findFirstWatch(
  tx: SystemTransaction,
  environment: Environment,
): Promise<Date | null> {
  const rows = await tx.query<{ first: Date | null }>(
    `SELECT least((SELECT min(created_at) FROM payment_fundings WHERE environment = $1),
       (SELECT min(created_at) FROM deposit_addresses WHERE environment = $1)) AS first`,
    [environment],
  );
  return rows[0]?.first ?? null;
}

/** An address whose tokens are to be counted. */
export type DueAddress = WatchedAddress & {
  /** Up to this block its books were found right; null where they never were. */
  readonly rightAtBlock: bigint | null;
};

/** Which addresses are due: last counted before `busy`, or before `idle` where nothing is expected. */
interface DueBefore {
  readonly busy: Date;
  readonly idle: Date;
  /** An address is idle that has not changed since. */
  readonly idleSince: Date;
}

/** The addresses that were not counted for the longest time, at most `limit`. */
export function readDueAddresses(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { busy, idle, idleSince }: DueBefore,
  limit: number,
): Promise<DueAddress[]> {
  return tx.query<DueAddress>(
    `SELECT address, "customerId", "paymentId", "depositAddressId", "createdAt",
       c.right_at_block AS "rightAtBlock"
     FROM (${ADDRESSES}) AS a LEFT JOIN (SELECT address, right_at_block, checked_at
       FROM chain_address_checks WHERE environment = $1 AND network = $3) AS c USING (address)
     WHERE coalesce(c.checked_at, "createdAt") < CASE WHEN busy THEN $4::timestamptz ELSE $5::timestamptz END
     ORDER BY coalesce(c.checked_at, "createdAt"), address LIMIT $6`,
    [environment, idleSince, network, busy, idle, limit],
  );
}

/** Keeps that an address was counted; `rightAt`: the block up to which its books were right, null where not. */
export async function keepAddressCheck(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  address: string,
  { rightAt, now }: { readonly rightAt: bigint | null; readonly now: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_address_checks AS c (environment, network, address, right_at_block, checked_at)
     VALUES (:environment, :network, :address, :rightAt, :now)
     ON CONFLICT (environment, network, address) DO UPDATE
       SET right_at_block = coalesce(excluded.right_at_block, c.right_at_block), checked_at = :now`,
    { environment, network, address, rightAt, now },
  );
}
