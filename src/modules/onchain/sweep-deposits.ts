import {
  isAnySignerAccountUnsure,
  keepNotFinalMax,
  lockSignerAccount,
  takeNonce,
} from '../../db/onchain/signer-account-store.ts';
import {
  insertNonce,
  insertTransaction,
  readOpenNonces,
  type NewTransaction,
  type NonceRow,
} from '../../db/onchain/chain-nonce-store.ts';
import {
  beginSweepRound,
  countOpenSweeps,
  forgetUnswept,
  insertSweep,
  isSweepDue,
  leaveSweepRound,
  putOffIntoSweep,
  putOffOtherAssets,
  putOffUnswept,
  readUnswept,
  type NewSweep,
  type SweptAddress,
  type UnsweptRow,
} from '../../db/onchain/chain-sweep-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { cloneSalt, forwarderAddress } from '../../domain/onchain/create2.ts';
import { SALTS_MAX } from '../../domain/onchain/signing-policy.ts';
import { encodeSweepCall } from '../../domain/onchain/sweep-call.ts';
import {
  affordableAddresses,
  BUSY_NONCES,
  sweepFees,
  sweepGas,
  SWEEPS_OPEN_MAX,
  type SweptToken,
} from '../../domain/onchain/sweep-rules.ts';
import { encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { encodeTransferCall, referenceMark } from '../../domain/onchain/transfer-call.ts';
import type { ChainDeps, ChainSettings, PollCycle } from './chain-deps.ts';
import { gasOwed, type OpenSignerAccount } from './signer-funds.ts';
import { signAndSend, type ToSign } from './sign-and-send.ts';

const HOUR_MS = 3_600_000;
/** What is not swept, is below the floor, or is refused by the token, is looked at again after so long. */
const LEFT_MS = 24 * HOUR_MS;
/** What was put into a sweep is looked at again after so long: it is gone then, or is swept anew. */
const SWEPT_MS = HOUR_MS;

/** Every address costs questions to nodes, and payments wait for the poll cycle's end: a round looks at so many. */
const JUDGED_MAX = 100;

/**
 * A round of sweeps, where one is due: what lies at addresses of deposits for good, and is over the floor of its asset,
 * goes to the treasury, up to 50 addresses a transaction. Nothing changes in the books. Signer accounts are the open
 * ones; one that payments need sweeps nothing. A round that has looked at 100 addresses leaves the others to the next
 * one, which may begin at once. Killed anywhere, it is simply followed by another round.
 */
export async function sweepDeposits(
  deps: ChainDeps,
  cycle: PollCycle,
  signerAccounts: readonly OpenSignerAccount[],
): Promise<void> {
  const { db, place, nodes, settings } = deps;
  const { sweeps } = settings;
  const { now } = cycle;
  const nextAt = new Date(now.getTime() + (sweeps?.everyMs ?? LEFT_MS));
  const isBegun = await db.system(async (tx) => {
    if (!(await isSweepDue(tx, place, now))) return false;
    if (!(await beginSweepRound(tx, place, { now, nextAt }))) return false;
    const assets = sweeps?.tokens.map(({ asset }) => asset) ?? [];
    await putOffOtherAssets(tx, place, assets, new Date(now.getTime() + LEFT_MS));
    return !(await isAnySignerAccountUnsure(tx, place));
  });
  if (!isBegun || sweeps === null) return;
  const fees = sweepFees(await nodes.suggestFees(), sweeps, settings.gasCaps);
  if (fees === null) return;
  const round: Round = { left: JUDGED_MAX };
  for (const token of sweeps.tokens) {
    for (const signerAccount of signerAccounts)
      await sweepFrom(deps, cycle, { round, signerAccount, token, fees });
  }
  if (round.left === 0) await db.system((tx) => leaveSweepRound(tx, place, { now, nextAt }));
}

interface Round {
  /** How many addresses it may still look at. */
  left: number;
}

interface Turn {
  readonly round: Round;
  readonly signerAccount: OpenSignerAccount;
  readonly token: SweptToken;
  readonly fees: GasFees;
}

/** As many sweeps of a token as the signer account has room for. */
async function sweepFrom(deps: ChainDeps, cycle: PollCycle, turn: Turn): Promise<void> {
  const { db, nodes, settings } = deps;
  const { key, nextOnChain } = turn.signerAccount;
  for (let sweep = 0; sweep < SWEEPS_OPEN_MAX && turn.round.left > 0; sweep += 1) {
    deps.signal?.throwIfAborted();
    const nonces = await db.system((tx) => findRoom(tx, turn.signerAccount, settings));
    if (nonces === null) return;
    const coins = await nodes.nativeBalance(key.address, cycle.heads.latest);
    const most = affordableAddresses(coins - gasOwed(nonces, nextOnChain), turn.fees);
    if (most === 0) return;
    const rows = await findUnswept(deps, cycle, turn, most);
    if (rows.length === 0) return;
    const made = await commitSweep(deps, cycle, turn, rows);
    if (made === null) return;
    await signAndSend(deps, cycle, [made]);
  }
}

/**
 * What a signer account has under way; null where it has no room for a sweep. Nonces that a block holds leave room for
 * sweeps while the limit of what is not final does: they wait for nothing.
 */
async function findRoom(
  tx: SystemTransaction,
  { key, nextOnChain }: Pick<OpenSignerAccount, 'key' | 'nextOnChain'>,
  { notFinalMax }: ChainSettings,
): Promise<readonly NonceRow[] | null> {
  const nonces = await readOpenNonces(tx, key);
  const unmined = nonces.filter(({ nonce }) => nonce >= nextOnChain).length;
  if (unmined >= BUSY_NONCES || nonces.length >= notFinalMax) return null;
  return (await countOpenSweeps(tx, key)) < SWEEPS_OPEN_MAX ? nonces : null;
}

interface Found extends SweptAddress {
  readonly row: UnsweptRow;
}

/**
 * Addresses that are worth it, up to so many of those that the round may look at; what is not is put off or forgotten.
 */
async function findUnswept(
  deps: ChainDeps,
  cycle: PollCycle,
  { round, token }: Turn,
  most: number,
): Promise<readonly Found[]> {
  const { db, place } = deps;
  const found: Found[] = [];
  while (found.length < most && round.left > 0) {
    const known = new Set(found.map(({ address }) => address));
    const { now, heads } = cycle;
    const limit = SALTS_MAX + known.size;
    const asked = { asset: token.asset, now, final: heads.final.number, limit };
    const rows = await db.system((tx) => readUnswept(tx, place, asked));
    const others = rows.filter(({ address }) => !known.has(address));
    if (others.length === 0) break;
    for (const row of others.slice(0, Math.min(most - found.length, round.left))) {
      round.left -= 1;
      const one = await judge(deps, cycle, token, row);
      if (one !== null) found.push(one);
    }
  }
  return found;
}

/** Null where it is left where it lies; then its row is put off or gone. */
async function judge(
  deps: ChainDeps,
  { heads, now }: PollCycle,
  { asset, contract, floor }: SweptToken,
  row: UnsweptRow,
): Promise<Found | null> {
  const { db, place, nodes, settings, alarm } = deps;
  const { address, ownerId } = row;
  const later = new Date(now.getTime() + LEFT_MS);
  const isOurs = forwarderAddress(settings.factory, place.environment, ownerId) === address;
  const amount = isOurs ? await nodes.tokenBalance(contract, address, heads.final) : 0n;
  if (isOurs && amount === 0n) {
    await db.system((tx) => forgetUnswept(tx, place, row));
    return null;
  }
  const isStuck = async () => row.isLeft || !(await wouldMove(deps, row, contract, amount));
  if (!isOurs || (amount >= floor && (await isStuck()))) {
    alarm({ kind: 'NOT_SWEPT', address, asset });
    await db.system((tx) => putOffUnswept(tx, place, row, later));
    return null;
  }
  if (amount < floor) {
    await db.system((tx) => putOffUnswept(tx, place, row, later));
    return null;
  }
  const salt = `0x${Buffer.from(cloneSalt(place.environment, ownerId)).toString('hex')}`;
  return { address, salt, amount, row };
}

/** The factory goes on where a token refuses an address, and its gas is gone: so the token is asked first. */
async function wouldMove(
  { nodes, settings }: ChainDeps,
  { address, ownerId }: UnsweptRow,
  contract: string,
  amount: bigint,
): Promise<boolean> {
  const data = encodeTransferCall({ to: settings.treasury, amount, mark: referenceMark(ownerId) });
  return (await nodes.tryCall({ from: address, to: contract, data })).kind === 'WORKS';
}

/** Commits nonce, sweep and unsigned bytes together. Null where the signer account has no room any more. */
async function commitSweep(
  { db, place, settings }: ChainDeps,
  { now }: PollCycle,
  { signerAccount: { key, nextOnChain }, token, fees }: Turn,
  found: readonly Found[],
): Promise<ToSign | null> {
  const { chainId, factory } = settings;
  const { asset, contract } = token;
  const salts = found.map(({ salt }) => salt);
  const data = encodeSweepCall({ salts, token: contract });
  const gas = sweepGas(salts.length);
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const sweep: NewSweep = { asset, token: contract, addresses: found };
  return db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, key);
    if (signerAccount?.status !== 'OPEN' || (await isAnySignerAccountUnsure(tx, place)))
      return null;
    if ((await findRoom(tx, { key, nextOnChain }, settings)) === null) return null;
    if (signerAccount.notFinalMax < settings.notFinalMax) {
      await keepNotFinalMax(tx, key, settings.notFinalMax, now);
    }
    const nonce = await takeNonce(tx, signerAccount, now);
    const turn = { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
    const unsigned = encodeUnsigned({ ...turn, to: factory, value: 0n, data });
    const caps = { gas, maxFeePerGas, maxPriorityFeePerGas };
    const made: NewTransaction = { number: 0, kind: 'SWEEP', unsigned, ...caps };
    const nonceKey = { ...key, nonce };
    await insertNonce(tx, nonceKey, now);
    await insertSweep(tx, nonceKey, sweep, now);
    await insertTransaction(tx, nonceKey, made, now);
    const again = new Date(now.getTime() + SWEPT_MS);
    for (const { row } of found) await putOffIntoSweep(tx, place, row, again);
    return { key: nonceKey, ...made };
  });
}
