import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import type { ChainPlace, Network } from '../../domain/onchain/network.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** A network that went back behind a final block. */
export interface ChainStop {
  readonly environment: Environment;
  readonly network: Network;
  readonly seq: bigint;
  readonly version: number;
  /** The block that was final. */
  readonly block: bigint;
  readonly hash: string;
  readonly stoppedAt: Date;
  /** Where two operators let it go on; null while they have not said. */
  readonly resumeBlock: bigint | null;
  readonly resumeHash: string | null;
  /** The last block from before that is still of the chain; null while it is not known. */
  readonly baseBlock: bigint | null;
  /** Up to where all behind it was proved again. */
  readonly provedBlock: bigint | null;
  readonly liftedAt: Date | null;
}

const COLUMNS = `environment, network, seq, version, block_number AS block, block_hash AS hash,
  stopped_at AS "stoppedAt", resume_block AS "resumeBlock", resume_hash AS "resumeHash",
  base_block AS "baseBlock", proved_block AS "provedBlock", lifted_at AS "liftedAt"`;

/** How a network is stopped; null where it is not, or operators have lifted that. */
export async function findChainStop(
  tx: AnyTransaction,
  { environment, network }: ChainPlace,
): Promise<ChainStop | null> {
  const rows = await tx.query<ChainStop>(
    `SELECT ${COLUMNS} FROM chain_stops WHERE environment = $1 AND network = $2 AND lifted_at IS NULL`,
    [environment, network],
  );
  return rows[0] ?? null;
}

/** The networks of an environment that are stopped. */
export async function readStoppedNetworks(
  tx: ScopedTransaction,
  { environment }: Scope,
): Promise<ReadonlySet<Network>> {
  const rows = await tx.query<{ network: Network }>(
    'SELECT network FROM chain_stops WHERE environment = $1 AND lifted_at IS NULL',
    [environment],
  );
  return new Set(rows.map(({ network }) => network));
}

/** A stop, and the deposits that it took back after they were final. */
type ListedStop = ChainStop & { readonly takenBack: readonly string[] };

/** All stops, the newest first. */
export function listChainStops(tx: SystemTransaction, limit: number): Promise<ListedStop[]> {
  return tx.query<ListedStop>(
    `SELECT ${COLUMNS}, ARRAY(SELECT h.deposit_id FROM deposit_history h
         JOIN deposits d ON d.id = h.deposit_id
         JOIN deposit_history b ON b.deposit_id = h.deposit_id AND b.version = h.version - 1
       WHERE d.environment = s.environment AND d.network = s.network AND h.status = 'ORPHANED'
         AND b.status IN ('FINAL', 'KEPT') AND h.at >= s.stopped_at AND h.at <= coalesce(s.lifted_at, 'infinity')
       ORDER BY h.deposit_id) AS "takenBack"
     FROM chain_stops s ORDER BY seq DESC LIMIT $1`,
    [limit],
  );
}

/** Stops a network whose final block is gone; one that is stopped stays as it is. */
export async function stopChain(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { number, hash }: BlockRef,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_stops (environment, network, block_number, block_hash, stopped_at)
     VALUES (:environment, :network, :number, :hash, :now)
     ON CONFLICT (environment, network) WHERE lifted_at IS NULL DO NOTHING`,
    { environment, network, number, hash, now },
  );
}

/**
 * Says of `environment/network/seq` where it goes on, by the approval that this transaction uses. False where it was
 * lifted; refused by the database without the approval.
 */
export async function resumeChainAt(
  tx: ScopedTransaction,
  name: string,
  { block, hash, approvalId }: Readonly<Record<'block' | 'hash' | 'approvalId', string>>,
): Promise<boolean> {
  const [environment, network, seq] = name.split('/');
  const [row] = await tx.query<{ resumed: boolean }>(
    `SELECT resume_chain(:environment, :network, :seq::bigint, :block::bigint, :hash, :approvalId) AS resumed`,
    { environment, network, seq, block, hash, approvalId },
  );
  return row?.resumed === true;
}

/** Keeps up to where all is proved again. False where operators have said something else meanwhile. */
export async function keepProvedAgain(
  tx: SystemTransaction,
  { environment, network, seq, version }: ChainStop,
  { base, proved }: { readonly base: bigint; readonly proved: bigint },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE chain_stops SET base_block = :base, proved_block = :proved
     WHERE environment = :environment AND network = :network AND seq = :seq AND version = :version
       AND lifted_at IS NULL AND (proved_block IS NULL OR proved_block < :proved)
     RETURNING 1 AS one`,
    { environment, network, seq, version, base, proved },
  );
  return rows.length > 0;
}

/** Lifts a stop. Refused by the database where not all is proved again, or the cursor is elsewhere. */
export async function liftStop(
  tx: SystemTransaction,
  { environment, network, seq }: ChainStop,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_stops SET lifted_at = greatest(stopped_at, :now)
     WHERE environment = :environment AND network = :network AND seq = :seq AND lifted_at IS NULL`,
    { environment, network, seq, now },
  );
}
