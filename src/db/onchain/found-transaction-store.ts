import type { SignedTransaction } from '../../domain/onchain/signer.ts';
import type { TransactionKind } from '../../domain/onchain/next-chain-step.ts';
import type { ChainTransaction } from '../../domain/onchain/transaction.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import { IS_NONCE, type NonceKey } from './chain-nonce-store.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A transaction of ours that the chain has and the database has not. */
export interface FoundTransaction extends SignedTransaction {
  readonly kind: TransactionKind;
  readonly unsigned: Uint8Array;
  readonly transaction: ChainTransaction;
  /** The number of the block that holds it. */
  readonly block: bigint;
  /** `referenceMark` of the payment that it pays; null where it pays none. */
  readonly mark: Uint8Array | null;
}

/** Stores it after what was made for its nonce, which is there. */
export async function storeFound(
  tx: SystemTransaction,
  { environment, network, address, nonce }: NonceKey,
  found: FoundTransaction,
  now: Date,
): Promise<void> {
  const key = { environment, network, address, nonce };
  const { kind, transaction, hash, block } = found;
  const { maxFeePerGas, maxPriorityFeePerGas, gas } = transaction;
  const bytes = { unsigned: Buffer.from(found.unsigned), raw: Buffer.from(found.raw) };
  await tx.query(
    `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned,
       max_fee_per_gas, max_priority_fee_per_gas, gas, raw, hash, signed_at, signed_at_block, created_at,
       is_found)
     SELECT :environment, :network, :address, :nonce, coalesce(max(number) + 1, 0), :kind, :unsigned,
       :maxFeePerGas, :maxPriorityFeePerGas, :gas, :raw, :hash, :now, :block, :now, true
     FROM chain_transactions WHERE ${IS_NONCE}`,
    { ...key, kind, ...bytes, maxFeePerGas, maxPriorityFeePerGas, gas, hash, block, now },
  );
  const mark = found.mark === null ? null : Buffer.from(found.mark);
  await tx.query(
    `UPDATE chain_nonces SET mark = :mark, updated_at = :now
     WHERE ${IS_NONCE} AND reference IS NULL AND mark IS NULL AND :mark::bytea IS NOT NULL`,
    { ...key, mark, now },
  );
}

/** A transfer that was found and is no known payment's. */
export interface UnclaimedTransfer extends NonceKey {
  readonly hash: string;
  readonly unsigned: Buffer;
}

/**
 * The nonce of a transfer that was found, is no known payment's, has that hash and one of the marks; null where there
 * is none.
 */
export async function findUnclaimed(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  hash: string,
  marks: readonly Uint8Array[],
): Promise<NonceKey | null> {
  const rows = await tx.query<NonceKey>(
    `SELECT n.environment, n.network, n.address, n.nonce
     FROM chain_nonces n JOIN chain_transactions m USING (environment, network, address, nonce)
     WHERE n.environment = $1 AND n.network = $2 AND m.hash = $3 AND n.reference IS NULL
       AND n.mark = ANY ($4::bytea[]) AND m.is_found AND n.state = 'OPEN'`,
    [environment, network, hash, marks.map((mark) => Buffer.from(mark))],
  );
  return rows[0] ?? null;
}

/** Whether any transfer was found that is no known payment's. */
export async function isAnyUnclaimed(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM chain_nonces WHERE environment = $1 AND network = $2 AND mark IS NOT NULL
       AND reference IS NULL LIMIT 1`,
    [environment, network],
  );
  return rows.length > 0;
}

/** The lowest nonce of a transfer that was found with that mark and is no known payment's, locked. */
export async function lockUnclaimed(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  mark: Uint8Array,
): Promise<UnclaimedTransfer | null> {
  const rows = await tx.query<UnclaimedTransfer>(
    `SELECT n.environment, n.network, n.address, n.nonce, m.hash, m.unsigned
     FROM chain_nonces n JOIN chain_transactions m USING (environment, network, address, nonce)
     WHERE n.environment = $1 AND n.network = $2 AND n.mark = $3 AND n.reference IS NULL AND m.is_found
     ORDER BY n.created_at, n.address, n.nonce LIMIT 1 FOR UPDATE OF n`,
    [environment, network, Buffer.from(mark)],
  );
  return rows[0] ?? null;
}

/** Gives a nonce of `lockUnclaimed` to the transfer whose mark it has. */
export async function claimNonce(
  tx: SystemTransaction,
  { environment, network, address, nonce }: NonceKey,
  reference: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_nonces SET reference = :reference, updated_at = :now WHERE ${IS_NONCE}`,
    { environment, network, address, nonce, reference, now },
  );
}
