import type { ChainPlace, Network } from '../../domain/onchain/network.ts';
import type { DepositStatus } from '../../domain/onchain/deposits/deposit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import type { DepositFacts, DepositOwner } from './deposit-store.ts';
import { TOO_LARGE } from '../ledger/set-aside-store.ts';

/** A deposit as the reader of its chain looks at it, of whichever customer. */
export type UnbookedDeposit = DepositFacts &
  DepositOwner & {
    readonly id: string;
    readonly customerId: string;
    readonly status: DepositStatus;
    readonly review: 'HELD' | 'RELEASED' | 'REFUSED' | null;
    readonly blockNumber: bigint;
    readonly blockHash: string;
  };

const COLUMNS = `id, customer_id AS "customerId", network, tx_hash AS "txHash", ordinal, asset,
  from_address AS "from", to_address AS "to", amount, payment_id AS "paymentId",
  deposit_address_id AS "depositAddressId", status, review, block_number AS "blockNumber",
  block_hash AS "blockHash"`;
const OF_PLACE = 'environment = $1 AND network = $2';

/** What is on its way to be final, but what waits for an operator. */
const IS_YOUNG = `(status = 'CREDITED' OR status = 'SEEN' AND review IS DISTINCT FROM 'HELD')`;

/** Not one that was set aside lately, by itself or with its transaction: `now` is a parameter. */
const isToBeBooked = (now: string): string => `NOT EXISTS (SELECT FROM set_aside_deposits s
  WHERE s.environment = deposits.environment AND s.network = deposits.network
    AND s.tx_hash = deposits.tx_hash AND (s.ordinal = deposits.ordinal OR s.why = '${TOO_LARGE}')
    AND s.next_at > ${now})`;

/** The deposits that a chain's canonical blocks are still to confirm, from `above` (a block) on, oldest block first. */
export function readUnfinishedDeposits(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  above: bigint,
): Promise<UnbookedDeposit[]> {
  return tx.query<UnbookedDeposit>(
    `SELECT ${COLUMNS} FROM deposits WHERE ${OF_PLACE} AND block_number > $3
       AND status IN ('SEEN', 'CREDITED', 'BLOCKED') ORDER BY block_number, seq`,
    [environment, network, above],
  );
}

/** The BLOCKED deposits of blocks above `above` and up to `upTo`, oldest block first. */
export function readBlockedDeposits(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { above, upTo }: { readonly above: bigint; readonly upTo: bigint },
): Promise<UnbookedDeposit[]> {
  return tx.query<UnbookedDeposit>(
    `SELECT ${COLUMNS} FROM deposits WHERE ${OF_PLACE} AND block_number > $3 AND block_number <= $4
       AND status = 'BLOCKED' ORDER BY block_number, seq`,
    [environment, network, above, upTo],
  );
}

/**
 * SEEN deposits that are deep enough and wait for no operator, oldest block first, but those that wait `now` to be tried
 * again. `credit` and `creditAbove`: the newest blocks that amounts up to `largeAbove` (minor units), and above it, are
 * credited of. An amount is all that the customer's deposits in blocks above `creditAbove` come to: one that is split is
 * as large as it was.
 */
export function readCreditableDeposits(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  upTo: {
    readonly credit: bigint;
    readonly creditAbove: bigint;
    readonly largeAbove: bigint;
    readonly now: Date;
  },
  limit: number,
): Promise<UnbookedDeposit[]> {
  return tx.query<UnbookedDeposit>(
    `WITH young AS (
       SELECT customer_id, sum(amount) AS minor FROM deposits WHERE ${OF_PLACE} AND block_number > $4
         AND ${IS_YOUNG}
       GROUP BY customer_id)
     SELECT ${COLUMNS} FROM deposits LEFT JOIN young USING (customer_id)
     WHERE ${OF_PLACE} AND status = 'SEEN' AND review IS DISTINCT FROM 'HELD' AND ${isToBeBooked('$7')}
       AND block_number <= CASE WHEN greatest(amount, young.minor) > $3 THEN $4::bigint ELSE $5::bigint END
     ORDER BY block_number, seq LIMIT $6`,
    [environment, network, upTo.largeAbove, upTo.creditAbove, upTo.credit, limit, upTo.now],
  );
}

/**
 * What the deposits of a customer in blocks above `above` come to, in minor units of whatever asset, as
 * `readCreditableDeposits` counts them: those that wait for an operator are left out.
 */
