import type { ChainTransferState } from '../../domain/onchain/chain-transfer-state.ts';
import type { ChainOrder } from '../../domain/onchain/chain-order.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import {
  judgeWalletScreening,
  type WalletScreening,
} from '../../domain/parties/screening/wallet-verdict.ts';
import type { Environment } from '../../domain/scope.ts';
import type { Database, SystemTransaction } from '../client/database.ts';

/**
 * WAITING: no nonce carries it. CARRIED: one does. SETTLED: mined, deep enough to be believed. FINAL and
 * REJECTED are the end.
 */
/** Why a transfer waits, where that is not its turn. */
type ChainHold = 'AWAITING_LIQUIDITY' | 'NETWORK_CONGESTED' | 'STALLED';

/** What its payment was told last. */
export type ChainWord = 'SETTLED' | 'REORGANISED' | 'FINAL' | 'REJECTED';

export interface ChainTransferRow extends ChainPlace {
  readonly reference: string;
  readonly customerId: string;
  readonly paymentId: string;
  readonly asset: string;
  readonly contract: string;
  readonly recipient: string;
  /** Minor units of the token. */
  readonly amount: bigint;
  readonly state: ChainTransferState;
  readonly hold: ChainHold | null;
  readonly reason: string | null;
  readonly reverts: number;
  readonly told: ChainWord | null;
  /** What its payment was told that it waits for, and how often. */
  readonly toldHold: ChainHold | null;
  readonly toldHolds: number;
  /** An operator gave it up while its network might have paid it: it takes no nonce. */
  readonly isGivenUp: boolean;
  /** The transaction that moved it, while it is believed. */
  readonly hash: string | null;
}

/** Where a transfer stands. */
type ChainTransferStand = Pick<ChainTransferRow, 'state' | 'hold' | 'reason' | 'hash'>;

const COLUMNS = `t.reference, t.customer_id AS "customerId", t.environment, t.payment_id AS "paymentId",
  t.network, t.asset, t.contract, t.recipient, t.amount, t.state, t.hold, t.reason, t.reverts, t.told,
  t.told_hold AS "toldHold", t.told_holds AS "toldHolds", t.given_up_at IS NOT NULL AS "isGivenUp",
  (SELECT n.mined_hash FROM chain_nonces n
   WHERE n.reference = t.reference AND n.state IN ('SETTLED', 'FINAL')) AS hash`;

/**
 * Takes an order, once. TAKEN: it is there with these bytes, now or since before. OTHER: it is there with
 * other bytes. UNKNOWN: no attempt of that reference is for this wallet and amount.
 */
export async function takeChainTransfer(
  db: Database,
  environment: Environment,
  order: ChainOrder,
  body: Uint8Array,
  now: Date,
): Promise<'TAKEN' | 'OTHER' | 'UNKNOWN'> {
  const [row] = await db.query<{ taken: 'TAKEN' | 'OTHER' | 'UNKNOWN' }>(
    `SELECT take_chain_transfer(:environment, :reference, :network, :asset, :contract, :to, :amount,
       :body, :now) AS taken`,
    { environment, ...order, body: Buffer.from(body), now },
  );
  if (row === undefined) throw new Error('an order of a chain was not answered');
  return row.taken;
}

/** Where a transfer stands; null where none of that reference was taken. */
export async function findChainTransfer(
  db: Database,
  environment: Environment,
  reference: string,
): Promise<ChainTransferStand | null> {
  const rows = await db.query<ChainTransferStand>(
    'SELECT state, hold, reason, hash FROM find_chain_transfer($1, $2)',
    [environment, reference],
  );
  return rows[0] ?? null;
}

/**
 * Transfers that no nonce carries and are not given up, oldest first: those behind the one of `after`, or from the
 * first on.
 */
