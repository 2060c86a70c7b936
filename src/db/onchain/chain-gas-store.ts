import type { TransactionKind } from '../../domain/onchain/next-chain-step.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { SystemTransaction } from '../client/database.ts';

/** What transactions of one kind cost on a network in a month (UTC). */
interface SpentGas extends ChainPlace {
  /** `2026-11` */
  readonly month: string;
  readonly kind: TransactionKind;
  readonly count: number;
  /** In wei, with the fee of L1 on OP chains. */
  readonly fee: string;
}

/** All that mined transactions of hot addresses cost: of each nonce the one that was mined. */
export async function listSpentGas(tx: SystemTransaction): Promise<SpentGas[]> {
  return tx.query<SpentGas>(
    `SELECT n.environment, n.network, to_char(n.updated_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
       t.kind, count(*)::integer AS count, sum(n.fee)::text AS fee
     FROM chain_nonces n JOIN chain_transactions t ON t.hash = n.mined_hash
     WHERE n.fee IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    [],
  );
}
