import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import type { DepositStatus } from '../../domain/onchain/deposits/deposit.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import {
  DEPOSIT_COLUMNS,
  toDepositRow,
  type DepositRow,
  type StoredDeposit,
} from './deposit-store.ts';
import { TIME_CONDITIONS, timeBounds } from '../client/time-bounds.ts';

export interface DepositFilter {
  /** One deposit, if it passes the other filters. */
  readonly id?: string;
  /** To a payment or a standing address of this end-user. */
  readonly endUserId?: string;
  /** In lower case. */
  readonly txHash?: string;
  readonly paymentId?: string;
  readonly depositAddressId?: string;
  readonly network?: Network;
  readonly asset?: string;
  readonly status?: DepositStatus;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

const IN_SCOPE = 'customer_id = :customerId AND environment = :environment';

/** Each half is found along an index: from the end-user's addresses, and from their payments. */
const OF_END_USER = `id IN (
  SELECT d.id FROM deposits d JOIN deposit_addresses a ON a.id = d.deposit_address_id
  WHERE a.customer_id = :customerId AND a.environment = :environment AND a.end_user_id = :endUserId
  UNION ALL
  SELECT d.id FROM deposits d JOIN payments p ON p.id = d.payment_id
  WHERE p.customer_id = :customerId AND p.environment = :environment AND p.end_user_id = :endUserId)`;

/** The index of transactions begins with their network. */
const OF_TRANSACTION = `network IN (${NETWORKS.map((name) => `'${name}'`).join(', ')}) AND tx_hash = :txHash`;

const CONDITIONS: Readonly<Record<keyof DepositFilter | 'before', string>> = {
  id: 'id = :id',
  endUserId: OF_END_USER,
  txHash: OF_TRANSACTION,
  paymentId: 'payment_id = :paymentId',
  depositAddressId: 'deposit_address_id = :depositAddressId',
  network: 'network = :network',
  asset: 'asset = :asset',
  status: 'status = :status',
  ...TIME_CONDITIONS,
  before: 'seq < :before',
};

const TIME_BOUNDS = timeBounds('deposits');

export async function findDeposit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
): Promise<DepositRow | null> {
  const [row] = await tx.query<StoredDeposit>(
    `SELECT ${DEPOSIT_COLUMNS} FROM deposits
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [customerId, environment, id],
  );
  return row === undefined ? null : toDepositRow(row);
}

/** Deposits that pass every given filter, newest first. */
export async function listDeposits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: DepositFilter,
  page: PageRequest,
): Promise<Page<DepositRow>> {
  // Only what is asked for stands in the statement: a plan for "or null" would use no index.
  const given = Object.fromEntries(
    Object.entries({ ...filter, before: page.before ?? undefined }).filter(
      ([name, value]) => name in CONDITIONS && value !== undefined,
    ),
  );
  const conditions = Object.keys(given).map((name) => CONDITIONS[name as keyof typeof CONDITIONS]);
  const bounds = Object.entries(TIME_BOUNDS).flatMap(([name, bound]) =>
    name in given ? [bound] : [],
  );
  const rows = await tx.query<StoredDeposit>(
    `${bounds.length > 0 ? `WITH bounds AS MATERIALIZED (SELECT ${bounds.join(', ')})` : ''}
     SELECT ${DEPOSIT_COLUMNS} FROM deposits
     WHERE ${[IN_SCOPE, ...conditions].join(' AND ')}
     ORDER BY seq DESC LIMIT :rows`,
    { customerId, environment, rows: page.limit + 1, ...given },
  );
  return toPage(rows.map(toDepositRow), page.limit);
}
