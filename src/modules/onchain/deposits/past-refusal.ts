import { refusalCode } from '../../../db/client/outage.ts';
import {
  isLeftTooLarge,
  setAsideDeposit,
  TOO_LARGE,
  type SetAsideKey,
} from '../../../db/ledger/set-aside-store.ts';
import { isTooLarge } from '../../../domain/onchain/chain-nodes.ts';
import type { ReaderDeps } from './reader-deps.ts';

type AsideDeps = Pick<ReaderDeps, 'db' | 'place' | 'clock' | 'alarm'>;

/**
 * Does something with one transfer. Where the database refuses it, for what is in it, it is set aside with the
 * SQLSTATE, operators are alarmed, and those behind it have their turn: answers null. Every other error is thrown,
 * as those of a database that serves no query now.
 */
export async function pastRefusal<Result>(
  deps: AsideDeps,
  key: SetAsideKey,
  act: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    const why = refusalCode(error);
    if (why === null) throw error;
    await setAside(deps, key, why);
    return null;
  }
}

/**
 * Reads one transaction. Any sender can make one whose receipt is too large to be read: it is set aside, as what the
 * database refuses is, or it would keep every deposit behind it from being read. Until its next try no node is asked.
 */
export async function pastTooLarge<Result>(
  deps: AsideDeps,
  key: SetAsideKey,
  read: () => Promise<Result>,
): Promise<Result | 'SET_ASIDE'> {
  const { db, place, clock } = deps;
  const isLeft = await db.system((tx) => isLeftTooLarge(tx, place, key.txHash, clock.now()));
  if (isLeft) return 'SET_ASIDE';
  try {
    return await read();
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    await setAside(deps, key, TOO_LARGE);
    return 'SET_ASIDE';
  }
}

async function setAside(
  { db, place, clock, alarm }: AsideDeps,
  { txHash, ordinal, to }: SetAsideKey,
  why: string,
): Promise<void> {
  const refused = { why, now: clock.now() };
  await db.system((tx) => setAsideDeposit(tx, place, { txHash, ordinal, to }, refused));
  alarm({ kind: 'DEPOSIT_SET_ASIDE', txHash, ordinal, why });
}
