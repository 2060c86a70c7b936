import { beginGasLook, keepGasLook } from '../../db/onchain/chain-lane-store.ts';
import { gasLaneNeeds } from '../../domain/onchain/top-up-rules.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';
import type { OpenLane } from './lane-funds.ts';
import { topUpLane } from './top-up-lane.ts';

/** An address is looked at once in so long. */
const LOOK_MS = 60_000;

/** What 50 transfers take at most. Units of gas. */
const ENOUGH_GAS = 50n * 100_000n;

/**
 * Calls a human where an open lane has little of the coin left, or the gas lane too little to give any: once, until it has
 * enough again. A configured lane below the floor of the network's top-ups is topped up. Throws ChainUnreadable.
 */
export async function watchGas(
  deps: ChainDeps,
  look: ChainLook,
  lanes: readonly OpenLane[],
): Promise<void> {
  const { db, nodes, alarm } = deps;
  const { topUps, lanes: configured } = deps.settings;
  const { now, heads } = look;
  const since = new Date(now.getTime() - LOOK_MS);
  const gasLane = lanes.find(({ key }) => key.address === topUps?.from);
  for (const { key } of lanes) {
    const before = await db.system((tx) => beginGasLook(tx, key, { since, now }));
    if (before === null) continue;
    const { address } = key;
    const coins = await nodes.nativeBalance(address, heads.latest);
    const { maxFeePerGas } = await nodes.suggestFees();
    const forTransfers = ENOUGH_GAS * maxFeePerGas;
    const forOthers = topUps?.from === address ? gasLaneNeeds(topUps) : 0n;
    const enough = forOthers > forTransfers ? forOthers : forTransfers;
    const isLow = coins < enough;
    const isNew = await db.system((tx) => keepGasLook(tx, key, isLow));
    if (isNew && isLow) {
      alarm({ kind: 'LOW_GAS', address, coins: coins.toString(), enough: enough.toString() });
    }
    // No signer gives anything to one that is configured no more.
    const mayGet = configured.includes(address) && gasLane?.key.address !== address;
    if (topUps !== null && gasLane !== undefined && mayGet) {
      await topUpLane(deps, look, { rules: topUps, gasLane, lane: key, latest: coins });
    }
  }
}
