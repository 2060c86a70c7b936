import {
  endRetirement,
  findSignerAccount,
  forgetFence,
  lockSignerAccount,
  reopenSignerAccount,
  setFence,
  takeNonce,
  type SignerAccountRow,
} from '../../db/onchain/signer-account-store.ts';
import {
  insertNonce,
  insertTransaction,
  lockNonce,
  readOpenNonces,
  voidNonce,
  type NonceRow,
} from '../../db/onchain/chain-nonce-store.ts';
import { storeFound, type FoundTransaction } from '../../db/onchain/found-transaction-store.ts';
import { UNMINED_MAX } from '../../domain/onchain/nonce-slots.ts';
import { firstFees } from '../../domain/onchain/transaction-fees.ts';
import { voidTransaction } from './advance-nonce.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { findNonce } from './find-nonce.ts';
import { passForeign } from './pass-foreign.ts';
import { readFound } from './read-found.ts';
import { readMined } from './read-mined.ts';
import type { Unread } from './unread.ts';
import { freeze } from './watch-signer-account.ts';

/** Nonces that one poll cycle adopts; what is left comes with the next one. */
const NONCES_PER_POLL = 50n;

/** A signer account and what the chain says of its address. */
interface KnownSignerAccount {
  readonly signerAccount: SignerAccountRow;
  /** The address's next nonce at the newest block. */
  readonly nextOnChain: bigint;
}

/**
 * Learns what the address of a thawed signer account sent and the database does not know: what is final is stored as it
 * was found. Then every nonce is used up for which something may have been signed before the restore that is on its way
 * still: no nonce was ever taken that is beyond what is final by the most that settings ever let it have. What is found
 * later, by nodes that lagged behind until then, begins that anew. Only then is the signer account open. What is none
 * of ours freezes it again, unless two operators know of it. A signer account that is given up learns the same, is
 * never open, and uses no nonce up: where something unknown may be on its way, two operators say when that is over.
 * Answers the signer account as it is after that.
 */
export async function adoptSignerAccount(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  known: KnownSignerAccount,
): Promise<SignerAccountRow> {
  const { signerAccount } = known;
  const final = await deps.nodes.nonceAt(signerAccount.address, cycle.heads.final);
  const used = await adoptUsed(deps, cycle, unread, known, final);
  if (typeof used === 'object') await meetForeign(deps, signerAccount, used);
  const adopted =
    (await deps.db.system((tx) => findSignerAccount(tx, signerAccount))) ?? signerAccount;
  if (used !== 'ALL' || !LEARNING.has(adopted.status)) return adopted;
  // A young block may be replaced by one with less in it.
  const isSettled = final === known.nextOnChain;
  if (isStale(deps, cycle)) return adopted;
  if (adopted.status === 'RETIRING' && isSettled) {
    if (adopted.mayStillPay) deps.alarm({ kind: 'MAY_STILL_PAY', address: signerAccount.address });
    else await deps.db.system((tx) => endRetirement(tx, signerAccount, deps.clock.now()));
  } else if (adopted.status === 'ADOPTING')
    await useUp(deps, { ...known, signerAccount: adopted }, final);
  return (await deps.db.system((tx) => findSignerAccount(tx, signerAccount))) ?? signerAccount;
}

/** A newest block so old, in ms, is not believed to be the newest one of a live chain. */
const STALE_MS = 5 * 60_000;

/** Nodes that stand still do not know what was mined since; an idle chain of test has no new block. */
const isStale = ({ place }: ChainDeps, { now, heads }: PollCycle): boolean =>
  place.environment === 'live' && now.getTime() - heads.latest.at.getTime() > STALE_MS;

/** A signer account that stores what it finds. */
const LEARNING: ReadonlySet<SignerAccountRow['status']> = new Set([
  'ADOPTING',
  'RETIRING',
  'RETIRED',
]);

const CARRIES_NOTHING = { reference: null, contract: null, recipient: null, amount: null } as const;

/** What used a nonce of the address and is none of ours. */
interface ForeignFound {
  readonly nonce: bigint;
  readonly hash: string;
}

/** ALL: of what is final, nothing is unknown. SOME: the next poll cycle goes on. */
type Adopted = 'ALL' | 'SOME' | ForeignFound;

/** A signer account that is given up is not frozen any more: a human is called. */
async function meetForeign(
  deps: ChainDeps,
  { address, retiredBy, ...signerAccount }: SignerAccountRow,
  { nonce, hash }: ForeignFound,
): Promise<void> {
  if (retiredBy === null) await freeze(deps, { ...signerAccount, address }, 'FOREIGN_TRANSACTION');
  else deps.alarm({ kind: 'FOREIGN_TRANSACTION', address, nonce: nonce.toString(), hash });
}

