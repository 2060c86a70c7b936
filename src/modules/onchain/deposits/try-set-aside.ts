import { ONE_STATEMENT } from '../../../db/client/database.ts';
import type { CursorBlock } from '../../../db/onchain/chain-cursor-store.ts';
import {
  forgetSetAside,
  readDueSetAside,
  TOO_LARGE,
  type SetAsideRow,
} from '../../../db/ledger/set-aside-store.ts';
import { findWatchedAddresses } from '../../../db/parties/watched-address-store.ts';
import { keepWhatMoved } from './advance-cursors.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { ownersOf, settleTransaction, type OwnerOf } from './settle-transaction.ts';

/** Transfers of one poll cycle; what is left comes with the next one. */
const TICK_SET_ASIDE = 50;
/** Of them, so many that are too large still: each takes seconds, and any sender can make them. */
const TICK_TOO_LARGE = 3;

/**
 * Stores again what was set aside before, as far as it is due. Answers which: those that `forget` finds set aside
 * anew stay so. `final`: the last final block that was read. Throws ChainUnreadable.
 */
export async function trySetAside(
  deps: ReaderDeps,
  final: CursorBlock,
): Promise<readonly SetAsideRow[]> {
  const { db, place, clock } = deps;
  const due = await db.system(
    (tx) => readDueSetAside(tx, place, clock.now(), TICK_SET_ASIDE),
    ONE_STATEMENT,
  );
  const proved: SetAsideRow[] = [];
  let tooLarge = 0;
  for (const row of due) {
    if (row.why === TOO_LARGE && tooLarge === TICK_TOO_LARGE) continue;
    const ownerOf = await findOwners(deps, row);
    if (ownerOf === 'SET_ASIDE') tooLarge += 1;
    // What no block holds now is found again where one does, and what is too large still is put off.
    if (ownerOf === null || ownerOf === 'SET_ASIDE') continue;
    const settled = await settleTransaction(deps, row, ownerOf);
    if (settled === null || settled === 'SET_ASIDE') continue;
    proved.push(row);
    // What is in blocks ahead is kept when these are read.
    const read = settled.filter(({ block }) => block.number <= final.number);
    await keepWhatMoved(deps, read, ownerOf);
  }
  return proved;
}

/**
 * Whose addresses a row is about: where its transaction was too large to be read, all that it moves tokens from or to. Null
 * where it is not read now. Throws ChainUnreadable.
 */
async function findOwners(
  deps: ReaderDeps,
  row: SetAsideRow,
): Promise<OwnerOf | 'SET_ASIDE' | null> {
  const { db, place } = deps;
  let names = [row.to];
  if (row.why === TOO_LARGE) {
    const moved = await settleTransaction(deps, row, () => null);
    if (moved === null || moved === 'SET_ASIDE') return moved;
    names = [...new Set(moved.flatMap(({ from, to }) => [from, to]))];
  }
  return ownersOf(await db.system((tx) => findWatchedAddresses(tx, place.environment, names)));
}

/** Forgets those that nothing was refused of since they were read. */
export async function forgetBooked(
  { db }: Pick<ReaderDeps, 'db'>,
  tried: readonly SetAsideRow[],
): Promise<void> {
  if (tried.length === 0) return;
  await db.system(async (tx) => {
    for (const row of tried) await forgetSetAside(tx, row);
  });
}
