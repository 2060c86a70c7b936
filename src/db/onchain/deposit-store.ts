import type { BlockHeader } from '../../domain/onchain/chain-facts.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type {
  AppliedTo,
  BookedDeposit,
  DepositReason,
  DepositReview,
  DepositStatus,
} from '../../domain/onchain/deposits/deposit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** Where a deposit came to: a payment that waits, or a standing address. */
export type DepositOwner =
  | { readonly paymentId: string; readonly depositAddressId: null }
  | { readonly paymentId: null; readonly depositAddressId: string };

/** A Transfer event to an address of ours. */
export interface DepositFacts {
  readonly network: Network;
  /** 0x and 64 lower-case hex digits. */
  readonly txHash: string;
  /** The log's place within its own receipt, from 0. */
  readonly ordinal: number;
  readonly asset: string;
  /** In EIP-55's case, as `to`. */
  readonly from: string;
  readonly to: string;
  /** Minor units, more than zero. */
  readonly amount: bigint;
}

/** One deposit as stored. */
export interface DepositRow extends BookedDeposit, DepositFacts {
  readonly seq: bigint;
  readonly network: Network;
  readonly asset: string;
  readonly amount: bigint;
  readonly paymentId: string | null;
  readonly depositAddressId: string | null;
  /** The block that holds it, or held it last; its time is `blockAt`. */
  readonly blockNumber: bigint;
  readonly blockHash: string;
  /** Null where its sender is clear, or was not looked up yet. */
  readonly review: DepositReview | null;
  /** What became of one that its address pays on; null where it does not, or that is not judged yet. */
  readonly onward: DepositOnward | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The payment that a deposit became, or the code of the error that it was refused with. */
export interface DepositOnward {
  readonly paymentId: string | null;
  readonly code: string | null;
}

export interface StoredDeposit extends Omit<DepositRow, 'applied'> {
  readonly appliedTo: AppliedTo | null;
  readonly reason: DepositReason | null;
  readonly toPayment: bigint;
}

type MinedIn = Pick<BlockHeader, 'number' | 'hash' | 'at'>;

export const DEPOSIT_COLUMNS = `id, seq, network, tx_hash AS "txHash", ordinal, asset, from_address AS "from",
  to_address AS "to", amount, payment_id AS "paymentId", deposit_address_id AS "depositAddressId",
  block_number AS "blockNumber", block_hash AS "blockHash", block_at AS "blockAt", status,
  applied_to AS "appliedTo", reason, to_payment AS "toPayment", review, round,
  (SELECT jsonb_build_object('paymentId', o.payment_id, 'code', o.refused_code) FROM deposit_onward o
   WHERE o.deposit_id = deposits.id AND o.status <> 'DUE') AS onward,
  version, created_at AS "createdAt", updated_at AS "updatedAt"`;

export const toDepositRow = ({
  appliedTo,
  reason,
  toPayment,
  ...row
}: StoredDeposit): DepositRow => ({
  ...row,
  applied: appliedTo === null ? null : { appliedTo, reason, toPayment },
});

/** A deposit that is not stored yet. */
export type NewDeposit = DepositFacts &
  DepositOwner & { readonly id: string; readonly block: MinedIn };

const NEW_DEPOSITS = rowSource('d', {
  id: 'text',
  network: 'text',
  txHash: 'text',
  ordinal: 'integer',
  asset: 'text',
  fromAddress: 'text',
  toAddress: 'text',
  amount: 'bigint',
  paymentId: 'text',
  depositAddressId: 'text',
  blockNumber: 'bigint',
  blockHash: 'text',
  blockAt: 'timestamptz',
});

/**
 * Stores deposits that blocks hold, SEEN, and answers them in their order. An event that is stored already stays as it is,
 * and is left out. Refused by the database: another event at the same place of the same transaction that is not ORPHANED,
 * or an address that is not the owner's.
 */
export async function insertDeposits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  deposits: readonly NewDeposit[],
  at: Date,
): Promise<DepositRow[]> {
  const rows = await tx.query<StoredDeposit>(
    `INSERT INTO deposits (customer_id, environment, ${NEW_DEPOSITS.columns}, created_at, updated_at)
     SELECT :customerId, :environment, ${NEW_DEPOSITS.columns}, :at, :at FROM ${NEW_DEPOSITS.sql} ORDER BY turn
     ON CONFLICT ON CONSTRAINT one_row_an_event DO NOTHING
     RETURNING ${DEPOSIT_COLUMNS}`,
    {
      ...{ customerId, environment, at },
      ...NEW_DEPOSITS.values(
        deposits.map(({ block, from, to, ...facts }) => ({
          ...{ ...facts, fromAddress: from, toAddress: to },
          ...{ blockNumber: block.number, blockHash: block.hash, blockAt: block.at },
        })),
      ),
    },
  );
  return rows.map(toDepositRow).sort(inOrder);
}