export async function sumYoungDeposits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  network: Network,
  above: bigint,
): Promise<bigint> {
  const [row] = await tx.query<{ minor: bigint }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS minor FROM deposits
     WHERE ${OF_PLACE} AND customer_id = $3 AND block_number > $4 AND ${IS_YOUNG}`,
    [environment, network, customerId, above],
  );
  return row?.minor ?? 0n;
}

/** CREDITED deposits of blocks up to a final one, oldest block first, but those that wait `now` to be tried again. */
export function readFinalDeposits(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { block, now }: { readonly block: bigint; readonly now: Date },
  limit: number,
): Promise<UnbookedDeposit[]> {
  return tx.query<UnbookedDeposit>(
    `SELECT ${COLUMNS} FROM deposits WHERE ${OF_PLACE} AND status = 'CREDITED' AND block_number <= $3
       AND ${isToBeBooked('$5')} ORDER BY block_number, seq LIMIT $4`,
    [environment, network, block, limit, now],
  );
}

/** All deposits of a range of blocks, ends included, but those that are ORPHANED, oldest block first. */
export function readDepositsOfBlocks(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<UnbookedDeposit[]> {
  return tx.query<UnbookedDeposit>(
    `SELECT ${COLUMNS} FROM deposits WHERE ${OF_PLACE} AND block_number BETWEEN $3 AND $4
       AND status <> 'ORPHANED' ORDER BY block_number, seq`,
    [environment, network, from, to],
  );
}

/** What is stored of some transactions. */
export function readDepositsOfTransactions(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  txHashes: readonly string[],
): Promise<UnbookedDeposit[]> {
  return tx.query<UnbookedDeposit>(
    `SELECT ${COLUMNS} FROM deposits WHERE ${OF_PLACE} AND tx_hash = ANY ($3::text[])
     ORDER BY tx_hash, ordinal, seq`,
    [environment, network, [...txHashes]],
  );
}

/** Whether a deposit is on its way to be credited or final. */
export async function isAnyDepositYoung(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM deposits WHERE ${OF_PLACE} AND ${IS_YOUNG}
     UNION ALL SELECT FROM payment_fundings WHERE ${OF_PLACE} AND status = 'AWAITED' LIMIT 1`,
    [environment, network],
  );
  return rows.length > 0;
}

/** Tokens that left an address of deposits. */
interface SweptTokens {
  readonly txHash: string;
  readonly ordinal: number;
  readonly asset: string;
  /** In EIP-55's case. */
  readonly address: string;
  /** Minor units, more than zero. */
  readonly amount: bigint;
  readonly blockNumber: bigint;
}

/** Keeps what left an address in a final block; what is kept already stays as it is. */
export async function keepSweptTokens(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  swept: SweptTokens,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO swept_tokens (environment, network, tx_hash, ordinal, asset, address, amount,
       block_number, found_at)
     VALUES (:environment, :network, :txHash, :ordinal, :asset, :address, :amount, :blockNumber, :now)
     ON CONFLICT (environment, network, tx_hash, ordinal) DO NOTHING`,
    { environment, network, ...swept, now },
  );
}

/**
 * Minor units by address and asset that must be there after a final block: what came less what left. What came below the
 * floor of its asset counts: of it a sum is kept, less what came in later blocks.
 */
export async function sumTokensAt(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  addresses: readonly string[],
  upTo: bigint,
): Promise<ReadonlyMap<string, ReadonlyMap<string, bigint>>> {
  const rows = await tx.query<{ address: string; asset: string; minor: bigint }>(
    `WITH later AS MATERIALIZED (
       SELECT to_address, asset, amount * open AS amount FROM dust_transfers
       WHERE ${OF_PLACE} AND block_number > $4)
     SELECT address, asset, sum(amount)::bigint AS minor FROM (
       SELECT to_address AS address, asset, amount FROM deposits
       WHERE ${OF_PLACE} AND to_address = ANY ($3::text[]) AND status <> 'ORPHANED' AND block_number <= $4
       UNION ALL
       SELECT address, asset, amount FROM dust_sums WHERE ${OF_PLACE} AND address = ANY ($3::text[])
       UNION ALL
       SELECT to_address, asset, -amount FROM later WHERE to_address = ANY ($3::text[])
       UNION ALL
       SELECT address, asset, -amount FROM swept_tokens
       WHERE ${OF_PLACE} AND address = ANY ($3::text[]) AND block_number <= $4) AS moves
     GROUP BY address, asset`,
    [environment, network, [...addresses], upTo],
  );
  const sums = new Map<string, Map<string, bigint>>();
  for (const { address, asset, minor } of rows) {
    const ofAddress = sums.get(address) ?? new Map<string, bigint>();
    sums.set(address, ofAddress.set(asset, minor));
  }
  return sums;
}
