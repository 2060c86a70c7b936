import {
  endRetirement,
  findLane,
  forgetFence,
  lockLane,
  reopenLane,
  setFence,
  takeNonce,
  type LaneRow,
} from '../../db/onchain/chain-lane-store.ts';
import {
  insertNonce,
  insertTransaction,
  lockNonce,
  readOpenNonces,
  voidNonce,
  type NonceRow,
} from '../../db/onchain/chain-nonce-store.ts';
import { storeFound, type FoundTransaction } from '../../db/onchain/found-transaction-store.ts';
import { firstFees } from '../../domain/onchain/lane-fees.ts';
import { voidTransaction } from './advance-nonce.ts';
import { OPEN_NONCES_MAX } from './assign-nonce.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';
import { findNonce } from './find-nonce.ts';
import { passForeign } from './pass-foreign.ts';
import { readFound } from './read-found.ts';
import { freeze } from './watch-lane.ts';

/** Nonces that one look adopts; what is left comes with the next one. */
const LOOK_NONCES = 50n;

/** A lane and what the chain says of its address. */
interface KnownLane {
  readonly lane: LaneRow;
  /** The address's next nonce at the newest block. */
  readonly nextOnChain: bigint;
}

/**
 * Learns what the address of a thawed lane sent and the database does not know: what is final is stored as
 * it was found. Then every nonce is used up for which something may have been signed before the restore that
 * is on its way still: no nonce was ever open that is OPEN_NONCES_MAX beyond what is mined. What is found later,
 * by nodes that lagged behind until then, begins that anew. Only then is the lane open. What is none of ours
 * freezes it again, unless two operators know of it. A lane that is given up learns the same, is never open, and
 * uses no nonce up: where something unknown may be on its way, two operators say when that is over. Answers the lane
 * as it is after that.
 */
export async function adoptLane(
  deps: ChainDeps,
  look: ChainLook,
  known: KnownLane,
): Promise<LaneRow> {
  const { lane } = known;
  const final = await deps.nodes.nonceAt(lane.address, look.heads.final);
  const used = await adoptUsed(deps, look, known, final);
  if (typeof used === 'object') await meetForeign(deps, lane, used);
  const adopted = (await deps.db.system((tx) => findLane(tx, lane))) ?? lane;
  if (used !== 'ALL' || !LEARNING.has(adopted.status)) return adopted;
  // A young block may be replaced by one with less in it.
  const isSettled = final === known.nextOnChain;
  if (isStale(deps, look)) return adopted;
  if (adopted.status === 'RETIRING' && isSettled) {
    if (adopted.mayStillPay) deps.alarm({ kind: 'MAY_STILL_PAY', address: lane.address });
    else await deps.db.system((tx) => endRetirement(tx, lane, deps.clock.now()));
  } else if (adopted.status === 'ADOPTING') await useUp(deps, { ...known, lane: adopted }, final);
  return (await deps.db.system((tx) => findLane(tx, lane))) ?? lane;
}

/** A newest block so old, in ms, is not believed to be the newest one of a live chain. */
const STALE_MS = 5 * 60_000;

/** Nodes that stand still do not know what was mined since; an idle chain of test has no new block. */
const isStale = ({ place }: ChainDeps, { now, heads }: ChainLook): boolean =>
  place.environment === 'live' && now.getTime() - heads.latest.at.getTime() > STALE_MS;

/** A lane that stores what it finds. */
const LEARNING: ReadonlySet<LaneRow['status']> = new Set(['ADOPTING', 'RETIRING', 'RETIRED']);

const CARRIES_NOTHING = { reference: null, contract: null, recipient: null, amount: null } as const;

/** What used a nonce of the address and is none of ours. */
interface ForeignFound {
  readonly nonce: bigint;
  readonly hash: string;
}

/** ALL: of what is final, nothing is unknown. SOME: the next look goes on. */
type Adopted = 'ALL' | 'SOME' | ForeignFound;

/** A lane that is given up is not frozen any more: a human is called. */
async function meetForeign(
  deps: ChainDeps,
  { address, retiredBy, ...lane }: LaneRow,
  { nonce, hash }: ForeignFound,
): Promise<void> {
  if (retiredBy === null) await freeze(deps, { ...lane, address }, 'FOREIGN_TRANSACTION');
  else deps.alarm({ kind: 'FOREIGN_TRANSACTION', address, nonce: nonce.toString(), hash });
}

