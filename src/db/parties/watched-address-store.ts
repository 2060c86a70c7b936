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

const OF_PAYMENT = `address, customer_id AS "customerId", payment_id AS "paymentId",
  NULL::text AS "depositAddressId", created_at AS "createdAt"`;
const STANDING = `address, customer_id AS "customerId", NULL::text AS "paymentId",
  id AS "depositAddressId", created_at AS "createdAt"`;

/** Every address of an environment. */
const ADDRESSES = `SELECT ${OF_PAYMENT} FROM payment_fundings WHERE environment = $1
  UNION ALL SELECT ${STANDING} FROM deposit_addresses WHERE environment = $1`;

/** Those where something may be expected, or that have changed since `$2`: each part is read from an index. */
const BUSY_ADDRESSES = `SELECT ${OF_PAYMENT} FROM payment_fundings WHERE environment = $1 AND status = 'AWAITED'
  UNION SELECT ${OF_PAYMENT} FROM payment_fundings WHERE environment = $1 AND updated_at > $2
  UNION SELECT ${STANDING} FROM deposit_addresses WHERE environment = $1 AND status = 'ACTIVE'
  UNION SELECT ${STANDING} FROM deposit_addresses WHERE environment = $1 AND updated_at > $2`;

/**
 * The addresses that every poll cycle reads, on all networks, for what is sent to the wrong one is the
 * customer's too: payments that wait or have changed since `since`, and standing addresses.
 */
export function readBusyAddresses(
  tx: SystemTransaction,
  environment: Environment,
  since: Date,
): Promise<WatchedAddress[]> {
  return tx.query<WatchedAddress>(`${BUSY_ADDRESSES} ORDER BY address`, [environment, since]);
}

/** Every address that deposits may come to. */
export function readAllAddresses(
  tx: SystemTransaction,
  environment: Environment,
): Promise<WatchedAddress[]> {
  return tx.query<WatchedAddress>(`${ADDRESSES} ORDER BY address`, [environment]);
}

/** Whose address of deposits it is; null where it is none of ours. */
export async function findWatchedAddress(
  tx: SystemTransaction,
  environment: Environment,
  address: string,
): Promise<WatchedAddress | null> {
  const [found = null] = await findWatchedAddresses(tx, environment, [address]);
  return found;
}

/** Those of some addresses that are addresses of deposits. */
export function findWatchedAddresses(
  tx: SystemTransaction,
  environment: Environment,
  addresses: readonly string[],
): Promise<WatchedAddress[]> {
  return tx.query<WatchedAddress>(
    `SELECT ${OF_PAYMENT} FROM payment_fundings WHERE environment = $1 AND address = ANY ($2::text[])
     UNION ALL SELECT ${STANDING} FROM deposit_addresses WHERE environment = $1 AND address = ANY ($2::text[])`,
    [environment, [...addresses]],
  );
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
  /** Up to this block it is read again, since it was right; null: that was not begun. */
  readonly readAgainTo: bigint | null;
};

/** When an address was counted last, and up to which block its books were right then; null where they never were. */
interface AddressCheck {
  readonly address: string;
  readonly rightAtBlock: bigint | null;
  readonly readAgainTo: bigint | null;
  readonly checkedAt: Date;
}

const CHECK_COLUMNS = `address, right_at_block AS "rightAtBlock", read_again_to AS "readAgainTo",
  checked_at AS "checkedAt"`;

/** When some addresses were counted last; those that never were are left out. */
export function readAddressChecks(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  addresses: readonly string[],
): Promise<AddressCheck[]> {
  return tx.query<AddressCheck>(
    `SELECT ${CHECK_COLUMNS} FROM chain_address_checks
     WHERE environment = $1 AND network = $2 AND address = ANY ($3::text[])`,
    [environment, network, [...addresses]],
  );
}

/** The addresses of all that were counted last before `before`, those first that wait longest. */
export async function readDueAddresses(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  before: Date,
  limit: number,
): Promise<DueAddress[]> {
  const checks = await tx.query<AddressCheck>(
    `SELECT ${CHECK_COLUMNS} FROM chain_address_checks
     WHERE environment = $1 AND network = $2 AND checked_at < $3 ORDER BY checked_at LIMIT $4`,
    [environment, network, before, limit],
  );
  const names = checks.map(({ address }) => address);
  const owners = await findWatchedAddresses(tx, environment, names);
  const byAddress = new Map(checks.map((one) => [one.address, one]));
  return owners.map((owner) => {
    const { rightAtBlock = null, readAgainTo = null } = byAddress.get(owner.address) ?? {};
    return { ...owner, rightAtBlock, readAgainTo };
  });
}

/** Makes it the turn of addresses to be counted, before all others. */
export async function countNext(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  addresses: readonly string[],
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_address_checks AS c (environment, network, address, checked_at)
     SELECT :environment, :network, address, 'epoch' FROM unnest(:addresses::text[]) AS a (address) ORDER BY address
     ON CONFLICT (environment, network, address) DO UPDATE SET checked_at = excluded.checked_at`,
    { environment, network, addresses: [...addresses] },
  );
}

/** Keeps up to which block addresses are read again, where they are not read further; null: they are read to the end. */
export async function keepReadAgain(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  addresses: readonly string[],
  readAgainTo: bigint | null,
): Promise<void> {
  await tx.query(
    `UPDATE chain_address_checks
     SET read_again_to = CASE WHEN :readAgainTo::bigint IS NOT NULL THEN greatest(read_again_to, :readAgainTo) END
     WHERE environment = :environment AND network = :network AND address = ANY (:addresses::text[])
       AND (read_again_to IS NOT NULL OR :readAgainTo::bigint IS NOT NULL)`,
    { environment, network, addresses: [...addresses], readAgainTo },
  );
}

/**
 * Lists addresses to be counted that never were, at most `limit`, as if they had been when they were given out. Answers how
 * many there were.
 */
export async function listUncounted(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `INSERT INTO chain_address_checks (environment, network, address, checked_at)
     SELECT $1, $2, a.address, a."createdAt" FROM (${ADDRESSES}) AS a
     WHERE NOT EXISTS (SELECT FROM chain_address_checks c
       WHERE c.environment = $1 AND c.network = $2 AND c.address = a.address)
     LIMIT $3 ON CONFLICT (environment, network, address) DO NOTHING RETURNING 1 AS one`,
    [environment, network, limit],
  );
  return rows.length;
}

/** Keeps that addresses were counted; `rightAt`: the block up to which their books were right, null where not. */
export async function keepAddressChecks(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  addresses: readonly string[],
  { rightAt, now }: { readonly rightAt: bigint | null; readonly now: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_address_checks AS c (environment, network, address, right_at_block, checked_at)
     SELECT :environment, :network, address, :rightAt::bigint, :now
     FROM unnest(:addresses::text[]) AS a (address) ORDER BY address
     ON CONFLICT (environment, network, address) DO UPDATE
       SET right_at_block = coalesce(excluded.right_at_block, c.right_at_block), checked_at = excluded.checked_at`,
    { environment, network, addresses: [...addresses], rightAt, now },
  );
}
