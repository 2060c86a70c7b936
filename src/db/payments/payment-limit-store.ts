import type { LimitReason, PaymentLimit } from '../../domain/payments/limits/payment-limit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

export type LimitDecision = 'APPROVED' | 'DECLINED';

/** What a payment's first look at the limits found, and what was decided since. */
export interface LimitCheckRow {
  readonly apiKeyId: string | null;
  readonly currency: string;
  readonly amount: bigint;
  /** Empty: it was let go at once. */
  readonly reasons: readonly LimitReason[];
  readonly decision: LimitDecision | null;
  /** Null: it was not let go. */
  readonly countedOn: string | null;
}

const CHECK_COLUMNS = `c.api_key_id AS "apiKeyId", c.currency, c.amount, c.reasons, c.decision,
  c.counted_on::text AS "countedOn"`;

/** The check of a payment; null: it has none. */
export async function findLimitCheck(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
): Promise<LimitCheckRow | null> {
  const [row] = await tx.query<LimitCheckRow>(
    `SELECT ${CHECK_COLUMNS} FROM payment_limit_checks c
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3`,
    [customerId, environment, paymentId],
  );
  return row ?? null;
}

/** Who made a payment, as its history says: `api-key:key_...`. */
export async function readPaymentMaker(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
): Promise<string> {
  const [row] = await tx.query<{ actor: string }>(
    `SELECT actor FROM payment_history
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3 AND version = 1`,
    [customerId, environment, paymentId],
  );
  if (row === undefined) throw new Error(`payment ${paymentId} has no first version`);
  return row.actor;
}

/** The day and the currency that amounts are counted by. `apiKeyIds`: '' is the customer. */
interface Counted {
  readonly apiKeyIds: readonly string[];
  readonly currency: string;
  /** YYYY-MM-DD, in UTC. */
  readonly day: string;
}

/**
 * Adds an amount to a day, of the customer and of a key, and answers what is there then, by key. The rows stay locked
 * until the transaction ends: who adds 0 knows that no other payment is counted meanwhile.
 */
export async function addToLimitDays(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { apiKeyIds, currency, day }: Counted,
  amount: bigint,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.query<{ apiKeyId: string; amount: bigint }>(
    `INSERT INTO payment_limit_days AS d (customer_id, environment, api_key_id, currency, day, amount)
     SELECT :customerId, :environment, wanted.id, :currency, :day::date, :amount::bigint
     FROM unnest(:apiKeyIds::text[]) AS wanted (id) ORDER BY wanted.id COLLATE "C"
     ON CONFLICT (customer_id, environment, currency, day, api_key_id)
       DO UPDATE SET amount = d.amount + excluded.amount
     RETURNING api_key_id AS "apiKeyId", amount`,
    { customerId, environment, apiKeyIds: [...apiKeyIds], currency, day, amount },
  );
  return new Map(rows.map((row) => [row.apiKeyId, row.amount]));
}

/** The limits that apply to payments of a key; null: of no key. */
export async function readLimits(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  apiKeyId: string | null,
): Promise<PaymentLimit[]> {
  return tx.query<PaymentLimit>(
    `SELECT api_key_id AS "apiKeyId", currency, per_payment AS "perPayment", per_day AS "perDay",
       allowed_beneficiaries_only AS "allowedBeneficiariesOnly"
     FROM payment_limits
     WHERE customer_id = :customerId AND environment = :environment
       AND (api_key_id IS NULL OR api_key_id = :apiKeyId)`,
    { customerId, environment, apiKeyId },
  );
}

/** Whether a user of the customer allowed a bank account or a wallet. */
export async function isBeneficiaryAllowed(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  destinationId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM allowed_beneficiaries
     WHERE customer_id = $1 AND environment = $2 AND destination_id = $3`,
    [customerId, environment, destinationId],
  );
  return rows.length > 0;
}

/** Writes down what the first look at a payment found. */
export async function insertLimitCheck(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  check: Omit<LimitCheckRow, 'decision'> & { readonly at: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_limit_checks (payment_id, customer_id, environment, api_key_id, currency, amount, reasons,
       checked_at, counted_on)
     VALUES (:paymentId, :customerId, :environment, :apiKeyId, :currency, :amount, :reasons, :at, :countedOn)`,
    { customerId, environment, paymentId, ...check, reasons: [...check.reasons] },
  );
}

/** Writes down of which day an approved payment was counted. */
export async function markLimitCounted(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  day: string,
): Promise<void> {
  await tx.query(
    `UPDATE payment_limit_checks SET counted_on = $4::date
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3`,
    [customerId, environment, paymentId, day],
  );
}

/** Writes down what a user decided; false: nothing waits for it. The database refuses who made the key. */
export async function decideLimitCheck(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  paymentId: string,
  {
    decision,
    by,
    at,
  }: { readonly decision: LimitDecision; readonly by: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE payment_limit_checks SET decision = :decision, decided_by = :by, decided_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND payment_id = :paymentId
       AND decision IS NULL AND reasons <> '{}'
     RETURNING payment_id`,
    { customerId, environment, paymentId, decision, by, at },
  );
  return rows.length > 0;
}
