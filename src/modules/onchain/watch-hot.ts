import {
  beginHotLook,
  keepHotLevel,
  readStoppedSignerAccounts,
} from '../../db/onchain/chain-hot-store.ts';
import { hotLevel, type HotRange } from '../../domain/onchain/hot-level.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/** An asset is looked at once in so long. */
const LOOK_MS = 60_000;

/**
 * Calls a human where the hot addresses that pay hold less of an asset together than its floor, or more than its cap:
 * once, until it is within them again. It moves nothing: tokens come from outside, and go to the treasury by its
 * owners' hands. Throws ChainUnreadable.
 */
export async function watchHot(deps: ChainDeps, { heads, now }: PollCycle): Promise<void> {
  const { db, nodes, place, settings } = deps;
  const since = new Date(now.getTime() - LOOK_MS);
  for (const range of settings.hot) {
    const { asset, contract } = range;
    const looked = await db.system(async (tx) => ({
      before: await beginHotLook(tx, place, asset, { since, now }),
      stopped: await readStoppedSignerAccounts(tx, place),
    }));
    if (looked.before === null) continue;
    let held = 0n;
    for (const address of settings.hotAddresses.filter(
      (signerAccount) => !looked.stopped.includes(signerAccount),
    )) {
      held += await nodes.tokenBalance(contract, address, heads.latest);
    }
    const level = hotLevel(held, range);
    if (level === looked.before) continue;
    sayLevel(deps, range, held);
    await db.system((tx) => keepHotLevel(tx, place, asset, level));
  }
}

function sayLevel({ alarm }: ChainDeps, { asset, floor, cap }: HotRange, minor: bigint): void {
  const text = (amount: bigint): string => formatAmount(amount, asset);
  const held = text(minor);
  if (minor < floor) {
    alarm({ kind: 'HOT_LOW', asset, held, floor: text(floor), missing: text(floor - minor) });
  } else if (minor > cap) {
    alarm({ kind: 'HOT_HIGH', asset, held, cap: text(cap), surplus: text(minor - cap) });
  }
}
