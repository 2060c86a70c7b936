import type { ChainPlace, Network } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { TOO_LARGE } from '../ledger/set-aside-store.ts';
import { rowSource } from '../client/row-source.ts';

/** Transfers of one amount by one transaction to one address, below the floor of their asset, in a final block. */
interface DustTransfers {
  readonly txHash: string;
  readonly asset: string;
  /** In EIP-55's case. */
  readonly toAddress: string;
  /** Of each of them: minor units, more than zero. */
  readonly amount: bigint;
  /** How many the transaction made. */
  readonly transfers: number;
  readonly blockNumber: bigint;
}

const TRANSFERS = rowSource('d', {
  txHash: 'text',
  asset: 'text',
  toAddress: 'text',
  amount: 'bigint',
  transfers: 'integer',
  blockNumber: 'bigint',
});

/** Keeps transfers below their floor, of which those that are deposits are not in the sum. Fewer than are kept change nothing. */
export async function keepDustTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  transfers: readonly DustTransfers[],
  now: Date,
): Promise<void> {
  // No deposit is stored meanwhile.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('dust:' || $1 || ':' || $2, 0))`, [
    environment,
    network,
  ]);
  await tx.query(
    `INSERT INTO dust_transfers AS kept (environment, network, ${TRANSFERS.columns}, deposits, found_at)
     SELECT :environment, :network, ${TRANSFERS.columns}, (SELECT count(*) FROM deposits t
       WHERE (t.environment, t.network, t.tx_hash, t.asset, t.to_address, t.amount)
         = (:environment, :network, d.tx_hash, d.asset, d.to_address, d.amount) AND t.status <> 'ORPHANED'), :now
     FROM ${TRANSFERS.sql} ORDER BY turn
     ON CONFLICT (environment, network, tx_hash, asset, to_address, amount) DO UPDATE
       SET transfers = excluded.transfers WHERE kept.transfers < excluded.transfers`,
    { environment, network, now, ...TRANSFERS.values(transfers) },
  );
}

/** Which address, and what asset at it. */
export interface DustKey {
  readonly environment: Environment;
  readonly network: Network;
  readonly asset: string;
  /** In EIP-55's case. */
  readonly address: string;
}

/** What lies at an address below the floor of an asset. */
export interface DustSum extends DustKey {
  /** Minor units. */
  readonly amount: bigint;
  readonly transfers: bigint;
  /** None of it becomes a deposit before. */
  readonly nextAt: Date;
  /** Two operators asked for the largest, whether or not they reach the floor. */
  readonly isAsked: boolean;
  readonly version: number;
}

const SUM_COLUMNS = `s.environment, s.network, s.asset, s.address, s.amount::bigint AS amount, s.transfers,
  s.next_at AS "nextAt", s.asked_by IS NOT NULL AS "isAsked", s.version`;

const FLOORS = rowSource('f', { asset: 'text', floor: 'bigint' });

/** The addresses where an asset reaches its floor, or operators asked, those first whose turn came first. */
export function readDueDust(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  floors: readonly { readonly asset: string; readonly floor: bigint }[],
  now: Date,
  limit: number,
): Promise<DustSum[]> {
  return tx.query<DustSum>(
    `SELECT ${SUM_COLUMNS} FROM ${FLOORS.sql} JOIN dust_sums s ON s.asset = f.asset AND s.amount >= f.floor
     WHERE s.environment = :environment AND s.network = :network AND s.next_at <= :now
     UNION
     SELECT ${SUM_COLUMNS} FROM dust_sums s
     WHERE s.environment = :environment AND s.network = :network AND s.next_at <= :now AND s.asked_by IS NOT NULL
     ORDER BY "nextAt", address, asset LIMIT :limit`,
    { environment, network, now, limit, ...FLOORS.values(floors) },
  );
}

/** What lies at the address of a payment that waits for no more than that. */
interface DustOfPayment extends DustSum {
  /** Minor units that its deposits in time do not come to. */
  readonly rest: bigint;
}

