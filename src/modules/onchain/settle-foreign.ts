import {
  forgetFence,
  lockSignerAccount,
  type SignerAccountRow,
} from '../../db/onchain/signer-account-store.ts';
import { lockNonce, saveNonce, type NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import { lockTransfer, saveTransfer } from '../../db/onchain/chain-transfer-store.ts';
import type { MinedTransaction } from '../../domain/onchain/chain-facts.ts';
import { decodeSigned } from '../../domain/onchain/transaction.ts';
import { decodeTransferCall, referenceMark } from '../../domain/onchain/transfer-call.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { depthOf } from './find-nonce.ts';

/** A nonce that is used by a transaction that we do not know; `row` is null where the nonce is unknown, too. */
export interface ForeignUse {
  readonly signerAccount: SignerAccountRow;
  readonly nonce: bigint;
  readonly row: NonceRow | null;
  readonly hash: string;
}

/**
 * Ends the payment of a nonce as paid by a transaction that was not made by us, which two operators say paid it: once
 * it is final for the amount, and only where both providers show that it used this nonce, succeeded, moved exactly the
 * payment's tokens from the signer account to the wallet, and carries the mark of no other payment. True where that is
 * done, or has to wait; false, and a human is called, where it did not pay. Throws ChainUnreadable.
 */
export async function settleForeign(
  deps: ChainDeps,
  { heads }: PollCycle,
  row: NonceRow,
  hash: string,
): Promise<boolean> {
  const { db, clock, nodes, alarm } = deps;
  const found = await nodes.findTransaction(hash);
  if (found.kind !== 'MINED') return true;
  const mined = found.transaction;
  if (depthOf(row, mined.block.number, heads) !== 'FINAL') return true;
  const { reference } = row;
  if (reference === null) return false;
  const hasPaid = isExactly(row, mined) && !(await isMarkedOtherwise(deps, hash, reference));
  return db.system(async (tx) => {
    const now = clock.now();
    if ((await lockSignerAccount(tx, row)) === null) return true;
    const held = await lockNonce(tx, row);
    const transfer = await lockTransfer(tx, reference);
    if (held === null || transfer === null) return true;
    if (!hasPaid) {
      alarm({ kind: 'DID_NOT_PAY', paymentId: transfer.paymentId, hash });
      return false;
    }
    const told = { ...transfer, hold: null };
    if (held.state === 'OPEN') {
      await saveNonce(tx, row, { state: 'SETTLED', mined }, now);
      await saveTransfer(tx, { ...told, state: 'SETTLED' }, now);
    }
    await saveNonce(tx, row, { state: 'FINAL', mined }, now);
    await saveTransfer(tx, { ...told, state: 'FINAL' }, now);
    await forgetFence(tx, row, now);
    return true;
  });
}

function isExactly(row: NonceRow, mined: MinedTransaction): boolean {
  const isOfNonce = mined.from === row.address && mined.nonce === row.nonce;
  return isOfNonce && mined.isSuccess && movedToWallet(row, mined) === row.amount;
}

/** Minor units of the payment's token that a transaction moved from the signer account to the payment's wallet. */
export function movedToWallet(row: NonceRow, { transfers }: MinedTransaction): bigint {
  return transfers
    .filter(
      ({ contract, from, to }) =>
        from === row.address && contract === row.contract && to === row.recipient,
    )
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** What is of a kind that we do not make carries no mark of ours. */
async function isMarkedOtherwise(
  { nodes }: ChainDeps,
  hash: string,
  reference: string,
): Promise<boolean> {
  const raw = await nodes.findSigned(hash);
  const call =
    raw === null ? null : decodeTransferCall(decodeSigned(raw)?.transaction.data ?? NO_DATA);
  return call !== null && !Buffer.from(call.mark).equals(referenceMark(reference));
}

const NO_DATA = new Uint8Array();
