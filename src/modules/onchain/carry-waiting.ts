import { isAnyLaneUnsure } from '../../db/onchain/chain-lane-store.ts';
import {
  readWaitingTransfers,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { assignNonce, OPEN_NONCES_MAX, type CarryRound } from './assign-nonce.ts';
import type { ChainDeps, ChainLook } from './chain-deps.ts';
import { claimFound } from './claim-found.ts';
import { createLaneFunds, type OpenLane } from './lane-funds.ts';
import { rejectGivenUp } from './reject-given-up.ts';
import type { Unread } from './unread.ts';

/** Transfers that are read at a time. */
const PAGE_TRANSFERS = 100;

/**
 * Ends what was given up while the network might have paid it, and gives the other transfers that wait to lanes,
 * oldest first, while one has room. What is held does not stop what is
 * behind it: all pages are gone through, and what a lane has is read once for all of them.
 */
export async function carryWaiting(
  deps: ChainDeps,
  look: ChainLook,
  unread: Unread,
  opened: readonly OpenLane[],
): Promise<void> {
  await rejectGivenUp(deps);
  const round = { funds: createLaneFunds(deps, look), unread, refused: new Set<string>() };
  let lanes = opened;
  let after: string | null = null;
  for (;;) {
    const waiting = await readPage(deps, after);
    for (const transfer of waiting) {
      const next = await carryOne(deps, look, round, lanes, transfer);
      if (next === null || unread.isSilent()) return;
      lanes = next;
    }
    if (waiting.length < PAGE_TRANSFERS) return;
    after = waiting.at(-1)?.reference ?? null;
  }
}

/** Nothing while any of them may have been paid before a restore. */
function readPage({ db, place }: ChainDeps, after: string | null): Promise<ChainTransferRow[]> {
  return db.system(async (tx) =>
    (await isAnyLaneUnsure(tx, place))
      ? []
      : readWaitingTransfers(tx, place, after, PAGE_TRANSFERS),
  );
}

/** The lanes as they are after it; null where none has room. */
async function carryOne(
  deps: ChainDeps,
  look: ChainLook,
  round: CarryRound,
  lanes: readonly OpenLane[],
  transfer: ChainTransferRow,
): Promise<readonly OpenLane[] | null> {
  if (await claimFound(deps, transfer)) return lanes;
  const free = lanes.filter(({ open }) => open < OPEN_NONCES_MAX);
  if (free.length === 0) return null;
  const carrier = await round.unread.past(() => assignNonce(deps, look, round, free, transfer));
  if (carrier === null) return lanes;
  return lanes.map((one) => (one.key.address === carrier.key.address ? carrier : one));
}
