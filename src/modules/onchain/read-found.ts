import type { NonceKey, NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import type { FoundTransaction } from '../../db/onchain/found-transaction-store.ts';
import type { ChainTransferRow } from '../../db/onchain/chain-transfer-store.ts';
import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import { decodeSweepCall } from '../../domain/onchain/sweep-call.ts';
import {
  decodeSigned,
  encodeUnsigned,
  type ChainTransaction,
} from '../../domain/onchain/transaction.ts';
import { decodeTransferCall, referenceMark } from '../../domain/onchain/transfer-call.ts';
import type { ChainDeps } from './chain-deps.ts';

/** A nonce, and the payment that it carries as far as the database knows. */
type CarriedNonce = NonceKey & Pick<NonceRow, 'reference' | 'contract' | 'recipient' | 'amount'>;

/**
 * What used a nonce of ours, as the chain has it: a marked transfer, a sweep, or one that moves nothing. Null where it is
 * none of them, or pays another than the nonce carries: then another party signs for the address. Throws
 * ChainUnreadable.
 */
export async function readFound(
  { nodes, settings }: ChainDeps,
  { address, nonce, reference, contract, recipient, amount }: CarriedNonce,
  hash: string,
): Promise<FoundTransaction | null> {
  const raw = await nodes.findSigned(hash);
  const transaction = raw === null ? undefined : decodeSigned(raw)?.transaction;
  if (raw === null || transaction === undefined) return null;
  if (transaction.chainId !== settings.chainId || transaction.nonce !== nonce) return null;
  const mined = await nodes.findTransaction(hash);
  if (mined.kind !== 'MINED') throw new ChainUnreadable('REORG');
  const { block } = mined.transaction;
  const unsigned = encodeUnsigned(transaction);
  const found = { raw, hash, transaction, unsigned, block: block.number };
  if (transaction.data.length === 0) {
    return transaction.to === address ? { ...found, kind: 'VOID', mark: null } : null;
  }
  if (reference === null && isSweep(transaction, settings.factory)) {
    return { ...found, kind: 'SWEEP', mark: null };
  }
  const call = decodeTransferCall(transaction.data);
  if (call === null || transaction.value !== 0n) return null;
  if (reference !== null) {
    if (contract === null || recipient === null || amount === null) return null;
    if (!paysTransfer(transaction, { reference, contract, recipient, amount })) return null;
  }
  return { ...found, kind: 'TRANSFER', mark: call.mark };
}

/** Whether the bytes of a transfer that was found are what this one is to pay. */
export function paysTransfer(
  { to: contract, data }: ChainTransaction,
  transfer: Pick<ChainTransferRow, 'reference' | 'contract' | 'recipient' | 'amount'>,
): boolean {
  const call = decodeTransferCall(data);
  if (call === null || !isSame(call.mark, referenceMark(transfer.reference))) return false;
  return movesTheSame({ to: contract, data }, transfer);
}

/** The same whatever its mark is. */
export function movesTheSame(
  { to, data }: Pick<ChainTransaction, 'to' | 'data'>,
  { contract, recipient, amount }: Pick<ChainTransferRow, 'contract' | 'recipient' | 'amount'>,
): boolean {
  const call = decodeTransferCall(data);
  return to === contract && call?.to === recipient && call.amount === amount;
}

/** A call of the factory, which pays the treasury alone. */
function isSweep({ to, value, data }: ChainTransaction, factory: string): boolean {
  return to === factory && value === 0n && decodeSweepCall(data) !== null;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);
