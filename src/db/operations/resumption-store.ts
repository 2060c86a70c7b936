import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Final blocks that were read, one an hour, up to a block, the newest first. */
export function readCheckpoints(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  upTo: bigint,
): Promise<BlockRef[]> {
  return tx.query<BlockRef>(
    `SELECT block_number AS number, block_hash AS hash FROM chain_checkpoints
     WHERE environment = $1 AND network = $2 AND block_number <= $3 ORDER BY block_number DESC`,
    [environment, network, upTo],
  );
}

/**
 * Forgets what is read again behind a block: what left our addresses there, what was too little to be a deposit, and
 * that their books were right. The database lets only that go which a stop that is being lifted covers.
 */
export async function forgetBehind(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { base, upTo }: { readonly base: bigint; readonly upTo: bigint },
): Promise<void> {
  await tx.query(
    `DELETE FROM swept_tokens WHERE environment = $1 AND network = $2 AND block_number > $3
       AND block_number <= $4`,
    [environment, network, base, upTo],
  );
  await tx.query(
    `DELETE FROM dust_transfers WHERE environment = $1 AND network = $2 AND block_number > $3
       AND block_number <= $4`,
    [environment, network, base, upTo],
  );
  await tx.query(
    `UPDATE chain_address_checks SET read_again_to = NULL,
       right_at_block = CASE WHEN right_at_block > $3 THEN $3 ELSE right_at_block END
     WHERE environment = $1 AND network = $2 AND (right_at_block > $3 OR read_again_to > $3)`,
    [environment, network, base],
  );
}
