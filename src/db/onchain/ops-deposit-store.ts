import { readAddress } from '../../domain/onchain/address.ts';
import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import type {
  AppliedTo,
  DepositReason,
  DepositReview,
  DepositStatus,
} from '../../domain/onchain/deposits/deposit.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import { WAITING_ROWS } from './waiting-deposits.ts';

/** A deposit as an operator sees it. What is told of the chain, the chain tells to all. */
export interface OpsDeposit extends Scope {
  readonly id: string;
  readonly network: Network;
  readonly asset: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly from: string;
  readonly to: string;
  readonly txHash: string;
  /** The block that holds it, or held it last. */
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly paymentId: string | null;
  readonly depositAddressId: string | null;
  readonly status: DepositStatus;
  readonly review: DepositReview | null;
  readonly appliedTo: AppliedTo | null;
  readonly reason: DepositReason | null;
  /** The payment that it became, or that refunds what is over of it; or the code that it was refused with. */
  readonly onwardPaymentId: string | null;
  readonly onwardCode: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT = `SELECT d.id, d.customer_id AS "customerId", d.environment, d.network, d.asset, d.amount,
  d.from_address AS "from", d.to_address AS "to", d.tx_hash AS "txHash",
  d.block_number AS "blockNumber", d.block_hash AS "blockHash", d.payment_id AS "paymentId",
  d.deposit_address_id AS "depositAddressId", d.status, d.review, d.applied_to AS "appliedTo", d.reason,
  o.payment_id AS "onwardPaymentId", o.refused_code AS "onwardCode", d.version,
  d.created_at AS "createdAt", d.updated_at AS "updatedAt"
  FROM deposits d LEFT JOIN deposit_onward o ON o.deposit_id = d.id`;

/** Deposits that one text finds. */
const FOUND_MAX = 100;

const TX_HASH = /^0x[0-9a-f]{64}$/i;

/** A deposit of whichever customer; null where there is none. */
export async function findDepositForOps(
  tx: SystemTransaction,
  id: string,
): Promise<OpsDeposit | null> {
  const rows = await tx.query<OpsDeposit>(`${SELECT} WHERE d.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Deposits that were not paid on in time, the longest waiting first. */
export function listDepositsNotPaidOn(
  tx: SystemTransaction,
  now: Date,
  limit: number,
): Promise<OpsDeposit[]> {
  return tx.query<OpsDeposit>(
    `${SELECT} WHERE d.id IN (SELECT deposit_id FROM ${WAITING_ROWS.DEPOSIT_NOT_PAID_ON.from})
     ORDER BY o.created_at LIMIT :limit`,
    { now, limit },
  );
}

/**
 * Deposits by their id, the hash of their transaction or the address that they came to, newest first; none for any
 * other text. Every way is read along an index.
 */
export async function searchDeposits(
  tx: SystemTransaction,
  text: string,
): Promise<readonly OpsDeposit[]> {
  if (isId(ID_PREFIXES.deposit, text)) {
    const deposit = await findDepositForOps(tx, text);
    return deposit === null ? [] : [deposit];
  }
  const found = (condition: string, value: string) =>
    tx.query<OpsDeposit>(`${SELECT} WHERE ${condition} ORDER BY d.seq DESC LIMIT $2`, [
      value,
      FOUND_MAX,
    ]);
  if (TX_HASH.test(text)) {
    const networks = NETWORKS.map((name) => `'${name}'`).join(', ');
    const place = `d.environment IN ('test', 'live') AND d.network IN (${networks})`;
    return found(`${place} AND d.tx_hash = $1`, text.toLowerCase());
  }
  const read = readAddress(text);
  if (!read.ok) return [];
  return found(
    `d.id IN (
       SELECT b.id FROM payment_fundings f JOIN deposits b ON b.payment_id = f.payment_id
       WHERE f.environment IN ('test', 'live') AND f.address = $1
       UNION ALL
       SELECT b.id FROM deposit_addresses a JOIN deposits b ON b.deposit_address_id = a.id
       WHERE a.environment IN ('test', 'live') AND a.address = $1)`,
    read.address,
  );
}
