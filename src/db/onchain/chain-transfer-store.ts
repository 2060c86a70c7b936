import type { ChainTransferState } from '../../domain/onchain/chain-transfer-state.ts';
import type { ChainOrder } from '../../domain/onchain/chain-order.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import {
  judgeWalletScreening,
  type WalletScreening,
} from '../../domain/parties/screening/wallet-verdict.ts';
import type { Environment } from '../../domain/scope.ts';
import type { Database, SystemTransaction } from '../client/database.ts';

/** Why a transfer waits, where that is not its turn. */
export type ChainHold = 'AWAITING_LIQUIDITY' | 'NETWORK_CONGESTED' | 'STALLED' | 'SIGNING_STOPPED';

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

/** A customer whose transfers wait or are under way, as far as a round has come. */
export interface CustomerTurn {
  readonly customerId: string;
  /** How many nonces that are not over carry its transfers. */
  readonly carried: number;
  /** It has as many as it may: none of its transfers is read. */
  readonly isFull: boolean;
  /** The reference of its last transfer that was read. */
  readonly after: string | null;
}

/**
 * Transfers that no nonce carries and are not given up, by turns: of each customer the oldest first, and first of
 * those whose customer then has the fewest under way. A customer that is not named has none, and none was read. Transfers
 * of the closed assets are left out.
 */
export async function readWaitingTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  turns: readonly CustomerTurn[],
  closed: readonly string[],
  limit: number,
): Promise<ChainTransferRow[]> {
  return tx.query<ChainTransferRow>(
    `WITH RECURSIVE waiting (customer_id) AS (
       SELECT min(t.customer_id) FROM chain_transfers t WHERE t.environment = :environment
         AND t.network = :network AND t.state = 'WAITING' AND t.given_up_at IS NULL
       UNION ALL
       SELECT (SELECT min(t.customer_id) FROM chain_transfers t WHERE t.environment = :environment
         AND t.network = :network AND t.state = 'WAITING' AND t.given_up_at IS NULL
         AND t.customer_id > w.customer_id)
       FROM waiting w WHERE w.customer_id IS NOT NULL)
     SELECT ${COLUMNS} FROM waiting w
     LEFT JOIN unnest(:customers::text[], :carried::integer[], :areFull::boolean[], :afters::text[])
       AS c (customer_id, carried, is_full, after) USING (customer_id)
     CROSS JOIN LATERAL (
       SELECT o.*, row_number() OVER (ORDER BY o.created_at, o.reference) AS turn FROM chain_transfers o
       WHERE o.environment = :environment AND o.network = :network AND o.customer_id = w.customer_id
         AND o.state = 'WAITING' AND o.given_up_at IS NULL AND o.asset <> ALL (:closed::text[]) AND (c.after IS NULL
           OR (o.created_at, o.reference) > (SELECT l.created_at, l.reference FROM chain_transfers l
             WHERE l.reference = c.after))
       ORDER BY o.created_at, o.reference LIMIT :limit) AS t
     WHERE c.is_full IS NOT TRUE
     ORDER BY coalesce(c.carried, 0) + t.turn, t.created_at, t.reference LIMIT :limit`,
    {
      ...{ environment, network, closed, limit },
      customers: turns.map(({ customerId }) => customerId),
      carried: turns.map(({ carried }) => carried),
      areFull: turns.map(({ isFull }) => isFull),
      afters: turns.map(({ after }) => after),
    },
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

/** What payments are told: what became of their transfers, and what those wait for. */
export type ChainNews = 'OUTCOME' | 'HOLD';

const IS_UNTOLD: Readonly<Record<ChainNews, string>> = {
  OUTCOME: `(CASE WHEN t.state IN ('WAITING', 'CARRIED') THEN t.told = 'SETTLED'
    ELSE t.told IS DISTINCT FROM t.state END)`,
  HOLD: `t.state IN ('WAITING', 'CARRIED') AND t.told IS DISTINCT FROM 'SETTLED'
    AND t.told_hold IS DISTINCT FROM t.hold`,
};

/**
 * Transfers of which the payment has not heard the last of that kind, oldest first, and those alone that are behind the one
 * of reference `after`; null: from the oldest on.
 */
export async function readUntoldTransfers(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  news: ChainNews,
  after: string | null,
  limit: number,
): Promise<ChainTransferRow[]> {
  return tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t
     WHERE t.environment = :environment AND t.network = :network
       AND (t.state IN ('WAITING', 'CARRIED', 'SETTLED') OR t.told IS DISTINCT FROM t.state)
       AND ${IS_UNTOLD[news]}
       AND (:after::text IS NULL OR (t.created_at, t.reference)
         > (SELECT l.created_at, l.reference FROM chain_transfers l WHERE l.reference = :after))
     ORDER BY t.created_at, t.reference LIMIT :limit`,
    { environment, network, after, limit },
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
  return (await lockTransfers(tx, [reference])).get(reference) ?? null;
}

/** Locks several, by reference; one that is not there is left out. */
export async function lockTransfers(
  tx: SystemTransaction,
  references: readonly string[],
): Promise<ReadonlyMap<string, ChainTransferRow>> {
  const rows = await tx.query<ChainTransferRow>(
    `SELECT ${COLUMNS} FROM chain_transfers t WHERE t.reference = ANY ($1::text[])
     ORDER BY t.reference FOR UPDATE OF t`,
    [[...references]],
  );
  return new Map(rows.map((row) => [row.reference, row]));
}

/** Marks what payments were told last. */
export async function markTold(
  tx: SystemTransaction,
  references: readonly string[],
  told: ChainWord,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_transfers SET told = :told, updated_at = :now
     WHERE reference IN (SELECT t.reference FROM chain_transfers t
       WHERE t.reference = ANY (:references::text[]) ORDER BY t.reference FOR UPDATE)`,
    { references: [...references], told, now },
  );
}

/** Transfers whose hold one statement changes. */
const HELD_MAX = 1_000;

/**
 * Holds transfers that wait because nothing is signed for them now: all of a network, or those of an asset, or of one
 * customer. One that operators have to look at stays as it is. Those that are left come with the next call.
 */
export async function holdUnsigned(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, customerId }: { readonly asset?: string; readonly customerId?: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_transfers SET hold = 'SIGNING_STOPPED', updated_at = :now
     WHERE reference IN (SELECT t.reference FROM chain_transfers t
       WHERE t.environment = :environment AND t.network = :network AND t.state = 'WAITING'
         AND t.given_up_at IS NULL AND coalesce(t.hold, '') NOT IN ('STALLED', 'SIGNING_STOPPED')
         AND (:asset::text IS NULL OR t.asset = :asset)
         AND (:customerId::text IS NULL OR t.customer_id = :customerId)
       LIMIT ${String(HELD_MAX)} FOR UPDATE SKIP LOCKED)`,
    { environment, network, asset: asset ?? null, customerId: customerId ?? null, now },
  );
}

/** Ends that for some assets, but for customers that it still holds: the transfers wait for their turn again. */
export async function releaseUnsigned(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  assets: readonly string[],
  held: readonly { readonly asset: string; readonly customerId: string }[],
  now: Date,
): Promise<void> {
  if (assets.length === 0) return;
  await tx.query(
    `UPDATE chain_transfers SET hold = NULL, updated_at = :now
     WHERE reference IN (SELECT t.reference FROM chain_transfers t
       WHERE t.environment = :environment AND t.network = :network AND t.state = 'WAITING'
         AND t.given_up_at IS NULL AND t.hold = 'SIGNING_STOPPED' AND t.asset = ANY (:assets::text[])
         AND (t.asset, t.customer_id) NOT IN
           (SELECT * FROM unnest(:heldAssets::text[], :heldCustomers::text[]))
       LIMIT ${String(HELD_MAX)} FOR UPDATE SKIP LOCKED)`,
    {
      ...{ environment, network, assets: [...assets], now },
      heldAssets: held.map(({ asset }) => asset),
      heldCustomers: held.map(({ customerId }) => customerId),
    },
  );
}

/** What became of transfers that are locked, all of them the same: none waits for anything but its turn. */
export async function saveStates(
  tx: SystemTransaction,
  references: readonly string[],
  state: 'CARRIED' | 'SETTLED' | 'FINAL',
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_transfers SET state = :state, hold = NULL, updated_at = :now
     WHERE reference = ANY (:references::text[])`,
    { references: [...references], state, now },
  );
}