export async function readWaitingTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  after: string | null,
  limit: number,
): Promise<ChainTransferRow[]> {
  return tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t
     WHERE t.environment = $1 AND t.network = $2 AND t.state = 'WAITING' AND t.given_up_at IS NULL AND ($3::text IS NULL
       OR (t.created_at, t.reference) > (SELECT created_at, reference FROM chain_transfers
         WHERE reference = $3))
     ORDER BY t.created_at, t.reference LIMIT $4`,
    [environment, network, after, limit],
  );
}

/** Of what was never sent: what was, and is sent again, is not ended by its rate. */
const IS_RATE_OVER = `t.told IS NULL AND t.reverts = 0 AND EXISTS (SELECT FROM payments p
  WHERE p.customer_id = t.customer_id AND p.environment = t.environment AND p.id = t.payment_id
    AND p.rate_held_until <= :now)`;

/**
 * Transfers that wait for no nonce any more, oldest first: given up while the network might have paid them, or the rate
 * of their payment is no longer held.
 */
export async function readEndedTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  now: Date,
): Promise<ChainTransferRow[]> {
  return tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t
     WHERE t.environment = :environment AND t.network = :network AND t.state = 'WAITING'
       AND (t.given_up_at IS NOT NULL OR ${IS_RATE_OVER})
     ORDER BY t.created_at, t.reference`,
    { environment, network, now },
  );
}

/** Keeps that a transfer which waits and is locked is given up once the network has not paid it. */
export async function keepGivenUp(
  tx: SystemTransaction,
  reference: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_transfers SET given_up_at = :now, updated_at = :now
     WHERE reference = :reference AND given_up_at IS NULL`,
    { reference, now },
  );
}

/** Transfers of which the payment has not heard the last, oldest first. */
export async function readUntoldTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  limit: number,
): Promise<ChainTransferRow[]> {
  return tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t
     WHERE t.environment = $1 AND t.network = $2
       AND (t.state IN ('WAITING', 'CARRIED', 'SETTLED') OR t.told IS DISTINCT FROM t.state)
       AND (CASE WHEN t.state IN ('WAITING', 'CARRIED')
              THEN t.told = 'SETTLED' OR t.told_hold IS DISTINCT FROM t.hold
            ELSE t.told IS DISTINCT FROM t.state END)
     ORDER BY t.created_at, t.reference LIMIT $3`,
    [environment, network, limit],
  );
}

/**
 * Whether anything is left to do about a transfer, sweep or top-up of the network, or a signer account of it that was
 * thawed or given up.
 */
export async function isAnyTransferUnderWay(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM chain_transfers WHERE environment = $1 AND network = $2
       AND (state IN ('WAITING', 'CARRIED', 'SETTLED') OR told IS DISTINCT FROM state)
     UNION ALL
     SELECT FROM chain_sweeps WHERE environment = $1 AND network = $2 AND state = 'OPEN'
     UNION ALL
     SELECT FROM chain_top_ups WHERE environment = $1 AND network = $2 AND state = 'OPEN'
     UNION ALL
     SELECT FROM chain_signer_accounts WHERE environment = $1 AND network = $2
       AND status IN ('ADOPTING', 'RETIRING') LIMIT 1`,
    [environment, network],
  );
  return rows.length > 0;
}

/** The chains on which transfers, sweeps or top-ups are under way, or signer accounts were thawed or given up. */
export async function readBusyChains(tx: SystemTransaction): Promise<ChainPlace[]> {
  return tx.query<ChainPlace>(
    `SELECT DISTINCT environment, network FROM chain_transfers
     WHERE state IN ('WAITING', 'CARRIED', 'SETTLED') OR told IS DISTINCT FROM state
     UNION SELECT environment, network FROM chain_sweeps WHERE state = 'OPEN'
     UNION SELECT environment, network FROM chain_top_ups WHERE state = 'OPEN'
     UNION SELECT environment, network FROM chain_signer_accounts WHERE status IN ('ADOPTING', 'RETIRING')
     ORDER BY environment, network`,
  );
}

/** The transfer of a reference, or the last one of a payment's id; null where there is none. */
export async function findTransferForOps(
  tx: SystemTransaction,
  subject: string,
): Promise<ChainTransferRow | null> {
  const rows = await tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t WHERE t.reference = $1 OR t.payment_id = $1
     ORDER BY t.created_at DESC, t.reference DESC LIMIT 1`,
    [subject],
  );
  return rows[0] ?? null;
}

