import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { HotLevel } from '../../domain/onchain/hot-level.ts';
import type { SystemTransaction } from '../client/database.ts';

/**
 * How an asset at hot addresses stood to its floor and cap when that was told last; null where it was looked at since
 * the moment given. From then on it was looked at now. What was never looked at is WITHIN.
 */
export async function beginHotLook(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  asset: string,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<HotLevel | null> {
  const rows = await tx.query<{ level: HotLevel }>(
    `INSERT INTO chain_hot_levels AS h (environment, network, asset, level, looked_at)
     VALUES (:environment, :network, :asset, 'WITHIN', :now)
     ON CONFLICT (environment, network, asset) DO UPDATE SET looked_at = excluded.looked_at
       WHERE h.looked_at <= :since RETURNING h.level`,
    { environment, network, asset, since, now },
  );
  return rows[0]?.level ?? null;
}

/** Keeps how it stands, once that is told. */
export async function keepHotLevel(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  asset: string,
  level: HotLevel,
): Promise<void> {
  await tx.query(
    `UPDATE chain_hot_levels SET level = :level
     WHERE environment = :environment AND network = :network AND asset = :asset`,
    { environment, network, asset, level },
  );
}

/** Signer accounts of the network that pay nothing: frozen, or given up. */
export async function readStoppedSignerAccounts(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(
    `SELECT address FROM chain_signer_accounts WHERE environment = $1 AND network = $2
       AND status IN ('FROZEN', 'RETIRING', 'RETIRED')`,
    [environment, network],
  );
  return rows.map(({ address }) => address);
}