async function adoptUsed(
  deps: ChainDeps,
  cycle: PollCycle,
  unread: Unread,
  { signerAccount, nextOnChain }: KnownSignerAccount,
  final: bigint,
): Promise<Adopted> {
  const { db, nodes } = deps;
  const rows = await db.system((tx) => readOpenNonces(tx, signerAccount));
  const used = rows.filter(({ nonce }) => nonce < nextOnChain);
  const known = await readMined(deps, cycle, unread, signerAccount, used);
  for (const row of used.filter(({ nonce }) => nonce < final)) {
    if (known.get(row.nonce) === null) return 'SOME';
    if (known.has(row.nonce)) continue;
    const sight = await findNonce(deps, cycle, row, nextOnChain);
    if (sight.kind === 'UNCLEAR') return 'SOME';
    if (sight.kind === 'KNOWN') continue;
    const found = await readFound(deps, row, sight.hash);
    if (found !== null) await adoptKnown(deps, row, found);
    else if (
      !(await passForeign(deps, cycle, { signerAccount, nonce: row.nonce, row, hash: sight.hash }))
    ) {
      return { nonce: row.nonce, hash: sight.hash };
    }
  }
  const end =
    final < signerAccount.nextNonce + NONCES_PER_POLL
      ? final
      : signerAccount.nextNonce + NONCES_PER_POLL;
  for (let nonce = signerAccount.nextNonce; nonce < end; nonce += 1n) {
    const hash = await nodes.findByNonce(signerAccount.address, nonce, cycle.heads.final);
    if (hash === null) return 'SOME';
    const found = await readFound(deps, { ...signerAccount, nonce, ...CARRIES_NOTHING }, hash);
    if (found !== null) await adoptUnknown(deps, signerAccount, nonce, found);
    else if (!(await passForeign(deps, cycle, { signerAccount, nonce, row: null, hash }))) {
      return { nonce, hash };
    }
  }
  return end === final || final < signerAccount.nextNonce ? 'ALL' : 'SOME';
}

/** Another transaction of a nonce that the database has: one whose fees were raised, or a void. */
async function adoptKnown(
  { db, clock }: ChainDeps,
  row: NonceRow,
  found: FoundTransaction,
): Promise<void> {
  await db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, row);
    if (signerAccount === null || !LEARNING.has(signerAccount.status)) return;
    if ((await lockNonce(tx, row))?.state !== 'OPEN') return;
    const now = clock.now();
    await storeFound(tx, row, found, now);
    await forgetFence(tx, row, now);
  });
}

async function adoptUnknown(
  { db, clock }: ChainDeps,
  { environment, network, address }: SignerAccountRow,
  nonce: bigint,
  found: FoundTransaction,
): Promise<void> {
  const key = { environment, network, address, nonce };
  const now = clock.now();
  await db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, key);
    if (signerAccount?.nextNonce !== nonce || !LEARNING.has(signerAccount.status)) return;
    await takeNonce(tx, signerAccount, now);
    await insertNonce(tx, key, now);
    await storeFound(tx, key, found, now);
    await forgetFence(tx, key, now);
  });
}

/** Nonces up to the fence move nothing; once all of them are final, the signer account is open. */
async function useUp(
  deps: ChainDeps,
  { signerAccount, nextOnChain }: KnownSignerAccount,
  final: bigint,
): Promise<void> {
  const { db, clock } = deps;
  if (signerAccount.fence === null) {
    if (final !== nextOnChain) return;
    const { notFinalMax } = deps.settings;
    const most = Math.max(signerAccount.notFinalMax, notFinalMax);
    const fence = nextOnChain + BigInt(most);
    await db.system((tx) => setFence(tx, signerAccount, fence, clock.now()));
  } else if (signerAccount.nextNonce < signerAccount.fence) {
    await takeVoids(deps, signerAccount, {
      fence: signerAccount.fence,
      // More would wait for the lowest of them.
      limit: nextOnChain + BigInt(UNMINED_MAX),
    });
  } else if (final >= signerAccount.fence && final === nextOnChain) {
    await db.system((tx) => reopenSignerAccount(tx, signerAccount, clock.now()));
  }
}

async function takeVoids(
  deps: ChainDeps,
  key: SignerAccountRow,
  { fence, limit }: { readonly fence: bigint; readonly limit: bigint },
): Promise<void> {
  const end = fence < limit ? fence : limit;
  if (key.nextNonce >= end) return;
  const { db, clock, nodes, settings } = deps;
  const fees = firstFees(await nodes.suggestFees(), settings.gasCaps);
  if (fees === null) return;
  const now = clock.now();
  await db.system(async (tx) => {
    for (;;) {
      const signerAccount = await lockSignerAccount(tx, key);
      if (signerAccount?.status !== 'ADOPTING' || signerAccount.nextNonce >= end) return;
      const { environment, network, address } = signerAccount;
      const nonceKey = { environment, network, address, nonce: signerAccount.nextNonce };
      await takeNonce(tx, signerAccount, now);
      await insertNonce(tx, nonceKey, now);
      await voidNonce(tx, nonceKey, 'VOIDED', now);
      await insertTransaction(tx, nonceKey, voidTransaction(settings, nonceKey, 0, fees), now);
    }
  });
}