const inOrder = (one: DepositRow, other: DepositRow): number => Number(one.seq - other.seq);

/**
 * Makes FINAL those of some deposits that are CREDITED and in the given blocks; answers them in their order. Nothing of them
 * moves in the books.
 */
export async function finaliseDepositsOf(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  deposits: readonly Pick<DepositRow, 'id' | 'blockHash'>[],
  at: Date,
): Promise<DepositRow[]> {
  const rows = await tx.query<StoredDeposit>(
    `WITH there AS (
       SELECT d.id FROM deposits d JOIN ${FINAL_DEPOSITS.sql} ON f.id = d.id AND f.block_hash = d.block_hash
       WHERE d.customer_id = :customerId AND d.environment = :environment AND d.status = 'CREDITED'
       ORDER BY d.seq FOR UPDATE OF d)
     UPDATE deposits SET status = 'FINAL', version = version + 1, updated_at = :at
     WHERE id IN (SELECT id FROM there) AND status = 'CREDITED'
     RETURNING ${DEPOSIT_COLUMNS}`,
    { customerId, environment, at, ...FINAL_DEPOSITS.values(deposits) },
  );
  return rows.map(toDepositRow).sort(inOrder);
}

const FINAL_DEPOSITS = rowSource('f', { id: 'text', blockHash: 'text' });

/**
 * What of a payment's deposits decides about a step of it, oldest first, kept from others: those that brought something to
 * it, and the one of `depositId`, or where that is null those that are not decided. However many others came to its address
 * take no part. The caller holds the payment's lock.
 */
export async function lockDepositsOf(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  depositId: string | null,
): Promise<DepositRow[]> {
  const rows = await tx.query<StoredDeposit>(
    `SELECT ${DEPOSIT_COLUMNS} FROM deposits
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3
       AND (to_payment > 0 OR id = $4 OR $4 IS NULL AND status IN ('SEEN', 'BLOCKED'))
     ORDER BY seq FOR UPDATE`,
    [customerId, environment, paymentId, depositId],
  );
  return rows.map(toDepositRow);
}

/** One deposit, kept from others; null where there is none. */
export async function lockDeposit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
): Promise<DepositRow | null> {
  const [row] = await tx.query<StoredDeposit>(
    `SELECT ${DEPOSIT_COLUMNS} FROM deposits
     WHERE customer_id = $1 AND environment = $2 AND id = $3 FOR UPDATE`,
    [customerId, environment, id],
  );
  return row === undefined ? null : toDepositRow(row);
}

/** Several deposits, kept from others, oldest first; those that the scope lacks are left out. */
export async function lockDeposits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  ids: readonly string[],
): Promise<DepositRow[]> {
  const rows = await tx.query<StoredDeposit>(
    `SELECT ${DEPOSIT_COLUMNS} FROM deposits
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3::text[]) ORDER BY seq FOR UPDATE`,
    [customerId, environment, [...ids]],
  );
  return rows.map(toDepositRow);
}

