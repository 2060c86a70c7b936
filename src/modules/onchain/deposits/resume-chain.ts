import { moveCursor, readFinalCursor } from '../../../db/onchain/chain-cursor-store.ts';
import { keepProvedAgain, liftStop, type ChainStop } from '../../../db/onchain/chain-stop-store.ts';
import { readDepositsOfBlocks } from '../../../db/onchain/read-deposit-store.ts';
import { forgetBehind, readCheckpoints } from '../../../db/operations/resumption-store.ts';
import { findFirstWatch, readAllAddresses } from '../../../db/parties/watched-address-store.ts';
import type { BlockHeader } from '../../../domain/onchain/chain-facts.ts';
import { BLOCKS_MAX } from '../../../domain/onchain/transfer-logs.ts';
import { readProved } from './advance-cursors.ts';
import { findBlockBefore } from './find-block-before.ts';
import { whileCanonical } from './find-transfers.ts';
import { proveFinal } from './prove-final.ts';
import type { ReaderDeps } from './reader-deps.ts';

/** How a stopped network stands after a poll cycle. */
type Resumption = 'STOPPED' | 'MORE' | 'LIFTED';

/**
 * One step of lifting the stop of a network, once two operators have said at which final block: all behind the
 * last block that is still of the chain is read and proved again up to there, a part with each poll cycle, and what is
 * gone is ORPHANED, also what was final. Then the cursor goes to that block, and the stop is lifted. Where either
 * provider does not give that block as final, a human is called. Each part can be done twice. Throws
 * ChainUnreadable.
 */
export async function resumeChain(deps: ReaderDeps, stop: ChainStop): Promise<Resumption> {
  const { nodes, alarm } = deps;
  const { resumeBlock, resumeHash } = stop;
  if (resumeBlock === null) {
    alarm({ kind: 'FINAL_BLOCK_GONE', block: stop.block.toString() });
    return 'STOPPED';
  }
  const { final } = await nodes.heads();
  const block = await nodes.blockAt(resumeBlock);
  if (block === null || final.number < resumeBlock || block.hash !== resumeHash) {
    alarm({ kind: 'RESUMPTION_REFUSED', block: resumeBlock.toString() });
    return 'STOPPED';
  }
  const { baseBlock, provedBlock } = stop;
  if (baseBlock === null || provedBlock === null) {
    await beginAgain(deps, stop, block);
    return 'MORE';
  }
  if (provedBlock < resumeBlock) {
    const proved = await proveNext(deps, provedBlock, block);
    await deps.db.system((tx) => keepProvedAgain(tx, stop, { base: baseBlock, proved }));
    return 'MORE';
  }
  await lift(deps, stop, block);
  return 'LIFTED';
}

/** Finds from where on all is read again, and forgets what was read there. */
async function beginAgain(deps: ReaderDeps, stop: ChainStop, upTo: BlockHeader): Promise<void> {
  const { db, place } = deps;
  const base = await findBase(deps, stop, upTo);
  await db.system(async (tx) => {
    if (await keepProvedAgain(tx, stop, { base, proved: base })) {
      await forgetBehind(tx, place, { base, upTo: upTo.number });
    }
  });
}

/** The newest block that was kept and is still of the chain; else the one before the first address was given out. */
async function findBase(deps: ReaderDeps, stop: ChainStop, upTo: BlockHeader): Promise<bigint> {
  const { db, place, nodes } = deps;
  for (const kept of await db.system((tx) => readCheckpoints(tx, place, stop.block))) {
    if ((await nodes.blockAt(kept.number))?.hash === kept.hash) return kept.number;
  }
  const first = await db.system((tx) => findFirstWatch(tx, place.environment));
  if (first === null) return stop.block;
  const { number } = await findBlockBefore(deps, first, upTo);
  return number < stop.block ? number : stop.block;
}

/** Proves blocks again, no more than are listed at a time: a part must end in one activity. Answers up to where. */
async function proveNext(deps: ReaderDeps, from: bigint, last: BlockHeader): Promise<bigint> {
  const { db, place } = deps;
  const end = from + BLOCKS_MAX < last.number ? from + BLOCKS_MAX : last.number;
  const blocks = { from: from + 1n, to: end };
  await whileCanonical(deps, last.number, async () => {
    for (const deposit of await db.system((tx) => readDepositsOfBlocks(tx, place, blocks))) {
      await proveFinal(deps, deposit, last.number);
    }
    const addresses = await db.system((tx) => readAllAddresses(tx, place.environment));
    await readProved(deps, addresses, blocks);
  });
  return end;
}

async function lift(
  { db, place, clock }: ReaderDeps,
  stop: ChainStop,
  block: BlockHeader,
): Promise<void> {
  await db.system(async (tx) => {
    const from = await readFinalCursor(tx, place);
    if (from === null) throw new Error('a stopped network was never read');
    const to = { ...block, at: block.at < from.at ? from.at : block.at };
    // Where another reader has moved it, the database sees to it that it is there.
    await moveCursor(tx, place, 'FINAL', { from, to, now: clock.now() });
    await liftStop(tx, stop, clock.now());
  });
}