async function adoptUsed(
  deps: ChainDeps,
  look: ChainLook,
  { lane, nextOnChain }: KnownLane,
  final: bigint,
): Promise<Adopted> {
  const { db, nodes } = deps;
  const rows = await db.system((tx) => readOpenNonces(tx, lane));
  for (const row of rows.filter(({ nonce }) => nonce < final)) {
    const sight = await findNonce(deps, look, row, nextOnChain);
    if (sight.kind === 'UNCLEAR') return 'SOME';
    if (sight.kind === 'KNOWN') continue;
    const found = await readFound(deps, row, sight.hash);
    if (found !== null) await adoptKnown(deps, row, found);
    else if (!(await passForeign(deps, look, { lane, nonce: row.nonce, row, hash: sight.hash }))) {
      return { nonce: row.nonce, hash: sight.hash };
    }
  }
  const end = final < lane.nextNonce + LOOK_NONCES ? final : lane.nextNonce + LOOK_NONCES;
  for (let nonce = lane.nextNonce; nonce < end; nonce += 1n) {
    const hash = await nodes.findByNonce(lane.address, nonce, look.heads.final);
    if (hash === null) return 'SOME';
    const found = await readFound(deps, { ...lane, nonce, ...CARRIES_NOTHING }, hash);
    if (found !== null) await adoptUnknown(deps, lane, nonce, found);
    else if (!(await passForeign(deps, look, { lane, nonce, row: null, hash }))) {
      return { nonce, hash };
    }
  }
  return end === final || final < lane.nextNonce ? 'ALL' : 'SOME';
}

/** Another transaction of a nonce that the database has: one whose fees were raised, or a void. */
async function adoptKnown(
  { db, clock }: ChainDeps,
  row: NonceRow,
  found: FoundTransaction,
): Promise<void> {
  await db.system(async (tx) => {
    const lane = await lockLane(tx, row);
    if (lane === null || !LEARNING.has(lane.status)) return;
    if ((await lockNonce(tx, row))?.state !== 'OPEN') return;
    const now = clock.now();
    await storeFound(tx, row, found, now);
    await forgetFence(tx, row, now);
  });
}

async function adoptUnknown(
  { db, clock }: ChainDeps,
  { environment, network, address }: LaneRow,
  nonce: bigint,
  found: FoundTransaction,
): Promise<void> {
  const key = { environment, network, address, nonce };
  const now = clock.now();
  await db.system(async (tx) => {
    const lane = await lockLane(tx, key);
    if (lane?.nextNonce !== nonce || !LEARNING.has(lane.status)) return;
    await takeNonce(tx, lane, now);
    await insertNonce(tx, key, null, now);
    await storeFound(tx, key, found, now);
    await forgetFence(tx, key, now);
  });
}

/** Nonces up to the fence move nothing; once all of them are final, the lane is open. */
async function useUp(
  deps: ChainDeps,
  { lane, nextOnChain }: KnownLane,
  final: bigint,
): Promise<void> {
  const { db, clock } = deps;
  if (lane.fence === null) {
    if (final !== nextOnChain) return;
    const fence = nextOnChain + BigInt(OPEN_NONCES_MAX);
    await db.system((tx) => setFence(tx, lane, fence, clock.now()));
  } else if (lane.nextNonce < lane.fence) {
    await takeVoids(deps, lane, lane.fence);
  } else if (final >= lane.fence && final === nextOnChain) {
    await db.system((tx) => reopenLane(tx, lane, clock.now()));
  }
}

async function takeVoids(deps: ChainDeps, key: LaneRow, fence: bigint): Promise<void> {
  const { db, clock, nodes, settings } = deps;
  const fees = firstFees(await nodes.suggestFees(), settings.gasCaps);
  if (fees === null) return;
  const now = clock.now();
  await db.system(async (tx) => {
    for (;;) {
      const lane = await lockLane(tx, key);
      if (lane?.status !== 'ADOPTING' || lane.nextNonce >= fence) return;
      const { environment, network, address } = lane;
      const nonceKey = { environment, network, address, nonce: lane.nextNonce };
      await takeNonce(tx, lane, now);
      await insertNonce(tx, nonceKey, null, now);
      await voidNonce(tx, nonceKey, 'VOIDED', now);
      await insertTransaction(tx, nonceKey, voidTransaction(settings, nonceKey, 0, fees), now);
    }
  });
}