/** Makes SEEN deposits CREDITED to the balance, all for one reason; answers them in their order. The caller holds their locks. */
export async function creditToBalance(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: DepositReason | null },
  at: Date,
): Promise<DepositRow[]> {
  const rows = await tx.query<StoredDeposit>(
    `UPDATE deposits SET status = 'CREDITED', applied_to = 'BALANCE', reason = :reason,
       version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = ANY (:ids::text[])
       AND status = 'SEEN'
     RETURNING ${DEPOSIT_COLUMNS}`,
    { customerId, environment, ids: [...ids], reason, at },
  );
  return rows.map(toDepositRow).sort(inOrder);
}

/** What changes of a deposit with a version of its own. */
interface DepositMove extends Pick<BookedDeposit, 'id' | 'applied' | 'round'> {
  readonly status: DepositStatus;
}

/**
 * Writes the next version of a deposit, and with it a line of its history; answers it. The caller holds its
 * lock. The database refuses a move that is not legal, and at the commit one that the ledger does not show.
 */
export async function moveDeposit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, status, applied, round }: DepositMove,
  at: Date,
): Promise<DepositRow> {
  const [moved] = await tx.query<StoredDeposit>(
    `UPDATE deposits SET status = :status, applied_to = :appliedTo, reason = :reason,
       to_payment = :toPayment, round = :round, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
     RETURNING ${DEPOSIT_COLUMNS}`,
    {
      ...{ customerId, environment, id, status, round, at },
      ...{ appliedTo: applied?.appliedTo ?? null, reason: applied?.reason ?? null },
      toPayment: applied?.toPayment ?? 0n,
    },
  );
  if (moved === undefined) throw new Error(`there is no deposit ${id}`);
  return toDepositRow(moved);
}

/**
 * An ORPHANED deposit is mined again, in another block or the same: SEEN. Null where it is not ORPHANED. As where one is stored,
 * who has locked its payment's funding ends first: no deposit appears beside a look at all of them.
 */
export async function seeDepositAgain(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  block: MinedIn,
  at: Date,
): Promise<DepositRow | null> {
  await tx.query(
    `SELECT FROM payment_fundings WHERE customer_id = $1 AND environment = $2
       AND payment_id = (SELECT payment_id FROM deposits WHERE id = $3) FOR KEY SHARE`,
    [customerId, environment, id],
  );
  const [moved] = await tx.query<StoredDeposit>(
    `UPDATE deposits SET status = 'SEEN', block_number = :blockNumber, block_hash = :blockHash,
       block_at = :blockAt, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND status = 'ORPHANED'
     RETURNING ${DEPOSIT_COLUMNS}`,
    {
      ...{ customerId, environment, id, at },
      ...{ blockNumber: block.number, blockHash: block.hash, blockAt: block.at },
    },
  );
  return moved === undefined ? null : toDepositRow(moved);
}

/**
 * A FINAL or KEPT deposit stands in another final block than before. The caller holds its lock. Null where it is
 * neither. Refused by the database unless its network is resumed.
 */
export async function moveFinalDeposit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  block: MinedIn,
  at: Date,
): Promise<DepositRow | null> {
  const [moved] = await tx.query<StoredDeposit>(
    `UPDATE deposits SET block_number = :blockNumber, block_hash = :blockHash, block_at = :blockAt,
       version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND status IN ('FINAL', 'KEPT')
     RETURNING ${DEPOSIT_COLUMNS}`,
    {
      ...{ customerId, environment, id, at },
      ...{ blockNumber: block.number, blockHash: block.hash, blockAt: block.at },
    },
  );
  return moved === undefined ? null : toDepositRow(moved);
}

/** A SEEN deposit waits for an operator's judgement. The caller holds its lock. Null where one was made, or it is not SEEN. */
export async function holdDepositForReview(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  at: Date,
): Promise<DepositRow | null> {
  const [held] = await tx.query<StoredDeposit>(
    `UPDATE deposits SET review = 'HELD', version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND status = 'SEEN' AND review IS NULL
     RETURNING ${DEPOSIT_COLUMNS}`,
    { customerId, environment, id, at },
  );
  return held === undefined ? null : toDepositRow(held);
}