/** Whether the payment of a transfer may be sent now. */
export type PaymentVerdict = 'SEND' | 'WALLET_NOT_ACTIVE' | 'UNSCREENED' | 'RATE_OVER';

/**
 * By reference, whether the payments of transfers may be sent now. Not to a wallet that was rejected or disabled since, or
 * that operators look at; not at a rate that is no longer held. UNSCREENED: the wallet's address has to be looked up first.
 */
export async function judgePayments(
  tx: SystemTransaction,
  transfers: readonly ChainTransferRow[],
  now: Date,
): Promise<ReadonlyMap<string, PaymentVerdict>> {
  const rows = await tx.query<JudgedPayment>(
    `SELECT t.reference, w.status = 'ACTIVE' AS "isActive",
       coalesce(p.rate_held_until <= :now, false) AND t.told IS NULL AND t.reverts = 0 AS "isOver",
       ${WALLET_SCREENING}
     FROM chain_transfers t
     JOIN payments p ON p.customer_id = t.customer_id AND p.environment = t.environment AND p.id = t.payment_id
     JOIN wallets w ON w.customer_id = p.customer_id AND w.environment = p.environment AND w.id = p.wallet_id
     WHERE t.reference = ANY (:references::text[])`,
    { references: transfers.map(({ reference }) => reference), now },
  );
  const verdicts = new Map<string, PaymentVerdict>(
    transfers.map(({ reference }) => [reference, 'WALLET_NOT_ACTIVE']),
  );
  for (const row of rows) verdicts.set(row.reference, verdictOf(row, now));
  return verdicts;
}

interface JudgedPayment extends WalletScreening {
  readonly reference: string;
  readonly isActive: boolean;
  readonly isOver: boolean;
}

function verdictOf(row: JudgedPayment, now: Date): PaymentVerdict {
  if (!row.isActive) return 'WALLET_NOT_ACTIVE';
  if (row.isOver) return 'RATE_OVER';
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
