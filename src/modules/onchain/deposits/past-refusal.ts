import { refusalCode } from '../../../db/client/outage.ts';
import {
  setAsideDeposit,
  TOO_LARGE,
  type SetAsideKey,
} from '../../../db/ledger/set-aside-store.ts';
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
 * Sets a transaction aside whose receipt is too large to be read, as what the database refuses is: any sender can make
 * one, and it would keep every deposit behind it from being read. Until its next try no node is asked.
 */
export const setAsideTooLarge = (deps: AsideDeps, key: SetAsideKey): Promise<void> =>
  setAside(deps, key, TOO_LARGE);

async function setAside(
  { db, place, clock, alarm }: AsideDeps,
  { txHash, ordinal, to }: SetAsideKey,
  why: string,
): Promise<void> {
  const refused = { why, now: clock.now() };
  await db.system((tx) => setAsideDeposit(tx, place, { txHash, ordinal, to }, refused));
  alarm({ kind: 'DEPOSIT_SET_ASIDE', txHash, ordinal, why });
}
