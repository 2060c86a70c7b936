import type { NextPoll } from '../../../domain/onchain/next-poll.ts';
import { ONE_STATEMENT } from '../../../db/client/database.ts';
import { findChainStop } from '../../../db/onchain/chain-stop-store.ts';
import { isAnyDepositYoung } from '../../../db/onchain/read-deposit-store.ts';
import {
  isAnyAddressWatched,
  readBusyAddresses,
} from '../../../db/parties/watched-address-store.ts';
import {
  isFinalKept,
  openCursors,
  readCursors,
  readFinal,
  readHead,
  stepBack,
} from './advance-cursors.ts';
import { creditDeposits, finaliseDeposits } from './credit-deposits.ts';
import { takeDust } from './dust.ts';
import { readHeaders } from './find-transfers.ts';
import { resumeChain } from './resume-chain.ts';
import { forgetBooked, trySetAside } from './try-set-aside.ts';
import { IDLE_AFTER_MS } from '../../../domain/onchain/deposits/idle-address.ts';
import type { ReaderDeps, ReaderCycle } from './reader-deps.ts';

/**
 * One poll cycle of a chain for deposits. The heads are read before the addresses, so that none is missed that
 * was given out meanwhile; the order of everything else is that of docs/adr/0076. Every part commits before
 * the next one begins, and each can be done twice, so a poll cycle that was killed anywhere is followed by
 * another. Throws ChainUnreadable where the nodes do not agree.
 */
export async function readChain(deps: ReaderDeps): Promise<NextPoll> {
  const { db, clock, place, nodes, settings } = deps;
  const [isWatched, stop] = await Promise.all([
    db.system((tx) => isAnyAddressWatched(tx, place.environment), ONE_STATEMENT),
    db.system((tx) => findChainStop(tx, place), ONE_STATEMENT),
  ]);
  if (!isWatched) return { kind: 'IDLE' };
  const rest: NextPoll = { kind: 'WAIT', waitMs: settings.restEveryMs };
  if (stop !== null) {
    return (await resumeChain(deps, stop)) === 'STOPPED' ? rest : { kind: 'WAIT', waitMs: 0 };
  }

  const [heads, known] = await Promise.all([nodes.heads(), readCursors(deps)]);
  const cycle: ReaderCycle = { heads };
  const begun = known ?? (await openCursors(deps, cycle));
  const idleSince = new Date(clock.now().getTime() - IDLE_AFTER_MS);
  const [last, addresses] = await Promise.all([
    readHeaders(deps, [begun.final.number, begun.head.number]),
    db.system((tx) => readBusyAddresses(tx, place.environment, idleSince), ONE_STATEMENT),
  ]);
  if (!(await isFinalKept(deps, begun, last))) return rest;
  const cursors = await stepBack(deps, begun, last);
  const isHeadMore = await readHead(deps, cycle, cursors, addresses);
  const { read, isMore } = await readFinal(deps, cycle, cursors, addresses);
  const tried = await trySetAside(deps, read);
  const credit = await creditDeposits(deps, cycle);
  const isMoreFinal = await finaliseDeposits(deps, read.number);
  await forgetBooked(deps, tried);
  // What is below the floor comes last, and not before what is over it.
  if (credit.isQueueShort) await takeDust(deps);
  if (isHeadMore || isMore || credit.isMore || isMoreFinal) return { kind: 'WAIT', waitMs: 0 };
  const isYoung = await db.system((tx) => isAnyDepositYoung(tx, place), ONE_STATEMENT);
  return isYoung ? { kind: 'WAIT', waitMs: settings.pollEveryMs } : rest;
}
