import {
  findLane,
  freezeLane,
  keepSuspicion,
  openLane,
  openLostLane,
  wasEverRestored,
  type LaneKey,
  type LaneRow,
} from '../../db/onchain/chain-lane-store.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';

/**
 * A lane and the address's next nonce at the newest block. A new one is opened with the nonce that the
 * chain gives, once nothing of the address is younger than the final block; null until then. Where the
 * database was restored, a new one is frozen, and a known one is until operators have thawed it since.
 */
export async function lookAtLane(
  deps: ChainDeps,
  { heads, now }: ChainLook,
  address: string,
): Promise<{ readonly lane: LaneRow; readonly nextOnChain: bigint } | null> {
  const { db, nodes, place } = deps;
  const key: LaneKey = { ...place, address };
  const nextOnChain = await nodes.nonceAt(address, heads.latest);
  const { known, wasRestored } = await db.system(async (tx) => ({
    known: await findLane(tx, key),
    wasRestored: await wasEverRestored(tx),
  }));
  if (known?.isRestored === true) await freeze(deps, key, 'RESTORED');
  if (known === null) {
    // What was sent before the restore is learnt from the chain.
    if (wasRestored) await db.system((tx) => openLostLane(tx, key, now));
    else if ((await nodes.nonceAt(address, heads.final)) !== nextOnChain) return null;
    else await db.system((tx) => openLane(tx, key, nextOnChain, now));
  }
  const lane = await db.system((tx) => findLane(tx, key));
  return lane === null ? null : { lane, nextOnChain };
}

/** What a look found that must not be: another's transaction at a nonce of ours, or one beyond ours. */
export interface Suspicion {
  readonly found: string | null;
  /** Not every nonce could be read: what was found before is not refuted. */
  readonly isUnclear: boolean;
}

/**
 * One look may meet a node that lies or lags; what two of them find in turn freezes the lane. Answers whether
 * anything is found, or was and is not refuted.
 */
export async function judgeSuspicion(
  deps: ChainDeps,
  lane: LaneRow,
  { found, isUnclear }: Suspicion,
): Promise<boolean> {
  const { db, clock } = deps;
  if (found === null && isUnclear) return lane.suspicion !== null;
  if (found !== null && found === lane.suspicion) {
    await freeze(deps, lane, found.replace(/:.*$/, ''));
  } else if (found !== lane.suspicion) {
    await db.system((tx) => keepSuspicion(tx, lane, found, clock.now()));
  }
  return found !== null;
}

/** Freezes a lane, and calls a human where it was not frozen. */
export async function freeze(
  { db, clock, alarm }: ChainDeps,
  key: LaneKey,
  why: string,
): Promise<void> {
  const isNew = await db.system((tx) => freezeLane(tx, key, why, clock.now()));
  if (isNew) alarm({ kind: 'LANE_FROZEN', address: key.address, why });
}