/** Whether a transfer of that token and mark (`referenceMark`) is on its way, or not final yet. */
export async function isMarkUnderWay(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  contract: string,
  mark: Uint8Array,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM chain_transfers WHERE environment = $1 AND network = $2 AND contract = $3
       AND state IN ('WAITING', 'CARRIED', 'SETTLED')
       AND substring(sha256(convert_to(reference, 'UTF8')) FROM 1 FOR 16) = $4 LIMIT 1`,
    [environment, network, contract, Buffer.from(mark)],
  );
  return rows.length > 0;
}

/** Locks one; null where there is none. */
export async function lockTransfer(
  tx: SystemTransaction,
  reference: string,
): Promise<ChainTransferRow | null> {
  const rows = await tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t WHERE t.reference = $1 FOR UPDATE OF t`,
    [reference],
  );
  return rows[0] ?? null;
}

/**
 * Whether the payment of a transfer may be sent now. Not to a wallet that was rejected or disabled since, or that
 * operators look at; not at a rate that is no longer held. UNSCREENED: the wallet's address has to be looked up first.
 */
export async function judgePaymentOf(
  tx: SystemTransaction,
  { customerId, environment, paymentId, told, reverts }: ChainTransferRow,
  now: Date,
): Promise<'SEND' | 'WALLET_NOT_ACTIVE' | 'UNSCREENED' | 'RATE_OVER'> {
  const [row] = await tx.query<WalletScreening & { isActive: boolean; isOver: boolean }>(
    `SELECT w.status = 'ACTIVE' AS "isActive", coalesce(p.rate_held_until <= :now, false) AS "isOver",
       ${WALLET_SCREENING}
     FROM payments p JOIN wallets w ON w.customer_id = p.customer_id
       AND w.environment = p.environment AND w.id = p.wallet_id
     WHERE p.customer_id = :customerId AND p.environment = :environment AND p.id = :paymentId`,
    { customerId, environment, paymentId, now },
  );
  if (row?.isActive !== true) return 'WALLET_NOT_ACTIVE';
  if (row.isOver && told === null && reverts === 0) return 'RATE_OVER';
  const screening = judgeWalletScreening(row, now);
  if (screening === 'CLEARED') return 'SEND';
  return screening === 'UNSCREENED' ? screening : 'WALLET_NOT_ACTIVE';
}

/** The last look-up of the wallet `w`. */
const WALLET_SCREENING = `w.screening_result AS "screeningResult", w.screened_for AS "screenedFor",
  w.screened_at AS "screenedAt", (SELECT coalesce(r.outcome, 'OPEN') FROM wallet_reviews r
   WHERE (r.customer_id, r.environment, r.wallet_id, r.id)
     = (w.customer_id, w.environment, w.id, w.review_id)) AS review`;

/** Writes what became of a transfer that is locked. */
export async function saveTransfer(
  tx: SystemTransaction,
  row: Omit<ChainTransferRow, 'hash' | 'isGivenUp'>,
  now: Date,
): Promise<void> {
  const { reference, state, hold, reason, reverts, told, toldHold, toldHolds } = row;
  await tx.query(
    `UPDATE chain_transfers SET state = :state, hold = :hold, reason = :reason, reverts = :reverts,
       told = :told, told_hold = :toldHold, told_holds = :toldHolds, updated_at = :now
     WHERE reference = :reference`,
    { reference, state, hold, reason, reverts, told, toldHold, toldHolds, now },
  );
}
