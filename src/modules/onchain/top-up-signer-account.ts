import {
  isAnySignerAccountUnsure,
  lockSignerAccount,
  takeNonce,
  type SignerAccountKey,
} from '../../db/onchain/signer-account-store.ts';
import {
  insertNonce,
  insertTransaction,
  readOpenNonces,
  sumSignedSince,
  type NewTransaction,
} from '../../db/onchain/chain-nonce-store.ts';
import { insertTopUp, isTopUpFree } from '../../db/onchain/chain-top-up-store.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import { firstFees } from '../../domain/onchain/transaction-fees.ts';
import { GAS_COIN } from '../../domain/onchain/signing-policy.ts';
import { givingTakes, topUpValue, type CappedTopUps } from '../../domain/onchain/top-up-rules.ts';
import { COIN_GAS, coinTransfer, encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { OPEN_NONCES_MAX } from './assign-nonce.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { gasOwed, type OpenSignerAccount } from './signer-funds.ts';
import { signAndSend, type ToSign } from './sign-and-send.ts';

/**
 * After a top-up that ended without an effect, or that the signer refused, the next one of the signer account waits so
 * long.
 */
const PAUSE_MS = 3_600_000;

/** What the cap of signers is over. */
const HOUR_MS = 3_600_000;

/** A signer account that may be short, and the one that gives. Both are open, and not the same. */
interface Need {
  readonly rules: CappedTopUps;
  readonly gasAccount: OpenSignerAccount;
  readonly signerAccount: SignerAccountKey;
  /** Wei that the signer account has at the newest block. */
  readonly latest: bigint;
}

/** The same, once it is known what it takes. */
interface Turn extends Need {
  readonly value: bigint;
  readonly fees: GasFees;
  /** Wei that the gas account has at the newest block. */
  readonly held: bigint;
}

/**
 * Tops a signer account up from the gas account where it is below the floor, at a final block and at the newest one, as
 * all nodes say. The top-up is a nonce of the gas account as any other: committed, signed, stored, sent. A signer
 * account has one under way at most, and gets the next one by what a block says that holds the last one. Killed
 * anywhere, it goes on with the nonce; nothing happens where the gas account has too little. What its signer would
 * refuse for the hour's cap is told as if it had, and takes no nonce. Throws ChainUnreadable.
 */
export async function topUpSignerAccount(
  deps: ChainDeps,
  cycle: PollCycle,
  need: Need,
): Promise<void> {
  const { nodes, settings } = deps;
  const { signerAccount, gasAccount, latest, rules } = need;
  const { heads } = cycle;
  if (latest >= rules.floor) return;
  const final = await nodes.nativeBalance(signerAccount.address, heads.final);
  const value = topUpValue({ latest, final }, rules);
  const fees = firstFees(await nodes.suggestFees(), settings.gasCaps);
  if (value === null || fees === null) return;
  const held = await nodes.nativeBalance(gasAccount.key.address, heads.latest);
  const made = await commitTopUp(deps, cycle, { ...need, value, fees, held });
  if (made === 'HOUR_OVER_CAP') {
    deps.alarm({ kind: 'SIGNING_REFUSED', address: gasAccount.key.address, why: made });
  } else if (made !== null) await signAndSend(deps, cycle, made);
}

/**
 * Commits nonce, top-up and unsigned bytes together. Null where one of the signer accounts is not free for it;
 * HOUR_OVER_CAP where signers gave too much within the hour.
 */
async function commitTopUp(
  { db, place, settings: { chainId } }: ChainDeps,
  { now, heads }: PollCycle,
  { rules, gasAccount: { key, nextOnChain }, signerAccount, value, fees, held }: Turn,
): Promise<ToSign | 'HOUR_OVER_CAP' | null> {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const plannedBlock = heads.final.number;
  const since = new Date(now.getTime() - PAUSE_MS);
  return db.system(async (tx) => {
    const from = await lockSignerAccount(tx, key);
    const to = await lockSignerAccount(tx, signerAccount);
    if (from?.status !== 'OPEN' || to?.status !== 'OPEN') return null;
    if (await isAnySignerAccountUnsure(tx, place)) return null;
    if (!(await isTopUpFree(tx, signerAccount, { plannedBlock, since }))) return null;
    const nonces = await readOpenNonces(tx, key);
    if (nonces.length >= OPEN_NONCES_MAX) return null;
    const owed = gasOwed(nonces, nextOnChain);
    if (held < givingTakes(rules, { value, fee: COIN_GAS * maxFeePerGas, owed })) return null;
    const hour = { asset: GAS_COIN, since: new Date(now.getTime() - HOUR_MS) };
    const except = { address: key.address, nonce: from.nextNonce };
    const signed = await sumSignedSince(tx, place, { ...hour, except });
    if (signed + value > rules.hourMax) return 'HOUR_OVER_CAP';
    const nonce = await takeNonce(tx, from, now);
    const turn = { chainId, nonce, gas: COIN_GAS, maxFeePerGas, maxPriorityFeePerGas };
    const unsigned = encodeUnsigned(coinTransfer(turn, signerAccount.address, value));
    const caps = { gas: COIN_GAS, maxFeePerGas, maxPriorityFeePerGas };
    const made: NewTransaction = { number: 0, kind: 'TOP_UP', unsigned, value, ...caps };
    const nonceKey = { ...key, nonce };
    await insertNonce(tx, nonceKey, null, now);
    await insertTopUp(
      tx,
      nonceKey,
      { recipient: signerAccount.address, amount: value, plannedBlock },
      now,
    );
    await insertTransaction(tx, nonceKey, made, now);
    return { key: nonceKey, ...made };
  });
}