/** Those of some addresses where it does, but of payments whose time was over before `since`. */
export function readDueRests(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  addresses: readonly string[],
  since: Date,
): Promise<DustOfPayment[]> {
  return tx.query<DustOfPayment>(
    `SELECT ${SUM_COLUMNS}, r.rest::bigint AS rest FROM payment_fundings f
     JOIN dust_sums s ON (s.environment, s.network, s.address, s.asset)
       = (f.environment, f.network, f.address, f.asset)
     CROSS JOIN LATERAL (SELECT f.amount_due - coalesce(sum(d.amount), 0) AS rest FROM deposits d
       WHERE d.payment_id = f.payment_id AND d.network = f.network AND d.asset = f.asset
         AND d.status IN ('SEEN', 'CREDITED', 'FINAL') AND d.block_at <= f.expires_at) AS r
     WHERE f.environment = :environment AND f.network = :network AND f.address = ANY (:addresses::text[])
       AND f.status = 'AWAITED' AND f.expires_at >= :since AND r.rest BETWEEN 1 AND s.amount
     ORDER BY s.address`,
    { environment, network, addresses: [...addresses], since },
  );
}

/** The largest sums of all networks, for operators. */
export function listDust(tx: SystemTransaction, limit: number): Promise<DustSum[]> {
  return tx.query<DustSum>(
    `SELECT ${SUM_COLUMNS} FROM dust_sums s WHERE s.transfers > 0
     ORDER BY s.amount DESC, s.environment, s.network, s.asset, s.address LIMIT $1`,
    [limit],
  );
}

/** Transfers of one amount by one transaction to an address, that are no deposits. */
export interface OpenDust {
  readonly txHash: string;
  readonly blockNumber: bigint;
  /** Of each of them, in minor units. */
  readonly amount: bigint;
  readonly transfers: number;
}

/** The largest transfers to an address that are no deposits, but those whose receipts were too large to be read. */
export function readLargestDust(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address }: Pick<DustSum, 'asset' | 'address'>,
  limit: number,
): Promise<OpenDust[]> {
  return tx.query<OpenDust>(
    `SELECT tx_hash AS "txHash", block_number AS "blockNumber", amount, open AS transfers
     FROM dust_transfers d
     WHERE environment = :environment AND network = :network AND to_address = :address AND asset = :asset
       AND open > 0 AND NOT EXISTS (SELECT FROM set_aside_deposits s WHERE s.why = '${TOO_LARGE}'
         AND (s.environment, s.network, s.tx_hash) = (d.environment, d.network, d.tx_hash))
     ORDER BY amount DESC, tx_hash LIMIT :limit`,
    { environment, network, asset, address, limit },
  );
}

/** Nothing more of an address becomes a deposit before `nextAt`. */
export async function putOffDust(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address }: Pick<DustSum, 'asset' | 'address'>,
  nextAt: Date,
): Promise<void> {
  await tx.query(
    `UPDATE dust_sums SET next_at = :nextAt
     WHERE environment = :environment AND network = :network AND address = :address AND asset = :asset`,
    { environment, network, asset, address, nextAt },
  );
}

/** What lies at an address below the floor of an asset; null where nothing ever did. */
export async function findDustSum(
  tx: SystemTransaction,
  { environment, network, asset, address }: DustKey,
): Promise<DustSum | null> {
  const [found = null] = await tx.query<DustSum>(
    `SELECT ${SUM_COLUMNS} FROM dust_sums s
     WHERE environment = :environment AND network = :network AND asset = :asset AND address = :address`,
    { environment, network, asset, address },
  );
  return found;
}

/**
 * Asks for deposits of what lies at `environment/network/asset/address`, by the approval that this transaction uses. False
 * where nothing does; refused by the database without the approval.
 */
export async function askForDust(
  tx: ScopedTransaction,
  name: string,
  approvalId: string,
): Promise<boolean> {
  const [environment, network, asset, address] = name.split('/');
  const [row] = await tx.query<{ isAsked: boolean }>(
    `SELECT ask_for_dust(:environment, :network, :asset, :address, :approvalId) AS "isAsked"`,
    { environment, network, asset, address, approvalId },
  );
  return row?.isAsked === true;
}

/** What operators asked for of an address is done. */
export async function endAskedDust(
  tx: SystemTransaction,
  { environment, network, asset, address }: DustKey,
): Promise<void> {
  await tx.query(
    `UPDATE dust_sums SET asked_by = NULL
     WHERE environment = :environment AND network = :network AND address = :address AND asset = :asset`,
    { environment, network, asset, address },
  );
}
