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
  type NewTransaction,
} from '../../db/onchain/chain-nonce-store.ts';
import {
  judgePaymentOf,
  lockTransfer,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { askSignerAccount, type Turn } from './ask-signer-account.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import type { SignerFunds, OpenSignerAccount } from './signer-funds.ts';
import { signAndSend, type ToSign } from './sign-and-send.ts';
import type { Unread } from './unread.ts';
import type { WalletLookUps } from './wallet-look-ups.ts';

/** Nonces of a signer account that are under way at a time: more would wait for the lowest of them. */
export const OPEN_NONCES_MAX = 16;

/** What all transfers of a poll cycle share. */
export interface CarryRound {
  readonly funds: SignerFunds;
  readonly unread: Unread;
  /** `address contract` of signer accounts whose tokens do not move: found out once a poll cycle. */
  readonly refused: Set<string>;
  readonly lookUps: WalletLookUps;
}

/**
 * Gives a transfer that waits the next nonce of a signer account and sends it: of the signer account with the fewest
 * under way that can pay it, which is answered as it is then. Null where none does now. It is given up only where a
 * signer account that could pay found that the token lets nothing go there, no other can, and all of them could be
 * asked; whatever else is wrong holds it. One whose wallet is not ACTIVE any more waits for operators. One whose wallet
 * was last looked up a day ago is looked up first.
 */
export async function assignNonce(
  deps: ChainDeps,
  cycle: PollCycle,
  { funds, unread, refused, lookUps }: CarryRound,
  signerAccounts: readonly OpenSignerAccount[],
  transfer: ChainTransferRow,
): Promise<OpenSignerAccount | null> {
  const fees = await funds.fees();
  if (fees === null) {
    await leaveWaiting(deps, transfer, { hold: 'NETWORK_CONGESTED' });
    return null;
  }
  let hasFailed = false;
  let isAnyUnread = false;
  for (const signerAccount of signerAccounts.toSorted((one, other) => one.open - other.open)) {
    const name = `${signerAccount.key.address} ${transfer.contract}`;
    if (refused.has(name)) continue;
    const answer = await unread.past(transfer.reference, () =>
      askSignerAccount(deps, funds, signerAccount, transfer, fees),
    );
    if (answer === null) isAnyUnread = true;
    else if (answer.kind === 'SEND') {
      const commit = () => commitNonce(deps, cycle, signerAccount.key, transfer, answer);
      const first = await commit();
      const made =
        first === 'UNSCREENED' && (await lookUps.screen(transfer)) ? await commit() : first;
      if (made === 'UNSCREENED') {
        deps.alarm({ kind: 'WALLET_UNSCREENED', paymentId: transfer.paymentId });
        return null;
      }
      if (made === 'WALLET_NOT_ACTIVE') {
        deps.alarm({ kind: made, paymentId: transfer.paymentId });
        await leaveWaiting(deps, transfer, { hold: 'STALLED' });
        return null;
      }
      if (made === null) return null;
      await signAndSend(deps, cycle, made);
      return busier(signerAccount, transfer, answer);
    } else if (answer.kind === 'FAILS') hasFailed = true;
    else if (answer.kind === 'REFUSED') {
      refused.add(name);
      const { contract } = transfer;
      deps.alarm({ kind: 'TOKEN_REFUSES', address: signerAccount.key.address, contract });
    }
  }
  if (isAnyUnread) return null;
  const change = hasFailed
    ? ({ state: 'REJECTED', hold: null, reason: 'REVERTED' } as const)
    : ({ hold: 'AWAITING_LIQUIDITY' } as const);
  await leaveWaiting(deps, transfer, change);
  return null;
}

function busier(
  signerAccount: OpenSignerAccount,
  { contract, amount }: ChainTransferRow,
  { gas, fees }: Turn,
): OpenSignerAccount {
  return {
    ...signerAccount,
    open: signerAccount.open + 1,
    owed: new Map(signerAccount.owed).set(
      contract,
      (signerAccount.owed.get(contract) ?? 0n) + amount,
    ),
    gasOwed: signerAccount.gasOwed + gas * fees.maxFeePerGas,
  };
}

/**
 * Commits nonce and unsigned bytes together. Null where the signer account or the transfer is not free for it, or where
 * the transfer may have been paid before a restore: one may have begun since the poll cycle did. The wallet may have
 * been rejected or disabled while the transfer waited, and its rate may have ended.
 */
async function commitNonce(
  { db, clock, place, settings: { chainId } }: ChainDeps,
  { now }: PollCycle,
  key: SignerAccountKey,
  { reference, contract }: ChainTransferRow,
  { data, gas, fees: { maxFeePerGas, maxPriorityFeePerGas } }: Turn,
): Promise<ToSign | 'WALLET_NOT_ACTIVE' | 'UNSCREENED' | null> {
  return db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, key);
    if (signerAccount?.status !== 'OPEN' || (await isAnySignerAccountUnsure(tx, place)))
      return null;
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING' || transfer.isGivenUp) return null;
    const judged = await judgePaymentOf(tx, transfer, clock.now());
    if (judged === 'WALLET_NOT_ACTIVE' || judged === 'UNSCREENED') return judged;
    // The next poll cycle rejects it.
    if (judged === 'RATE_OVER') return null;
    if ((await readOpenNonces(tx, key)).length >= OPEN_NONCES_MAX) return null;
    const nonce = await takeNonce(tx, signerAccount, now);
    const fees = { maxFeePerGas, maxPriorityFeePerGas };
    const turn = { chainId, nonce, gas, ...fees };
    const unsigned = encodeUnsigned({ ...turn, to: contract, value: 0n, data });
    const made: NewTransaction = {
      ...{ number: 0, kind: 'TRANSFER', unsigned, gas },
      ...fees,
    };
    const nonceKey = { ...key, nonce };
    await insertNonce(tx, nonceKey, reference, now);
    await insertTransaction(tx, nonceKey, made, now);
    await saveTransfer(tx, { ...transfer, state: 'CARRIED', hold: null }, now);
    return { key: nonceKey, ...made };
  });
}

async function leaveWaiting(
  { db, clock, place }: ChainDeps,
  { reference, hold: before }: ChainTransferRow,
  change: Partial<Pick<ChainTransferRow, 'state' | 'hold' | 'reason'>>,
): Promise<void> {
  if (change.state === undefined && change.hold === before) return;
  await db.system(async (tx) => {
    if (change.state !== undefined && (await isAnySignerAccountUnsure(tx, place))) return;
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING') return;
    if (change.state === undefined && change.hold === transfer.hold) return;
    await saveTransfer(tx, { ...transfer, ...change }, clock.now());
  });
}
