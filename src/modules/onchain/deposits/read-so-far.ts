import { readFinalCursor, readHeadCursor } from '../../../db/onchain/chain-cursor-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import { sumYoungDeposits } from '../../../db/onchain/read-deposit-store.ts';
import type { ListedNetwork } from '../../../domain/onchain/network-setup.ts';
import type { ChainPlace, Depths, Network } from '../../../domain/onchain/network.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { ReadSoFar } from '../../ledger/funding/deposit-view.ts';

type Shown = Pick<DepositRow, 'network' | 'status'>;
type Listed = Pick<ListedNetwork, 'network' | 'depths'>;

/** How far the networks of some deposits are read, and how deep those must lie there. `listed`: of the environment. */
export async function readSoFar(
  tx: ScopedTransaction,
  scope: Scope,
  listed: readonly Listed[],
  deposits: readonly Shown[],
): Promise<(network: Network) => ReadSoFar> {
  const found = new Map<Network, ReadSoFar>();
  for (const network of new Set(deposits.map((one) => one.network))) {
    const place = { environment: scope.environment, network };
    const head = (await readHeadCursor(tx, place))?.number ?? null;
    const depths = listed.find((one) => one.network === network)?.depths ?? null;
    const isWaiting = deposits.some((one) => one.network === network && one.status === 'SEEN');
    const isToBeSummed = isWaiting && head !== null && depths !== null;
    const above = isToBeSummed ? await deepBlock(tx, place, head, depths) : null;
    const young = above === null ? 0n : await sumYoungDeposits(tx, scope, network, above);
    found.set(network, { head, depths, young });
  }
  return (network) => found.get(network) ?? { head: null, depths: null, young: 0n };
}

/**
 * The newest block that large amounts are credited of: as deep as small ones wait for, and as they do. Where the
 * network's own tag says it, the last one that was read as final: none that is younger is taken to be deep, so that more
 * may be told than is waited for, and never less.
 */
async function deepBlock(
  tx: ScopedTransaction,
  place: ChainPlace,
  head: bigint,
  { credit, creditAbove }: Depths,
): Promise<bigint> {
  const deep: bigint[] = [];
  for (const depth of [credit, creditAbove]) {
    const isCounted = depth.kind === 'BLOCKS';
    deep.push(
      isCounted ? head - BigInt(depth.blocks) : ((await readFinalCursor(tx, place))?.number ?? 0n),
    );
  }
  return deep.reduce((low, one) => (one < low ? one : low));
}
