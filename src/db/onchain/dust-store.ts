import type { ChainPlace, Network } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** A transfer below the floor of its asset, in a final block. */
interface DustTransfer {
  readonly txHash: string;
  /** The log's place within its block. */
  readonly logIndex: bigint;
  readonly asset: string;
  /** In EIP-55's case. */
  readonly toAddress: string;
  /** Minor units, more than zero. */
  readonly amount: bigint;
  readonly blockNumber: bigint;
}

const TRANSFERS = rowSource('d', {
  txHash: 'text',
  logIndex: 'bigint',
  asset: 'text',
  toAddress: 'text',
  amount: 'bigint',
  blockNumber: 'bigint',
});

/** Keeps transfers below their floor; what is kept already stays as it is. */
export async function keepDustTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  transfers: readonly DustTransfer[],
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO dust_transfers (environment, network, ${TRANSFERS.columns}, found_at)
     SELECT :environment, :network, ${TRANSFERS.columns}, :now FROM ${TRANSFERS.sql} ORDER BY turn
     ON CONFLICT (environment, network, tx_hash, log_index) DO NOTHING`,
    { environment, network, now, ...TRANSFERS.values(transfers) },
  );
}

/** What lies at an address below the floor of an asset. */
export interface DustSum {
  readonly environment: Environment;
  readonly network: Network;
  readonly asset: string;
  readonly address: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly transfers: bigint;
  /** None of it becomes a deposit before. */
  readonly nextAt: Date;
}

const SUM_COLUMNS = `environment, network, asset, address, amount::bigint AS amount, transfers,
  next_at AS "nextAt"`;

/** The addresses where as much of an asset lies as its floor or more, and whose turn has come, the largest sums first. */
export function readDueDust(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  due: { readonly asset: string; readonly floor: bigint; readonly now: Date },
  limit: number,
): Promise<DustSum[]> {
  return tx.query<DustSum>(
    `SELECT ${SUM_COLUMNS} FROM dust_sums
     WHERE environment = :environment AND network = :network AND asset = :asset AND amount >= :floor
       AND next_at <= :now
     ORDER BY amount DESC, address LIMIT :limit`,
    { environment, network, ...due, limit },
  );
}

/** The largest sums of all networks, for operators. */
export function listDust(tx: SystemTransaction, limit: number): Promise<DustSum[]> {
  return tx.query<DustSum>(
    `SELECT ${SUM_COLUMNS} FROM dust_sums WHERE transfers > 0
     ORDER BY amount DESC, environment, network, asset, address LIMIT $1`,
    [limit],
  );
}

/** What one transaction brought to an address below the floor. */
export interface DustTransaction {
  readonly txHash: string;
  readonly blockNumber: bigint;
  /** Minor units. */
  readonly amount: bigint;
  readonly transfers: number;
}

/** The transactions that brought most to an address, the largest first, but those of more transfers than `transfersMax`. */
export function readLargestDust(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address }: Pick<DustSum, 'asset' | 'address'>,
  { limit, transfersMax }: { readonly limit: number; readonly transfersMax: number },
): Promise<DustTransaction[]> {
  return tx.query<DustTransaction>(
    `SELECT tx_hash AS "txHash", min(block_number) AS "blockNumber", sum(amount)::bigint AS amount,
       count(*)::integer AS transfers
     FROM dust_transfers
     WHERE environment = :environment AND network = :network AND to_address = :address AND asset = :asset
       AND taken_at IS NULL
     GROUP BY tx_hash HAVING count(*) <= :transfersMax
     ORDER BY amount DESC, tx_hash LIMIT :limit`,
    { environment, network, asset, address, limit, transfersMax },
  );
}

/** What transactions brought to an address are deposits from now on; nothing more of it is before `nextAt`. */
export async function takeDustTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address }: Pick<DustSum, 'asset' | 'address'>,
  taken: { readonly txHashes: readonly string[]; readonly now: Date; readonly nextAt: Date },
): Promise<void> {
  const key = { environment, network, asset, address };
  await tx.query(
    `UPDATE dust_transfers SET taken_at = :now
     WHERE environment = :environment AND network = :network AND to_address = :address AND asset = :asset
       AND taken_at IS NULL AND tx_hash = ANY (:txHashes::text[])`,
    { ...key, now: taken.now, txHashes: [...taken.txHashes] },
  );
  await tx.query(
    `UPDATE dust_sums SET next_at = :nextAt
     WHERE environment = :environment AND network = :network AND asset = :asset AND address = :address`,
    { ...key, nextAt: taken.nextAt },
  );
}
