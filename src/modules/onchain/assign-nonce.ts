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
  type NewTransaction,
} from '../../db/onchain/chain-nonce-store.ts';
import {
  hasActiveWallet,
  lockTransfer,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { askLane, type Turn } from './ask-lane.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';
import type { LaneFunds, OpenLane } from './lane-funds.ts';
import { signAndSend, type ToSign } from './sign-and-send.ts';
import type { Unread } from './unread.ts';

/** Nonces of a lane that are under way at a time: more would wait for the lowest of them. */
export const OPEN_NONCES_MAX = 16;

/** What all transfers of a tick share. */
export interface CarryRound {
  readonly funds: LaneFunds;
  readonly unread: Unread;
  /** `address contract` of lanes whose tokens do not move: found out once a tick. */
  readonly refused: Set<string>;
}

/**
 * Gives a transfer that waits the next nonce of a lane and sends it: of the lane with the fewest under way that
 * can pay it, which is answered as it is then. Null where none does now. It is given up only where a lane that could pay found that the
 * token lets nothing go there, no other can, and all of them could be asked; whatever else is wrong holds it. One whose
 * wallet is not ACTIVE any more waits for operators.
 */
export async function assignNonce(
  deps: ChainDeps,
  look: ChainLook,
  { funds, unread, refused }: CarryRound,
  lanes: readonly OpenLane[],
  transfer: ChainTransferRow,
): Promise<OpenLane | null> {
  const fees = await funds.fees();
  if (fees === null) {
    await leaveWaiting(deps, transfer, { hold: 'NETWORK_CONGESTED' });
    return null;
  }
  let hasFailed = false;
  let isAnyUnread = false;
  for (const lane of lanes.toSorted((one, other) => one.open - other.open)) {
    const name = `${lane.key.address} ${transfer.contract}`;
    if (refused.has(name)) continue;
    const answer = await unread.past(() => askLane(deps, funds, lane, transfer, fees));
    if (answer === null) isAnyUnread = true;
    else if (answer.kind === 'SEND') {
      const made = await commitNonce(deps, look, lane.key, transfer, answer);
      if (made === 'WALLET_NOT_ACTIVE') {
        deps.alarm({ kind: made, paymentId: transfer.paymentId });
        await leaveWaiting(deps, transfer, { hold: 'STALLED' });
      }
      if (made === null || made === 'WALLET_NOT_ACTIVE') return null;
      await signAndSend(deps, look, made);
      return busier(lane, transfer, answer);
    } else if (answer.kind === 'FAILS') hasFailed = true;
    else if (answer.kind === 'REFUSED') {
      refused.add(name);
      const { contract } = transfer;
      deps.alarm({ kind: 'TOKEN_REFUSES', address: lane.key.address, contract });
    }
  }
  if (isAnyUnread) return null;
  const change = hasFailed
    ? ({ state: 'REJECTED', hold: null, reason: 'REVERTED' } as const)
    : ({ hold: 'AWAITING_LIQUIDITY' } as const);
  await leaveWaiting(deps, transfer, change);
  return null;
}

function busier(
  lane: OpenLane,
  { contract, amount }: ChainTransferRow,
  { gas, fees }: Turn,
): OpenLane {
  return {
    ...lane,
    open: lane.open + 1,
    owed: new Map(lane.owed).set(contract, (lane.owed.get(contract) ?? 0n) + amount),
    gasOwed: lane.gasOwed + gas * fees.maxFeePerGas,
  };
}

/**
 * Commits nonce and unsigned bytes together. Null where the lane or the transfer is not free for it, or a lost
 * life of the database may have paid it: a restore may have begun since the tick did. The wallet may have been rejected
 * or disabled while the transfer waited.
 */
async function commitNonce(
  { db, place, settings: { chainId } }: ChainDeps,
  { now }: ChainLook,
  key: LaneKey,
  { reference, contract }: ChainTransferRow,
  { data, gas, fees: { maxFeePerGas, maxPriorityFeePerGas } }: Turn,
): Promise<ToSign | 'WALLET_NOT_ACTIVE' | null> {
  return db.system(async (tx) => {
    const lane = await lockLane(tx, key);
    if (lane?.status !== 'OPEN' || (await isAnyLaneUnsure(tx, place))) return null;
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING' || transfer.isGivenUp) return null;
    if (!(await hasActiveWallet(tx, transfer))) return 'WALLET_NOT_ACTIVE';
    if ((await readOpenNonces(tx, key)).length >= OPEN_NONCES_MAX) return null;
    const nonce = await takeNonce(tx, lane, now);
    const fees = { maxFeePerGas, maxPriorityFeePerGas };
    const turn = { chainId, nonce, gas, ...fees };
    const unsigned = encodeUnsigned({ ...turn, to: contract, value: 0n, data });
    const made: NewTransaction = {
      ...{ number: 0, kind: 'TRANSFER', unsigned, gas, value: 0n },
      ...fees,
    };
    const nonceKey = { ...key, nonce };
    await insertNonce(tx, nonceKey, reference, now);
    await insertTransaction(tx, nonceKey, made, now);
    await saveTransfer(tx, { ...transfer, state: 'CARRIED', hold: null }, now);
    return { key: nonceKey, ...made };
  });
}

async function leaveWaiting(
  { db, clock, place }: ChainDeps,
  { reference, hold: before }: ChainTransferRow,
  change: Partial<Pick<ChainTransferRow, 'state' | 'hold' | 'reason'>>,
): Promise<void> {
  if (change.state === undefined && change.hold === before) return;
  await db.system(async (tx) => {
    if (change.state !== undefined && (await isAnyLaneUnsure(tx, place))) return;
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING') return;
    if (change.state === undefined && change.hold === transfer.hold) return;
    await saveTransfer(tx, { ...transfer, ...change }, clock.now());
  });
}
