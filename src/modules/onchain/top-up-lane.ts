import {
  isAnyLaneUnsure,
  lockLane,
  takeNonce,
  type LaneKey,
} from '../../db/onchain/chain-lane-store.ts';
import {
  insertNonce,
  insertTransaction,
  readOpenNonces,
  sumSignedSince,
  type NewTransaction,
} from '../../db/onchain/chain-nonce-store.ts';
import { insertTopUp, isTopUpFree } from '../../db/onchain/chain-top-up-store.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { firstFees } from '../../domain/onchain/lane-fees.ts';
import { GAS_COIN } from '../../domain/onchain/signing-policy.ts';
import { givingTakes, topUpValue, type CappedTopUps } from '../../domain/onchain/top-up-rules.ts';
import { COIN_GAS, coinTransfer, encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { OPEN_NONCES_MAX } from './assign-nonce.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';
import { gasOwed, type OpenLane } from './lane-funds.ts';
import { signAndSend, type ToSign } from './sign-and-send.ts';

/** After a top-up that ended without an effect, or that the signer refused, the next one of the lane waits so long. */
const PAUSE_MS = 3_600_000;

/** What the cap of signers is over. */
const HOUR_MS = 3_600_000;

/** A lane that may be short, and the one that gives. Both are open, and not the same. */
interface Need {
  readonly rules: CappedTopUps;
  readonly gasLane: OpenLane;
  readonly lane: LaneKey;
  /** Wei that the lane has at the newest block. */
  readonly latest: bigint;
}

/** The same, once it is known what it takes. */
interface Turn extends Need {
  readonly value: bigint;
  readonly fees: GasFees;
  /** Wei that the gas lane has at the newest block. */
  readonly held: bigint;
}

/**
 * Tops a lane up from the gas lane where it is below the floor, at a final block and at the newest one, as all nodes
 * say. The top-up is a nonce of the gas lane as any other: committed, signed, stored, sent. A lane has one under way at most,
 * and gets the next one by what a block says that holds the last one. Killed anywhere, it goes on with the nonce; nothing
 * happens where the gas lane has too little. What its signer would refuse for the hour's cap is told as if it had, and takes no
 * nonce. Throws ChainUnreadable.
 */
export async function topUpLane(deps: ChainDeps, look: ChainLook, need: Need): Promise<void> {
  const { nodes, settings } = deps;
  const { lane, gasLane, latest, rules } = need;
  const { heads } = look;
  if (latest >= rules.floor) return;
  const final = await nodes.nativeBalance(lane.address, heads.final);
  const value = topUpValue({ latest, final }, rules);
  const fees = firstFees(await nodes.suggestFees(), settings.gasCaps);
  if (value === null || fees === null) return;
  const held = await nodes.nativeBalance(gasLane.key.address, heads.latest);
  const made = await commitTopUp(deps, look, { ...need, value, fees, held });
  if (made === 'HOUR_OVER_CAP') {
    deps.alarm({ kind: 'SIGNING_REFUSED', address: gasLane.key.address, why: made });
  } else if (made !== null) await signAndSend(deps, look, made);
}

/**
 * Commits nonce, top-up and unsigned bytes together. Null where one of the lanes is not free for it; HOUR_OVER_CAP where
 * signers gave too much within the hour.
 */
async function commitTopUp(
  { db, place, settings: { chainId } }: ChainDeps,
  { now, heads }: ChainLook,
  { rules, gasLane: { key, nextOnChain }, lane, value, fees, held }: Turn,
): Promise<ToSign | 'HOUR_OVER_CAP' | null> {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const plannedBlock = heads.final.number;
  const since = new Date(now.getTime() - PAUSE_MS);
  return db.system(async (tx) => {
    const from = await lockLane(tx, key);
    const to = await lockLane(tx, lane);
    if (from?.status !== 'OPEN' || to?.status !== 'OPEN') return null;
    if (await isAnyLaneUnsure(tx, place)) return null;
    if (!(await isTopUpFree(tx, lane, { plannedBlock, since }))) return null;
    const nonces = await readOpenNonces(tx, key);
    if (nonces.length >= OPEN_NONCES_MAX) return null;
    const owed = gasOwed(nonces, nextOnChain);
    if (held < givingTakes(rules, { value, fee: COIN_GAS * maxFeePerGas, owed })) return null;
    const hour = { asset: GAS_COIN, since: new Date(now.getTime() - HOUR_MS) };
    const except = { address: key.address, nonce: from.nextNonce };
    const signed = await sumSignedSince(tx, place, { ...hour, except });
    if (signed + value > rules.hourMax) return 'HOUR_OVER_CAP';
    const nonce = await takeNonce(tx, from, now);
    const turn = { chainId, nonce, gas: COIN_GAS, maxFeePerGas, maxPriorityFeePerGas };
    const unsigned = encodeUnsigned(coinTransfer(turn, lane.address, value));
    const caps = { gas: COIN_GAS, maxFeePerGas, maxPriorityFeePerGas };
    const made: NewTransaction = { number: 0, kind: 'TOP_UP', unsigned, value, ...caps };
    const nonceKey = { ...key, nonce };
    await insertNonce(tx, nonceKey, null, now);
    await insertTopUp(tx, nonceKey, { recipient: lane.address, amount: value, plannedBlock }, now);
    await insertTransaction(tx, nonceKey, made, now);
    return { key: nonceKey, ...made };
  });
}
