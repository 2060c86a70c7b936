import type { Scope } from '../../domain/scope.ts';
import type { TravelRuleStatus } from '../../domain/payments/travel-rule/travel-rule-policy.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { ownerKeyOf } from '../parties/end-user-key-store.ts';
import { rowSource } from '../client/row-source.ts';

/** The record of one payment. */
export interface TravelRuleRow {
  readonly paymentId: string;
  /** Whose key opens `record`: see `KeyOwner`. */
  readonly endUserId: string;
  readonly ownerKey: Buffer | null;
  /** Sealed. */
  readonly record: Buffer;
  readonly status: TravelRuleStatus;
  /** Null: the provider has not taken it yet. */
  readonly sentAt: Date | null;
}

export interface NewTravelRuleRecord {
  readonly paymentId: string;
  readonly endUserId: string;
  readonly record: Buffer;
  readonly status: Extract<TravelRuleStatus, 'STORED' | 'WAITING'>;
}

const NEW = rowSource('record', {
  paymentId: 'text',
  endUserId: 'text',
  record: 'bytea',
  status: 'text',
});

/** Stores the records of new payments, in the transaction of these. */
export async function insertTravelRuleRecords(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  records: readonly NewTravelRuleRecord[],
  at: Date,
): Promise<void> {
  if (records.length === 0) return;
  await tx.query(
    `INSERT INTO travel_rule_records (customer_id, environment, created_at, ${NEW.columns})
     SELECT :customerId, :environment, :at, ${NEW.columns} FROM ${NEW.sql}`,
    { customerId, environment, at, ...NEW.values(records) },
  );
}

/** The record of a payment; null where it has none. */
export async function findTravelRuleRecord(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
): Promise<TravelRuleRow | null> {
  const rows = await tx.query<TravelRuleRow>(
    `SELECT payment_id AS "paymentId", end_user_id AS "endUserId",
       ${ownerKeyOf('travel_rule_records.end_user_id')}, record, status, sent_at AS "sentAt"
     FROM travel_rule_records
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3`,
    [customerId, environment, paymentId],
  );
  return rows[0] ?? null;
}

/** Where the record of a payment stands; null where it has none. */
export async function readTravelRuleStatus(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
): Promise<TravelRuleStatus | null> {
  const rows = await tx.query<{ status: TravelRuleStatus }>(
    `SELECT status FROM travel_rule_records
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3`,
    [customerId, environment, paymentId],
  );
  return rows[0]?.status ?? null;
}

/** Writes what a VASP said of a payment that waits for it; nothing where it has said it before. */
export async function writeVaspAnswer(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  status: Exclude<TravelRuleStatus, 'STORED'>,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE travel_rule_records SET status = :status, sent_at = coalesce(sent_at, :at),
       answered_at = CASE WHEN :status <> 'WAITING' THEN :at::timestamptz END
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId
       AND status = 'WAITING'`,
    { customerId, environment, paymentId, status, at },
  );
}

/** Sealed parts of those whom a transfer is between. */
export interface SealedParty {
  readonly id: string;
  readonly personal: Buffer;
  readonly isOwn: boolean;
  readonly ownerKey: Buffer | null;
}

/** The end-users named, and the customer's own company where the scope has one. */
export function readTravelParties(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endUserIds: readonly string[],
): Promise<SealedParty[]> {
  return tx.query<SealedParty>(
    `SELECT id, personal, relationship = 'SELF' AS "isOwn", ${ownerKeyOf('end_users.id')}
     FROM end_users WHERE customer_id = :customerId AND environment = :environment
       AND (id = ANY (:endUserIds) OR relationship = 'SELF')`,
    { customerId, environment, endUserIds: [...endUserIds] },
  );
}

/** The sealed host of a wallet, and whose key seals it. */
export interface SealedHost {
  readonly id: string;
  readonly endUserId: string | null;
  readonly vasp: Buffer | null;
  readonly ownerKey: Buffer | null;
}

export function readTravelHosts(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  walletIds: readonly string[],
): Promise<SealedHost[]> {
  return tx.query<SealedHost>(
    `SELECT id, end_user_id AS "endUserId", vasp, ${ownerKeyOf('wallets.end_user_id')}
     FROM wallets WHERE customer_id = :customerId AND environment = :environment
       AND id = ANY (:walletIds)`,
    { customerId, environment, walletIds: [...walletIds] },
  );
}
