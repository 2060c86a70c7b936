import type { PaymentLimit } from '../../domain/payments/limits/payment-limit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction } from '../client/database.ts';

/** A limit as the dashboard shows and changes it. */
export interface PaymentLimitRow extends PaymentLimit {
  readonly id: string;
  readonly version: number;
  readonly setBy: string;
  readonly setAt: Date;
}

/** Limits that a customer may have in one environment. */
export const LIMITS_MAX = 200;
/** Beneficiaries that a customer may allow in one environment. */
export const BENEFICIARIES_MAX = 200;

const COLUMNS = `id, api_key_id AS "apiKeyId", currency, per_payment AS "perPayment", per_day AS "perDay",
  allowed_beneficiaries_only AS "allowedBeneficiariesOnly", version, set_by AS "setBy", set_at AS "setAt"`;

/** All limits of a scope: those of the customer first, then by key. */
export async function listLimits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
): Promise<PaymentLimitRow[]> {
  return tx.query<PaymentLimitRow>(
    `SELECT ${COLUMNS} FROM payment_limits WHERE customer_id = $1 AND environment = $2
     ORDER BY api_key_id NULLS FIRST, currency LIMIT ${String(LIMITS_MAX)}`,
    [customerId, environment],
  );
}

export async function findLimit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
): Promise<PaymentLimitRow | null> {
  const [row] = await tx.query<PaymentLimitRow>(
    `SELECT ${COLUMNS} FROM payment_limits WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [customerId, environment, id],
  );
  return row ?? null;
}

/**
 * Sets a limit, or replaces the one of the same key and currency, and answers it. Null: the limit has another version than
 * the one that was seen; 0: there was none.
 */
export async function saveLimit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  limit: Omit<PaymentLimitRow, 'version'> & { readonly seenVersion: number },
): Promise<PaymentLimitRow | null> {
  const [row] = await tx.query<PaymentLimitRow>(
    `INSERT INTO payment_limits AS l (id, customer_id, environment, api_key_id, currency, per_payment, per_day,
       allowed_beneficiaries_only, set_by, set_at)
     SELECT :id, :customerId, :environment, :apiKeyId, :currency, :perPayment::bigint, :perDay::bigint,
       :allowedBeneficiariesOnly::boolean, :setBy, :setAt::timestamptz
     ON CONFLICT (customer_id, environment, api_key_id, currency) DO UPDATE SET
       per_payment = excluded.per_payment, per_day = excluded.per_day,
       allowed_beneficiaries_only = excluded.allowed_beneficiaries_only,
       version = l.version + 1, set_by = excluded.set_by, set_at = excluded.set_at
       WHERE l.version = :seenVersion
     RETURNING ${COLUMNS}`,
    { customerId, environment, ...limit },
  );
  return row ?? null;
}

/** False: it has another version than the one that was seen, or is gone. */
export async function deleteLimit(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM payment_limits
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND version = $4 RETURNING id`,
    [customerId, environment, id, version],
  );
  return rows.length > 0;
}

/** What was let go on a day: by key ('' is the customer) and currency. */
export async function readLimitDay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  day: string,
): Promise<readonly { apiKeyId: string; currency: string; amount: bigint }[]> {
  return tx.query(
    `SELECT d.api_key_id AS "apiKeyId", d.currency, d.amount
     FROM payment_limits l JOIN payment_limit_days d ON d.customer_id = l.customer_id
       AND d.environment = l.environment AND d.currency = l.currency AND d.day = $3::date
       AND d.api_key_id = coalesce(l.api_key_id, '')
     WHERE l.customer_id = $1 AND l.environment = $2`,
    [customerId, environment, day],
  );
}

/** A key that takes another one's place gets its limits, and what was counted for it on this day. */
export async function copyLimits(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  copy: {
    readonly from: string;
    readonly to: string;
    readonly newLimitId: () => string;
    readonly day: string;
  },
): Promise<void> {
  const { from, to, newLimitId, day } = copy;
  const limits = await tx.query<{ id: string }>(
    `SELECT id FROM payment_limits
     WHERE customer_id = $1 AND environment = $2 AND api_key_id = $3 LIMIT ${String(LIMITS_MAX)}`,
    [customerId, environment, from],
  );
  if (limits.length === 0) return;
  await tx.query(
    `INSERT INTO payment_limits (id, customer_id, environment, api_key_id, currency, per_payment, per_day,
       allowed_beneficiaries_only, set_by, set_at)
     SELECT wanted.id, l.customer_id, l.environment, :to, l.currency, l.per_payment, l.per_day,
       l.allowed_beneficiaries_only, l.set_by, l.set_at
     FROM unnest(:ids::text[], :newIds::text[]) AS wanted (old, id) JOIN payment_limits l ON l.id = wanted.old`,
    { to, ids: limits.map(({ id }) => id), newIds: limits.map(newLimitId) },
  );
  await tx.query(
    `INSERT INTO payment_limit_days (customer_id, environment, api_key_id, currency, day, amount)
     SELECT customer_id, environment, :to, currency, day, amount FROM payment_limit_days
     WHERE customer_id = :customerId AND environment = :environment AND api_key_id = :from AND day = :day::date
     ON CONFLICT DO NOTHING`,
    { customerId, environment, from, to, day },
  );
}

export interface BeneficiaryRow {
  readonly destinationId: string;
  readonly allowedBy: string;
  readonly allowedAt: Date;
}

/** What users allowed, the newest first. */
export async function listBeneficiaries(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
): Promise<BeneficiaryRow[]> {
  return tx.query<BeneficiaryRow>(
    `SELECT destination_id AS "destinationId", allowed_by AS "allowedBy", allowed_at AS "allowedAt"
     FROM allowed_beneficiaries WHERE customer_id = $1 AND environment = $2
     ORDER BY allowed_at DESC, destination_id LIMIT ${String(BENEFICIARIES_MAX)}`,
    [customerId, environment],
  );
}

/** Allows a bank account or a wallet; no effect on one that is allowed. */
export async function insertBeneficiary(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { destinationId, allowedBy, allowedAt }: BeneficiaryRow,
): Promise<void> {
  await tx.query(
    `INSERT INTO allowed_beneficiaries (customer_id, environment, destination_id, allowed_by, allowed_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [customerId, environment, destinationId, allowedBy, allowedAt],
  );
}

/** False: it is not allowed. */
export async function deleteBeneficiary(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  destinationId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM allowed_beneficiaries
     WHERE customer_id = $1 AND environment = $2 AND destination_id = $3 RETURNING destination_id`,
    [customerId, environment, destinationId],
  );
  return rows.length > 0;
}
