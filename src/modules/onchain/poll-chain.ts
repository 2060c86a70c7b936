import { ONE_STATEMENT } from '../../db/client/database.ts';
import type { NextPoll } from '../../domain/onchain/next-poll.ts';
import {
  findSignerAccount,
  readFollowedSignerAccounts,
  type SignerAccountRow,
} from '../../db/onchain/signer-account-store.ts';
import { readOpenNonces, type NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import { isSweepDue } from '../../db/onchain/chain-sweep-store.ts';
import { findChainStop } from '../../db/onchain/chain-stop-store.ts';
import { isAnyTransferUnderWay } from '../../db/onchain/chain-transfer-store.ts';
import { nextChainStep, type ChainStep } from '../../domain/onchain/next-chain-step.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { slotsOf } from '../../domain/onchain/nonce-slots.ts';
import { sweepCaps } from '../../domain/onchain/sweep-rules.ts';
import { adoptSignerAccount } from './adopt-signer-account.ts';
import { advanceNonces, holdTransfer, keepSent, type NonceMove } from './advance-nonce.ts';
import { carryWaiting } from './carry-waiting.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { findNonce, sightOfMined, type NonceSight } from './find-nonce.ts';
import { pastFault } from './past-fault.ts';
import { gasOwed, tokensOwed, type OpenSignerAccount } from './signer-funds.ts';
import { readMined } from './read-mined.ts';
import { freeUnsigned } from './release-nonce.ts';
import { passForeign } from './pass-foreign.ts';
import { sayUnsigned } from './sign-and-send.ts';
import { sweepDeposits } from './sweep-deposits.ts';
import { reportTransferOutcomes } from './report-transfer-outcomes.ts';
import { createUnread, type Unread } from './unread.ts';
import { watchGas } from './watch-gas.ts';
import { watchHot } from './watch-hot.ts';
import {
  judgeSuspicion,
  readSignerAccountOnChain,
  type Suspicion,
} from './watch-signer-account.ts';

/**
 * One poll cycle of a chain: what became of every nonce that is not over, then the transfers that wait, gas and tokens
 * of hot addresses, what payments have not heard, and the sweeps that are due. Every part commits before the next one
 * begins, so a poll cycle that was killed anywhere is followed by another. What cannot be read keeps nothing else from
 * its turn; it is told at the end, as ChainUnreadable. Nor does a row that is wrong, which is told at once. Of a network
 * that went back behind a final block nothing is believed, sent or told.
 */
export async function pollChain(deps: ChainDeps): Promise<NextPoll> {
  const { db, clock, place, settings } = deps;
  const isDue = await db.system(
    async (tx) =>
      (await findChainStop(tx, place)) === null &&
      ((await isAnyTransferUnderWay(tx, place)) || isSweepDue(tx, place, clock.now())),
  );
  if (isDue) {
    // First of all what needs no node: it may be that none answers.
    await reportTransferOutcomes(deps);
    const cycle: PollCycle = { now: clock.now(), heads: await deps.nodes.heads() };
    const unread = createUnread(deps);
    const signerAccounts: OpenSignerAccount[] = [];
    const followed = await db.system((tx) => readFollowedSignerAccounts(tx, place), ONE_STATEMENT);
    // One that is not configured any more is followed to its end.
    for (const address of new Set([...settings.hotAddresses, ...followed])) {
      deps.signal?.throwIfAborted();
      const open = await unread.past(address, () =>
        advanceSignerAccount(deps, cycle, unread, address),
      );
      if (open !== null) signerAccounts.push(open);
    }
    await carryWaiting(deps, cycle, unread, signerAccounts);
    await unread.past('gas', () => watchGas(deps, cycle));
    await unread.past('hot', () => watchHot(deps, cycle));
    await reportTransferOutcomes(deps);
    // Last, for it asks the nodes about many addresses, and no payment waits for it.
    await unread.past('sweeps', () => sweepDeposits(deps, cycle, signerAccounts));
    unread.tell();
  }
  const isUnderWay = await db.system(
    async (tx) => (await isAnyTransferUnderWay(tx, place)) || isSweepDue(tx, place, clock.now()),
  );
  return isUnderWay ? { kind: 'WAIT', waitMs: settings.pollEveryMs } : { kind: 'IDLE' };
}

/** Moves a signer account's nonces on. Null where it is not open for more. */
async function advanceSignerAccount(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  address: string,
): Promise<OpenSignerAccount | null> {
  const known = await readSignerAccountOnChain(deps, cycle, address);
  if (known === null) return null;
  const { nextOnChain } = known;
  const isLearning =
    known.signerAccount.status !== 'OPEN' && known.signerAccount.status !== 'FROZEN';
  const signerAccount = isLearning
    ? await adoptSignerAccount(deps, cycle, unread, known)
    : known.signerAccount;
  const sights = await findNonces(deps, cycle, unread, signerAccount, nextOnChain);
  const isSuspicious =
    !isLearning &&
    (await judgeSuspicion(deps, signerAccount, suspicionOf(signerAccount, nextOnChain, sights)));
  const maySign =
    (signerAccount.status === 'OPEN' || signerAccount.status === 'ADOPTING') && !isSuspicious;
  const isAnyUnused = sights.some(
    ({ sight }) => sight.kind === 'KNOWN' && sight.finding.kind === 'UNUSED',
  );
  const suggested = isAnyUnused ? await deps.nodes.suggestFees('STUCK') : NO_FEES;
  const moves: NonceMove[] = [];
  let isLowestRaised = false;
  for (const { row, sight } of sights) {
    if (sight.kind !== 'KNOWN') continue;
    const { gasCaps, sweeps } = deps.settings;
    const moment = {
      ...{ now: cycle.now, head: cycle.heads.latest.number, suggested, gasCaps, isLowestRaised },
      sweepCaps: sweeps && sweepCaps(sweeps, gasCaps),
      isLowest: row.nonce === nextOnChain,
    };
    await pastFault(deps, nameOf(row), async () => {
      const step = nextChainStep(row, sight.finding, moment);
      moves.push({ row, step, mined: sight.mined });
      // It comes before all that are behind it.
      if (moment.isLowest) isLowestRaised = step.kind === 'BUMP';
    });
  }
  const mayMove = ({ step }: NonceMove): boolean => maySign || !SIGNS.has(step.kind);
  await advanceNonces(deps, cycle, signerAccount, moves.filter(mayMove));
  for (const move of moves.filter((one) => !mayMove(one))) {
    await pastFault(deps, nameOf(move.row), () => standStill(deps, signerAccount, move));
  }
  if (signerAccount.status === 'FROZEN') await sayFrozen(deps, signerAccount, moves);
  const now = await deps.db.system(async (tx) => ({
    signerAccount: await findSignerAccount(tx, signerAccount),
    nonces: await readOpenNonces(tx, signerAccount),
  }));
  if (!maySign || now.signerAccount?.status !== 'OPEN') return null;
  // What is behind a nonce that is not signed cannot be mined.
  if (now.nonces.some(({ transactions }) => transactions.at(-1)?.hash === null)) return null;
  return {
    ...{ key: signerAccount, nextOnChain },
    slots: slotsOf(now.nonces, { nextOnChain, nextNonce: now.signerAccount.nextNonce }),
    owed: tokensOwed(now.nonces, nextOnChain),
    gasOwed: gasOwed(now.nonces, nextOnChain),
  };
}

const NO_FEES: GasFees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

const nameOf = ({ address, nonce }: NonceRow): string => `${address}/${nonce.toString()}`;

/** What a signer account that is frozen, or looks wrong, does not do. */
const SIGNS: ReadonlySet<ChainStep['kind']> = new Set(['SIGN', 'BUMP', 'VOID', 'GIVE_UP']);

/** What is left of a step that signs, for a signer account that may not: what was signed is sent again. */
async function standStill(
  deps: ChainDeps,
  { status }: SignerAccountRow,
  { row, step }: NonceMove,
): Promise<void> {
  if (status === 'RETIRED' && row.transactions.every(({ hash }) => hash === null)) {
    return freeUnsigned(deps, row);
  }
  if (step.kind === 'SIGN') sayUnsigned(deps, row);
  await keepSent(deps, row);
}

/** What another used, and operators know of: nothing is done about it here. */
const PASSED = { kind: 'PASSED' } as const;

interface SeenNonce {
  readonly row: NonceRow;
  readonly sight: NonceSight | typeof PASSED;
}

/** Nonces of which one poll cycle finds out one by one what used them, where no transaction of ours shows. */
const SOUGHT_MAX = 8;

async function findNonces(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  signerAccount: SignerAccountRow,
  nextOnChain: bigint,
): Promise<SeenNonce[]> {
  const rows = await deps.db.system((tx) => readOpenNonces(tx, signerAccount));
  const used = rows.filter(({ nonce }) => nonce < nextOnChain);
  const known = await unread.past(signerAccount.address, () =>
    readMined(deps, cycle, unread, signerAccount, used),
  );
  const seen: SeenNonce[] = [];
  let sought = 0;
  for (const row of rows) {
    deps.signal?.throwIfAborted();
    const isUnused = row.nonce >= nextOnChain;
    const mined = isUnused ? null : known?.get(row.nonce);
    if (mined) {
      seen.push({ row, sight: sightOfMined(row, mined, cycle) });
      continue;
    }
    const isSought = known !== null && mined === undefined && sought < SOUGHT_MAX;
    if (!isUnused && (!isSought || unread.isSilent())) {
      seen.push({ row, sight: UNCLEAR });
      continue;
    }
    if (!isUnused) sought += 1;
    const sight = await unread.past(nameOf(row), async () => {
      const found = await findNonce(deps, cycle, row, nextOnChain);
      if (found.kind !== 'FOREIGN') return found;
      const use = { signerAccount, nonce: row.nonce, row, hash: found.hash };
      return (await passForeign(deps, cycle, use)) ? PASSED : found;
    });
    seen.push({ row, sight: sight ?? UNCLEAR });
  }
  return seen;
}

const UNCLEAR: NonceSight = { kind: 'UNCLEAR' };

/** Calls a human as long as a signer account is frozen; payments behind a nonce that is not signed say that they wait. */
async function sayFrozen(
  deps: ChainDeps,
  { address, why }: SignerAccountRow,
  moves: readonly NonceMove[],
): Promise<void> {
  deps.alarm({ kind: 'SIGNER_ACCOUNT_FROZEN', address, why: why ?? '' });
  const unsigned = moves.findIndex(({ step }) => step.kind === 'SIGN');
  if (unsigned === -1) return;
  for (const { row } of moves.slice(unsigned)) await holdTransfer(deps, row, 'SIGNING_STOPPED');
}

function suspicionOf(
  { nextNonce }: SignerAccountRow,
  nextOnChain: bigint,
  sights: readonly SeenNonce[],
): Suspicion {
  const isUnclear = sights.some(({ sight }) => sight.kind === 'UNCLEAR');
  const foreign = sights.find(({ sight }) => sight.kind === 'FOREIGN');
  if (foreign !== undefined) {
    return { found: `FOREIGN_TRANSACTION:${foreign.row.nonce.toString()}`, isUnclear };
  }
  return { found: nextOnChain > nextNonce ? 'NONCE_AHEAD' : null, isUnclear };
}
