import type { AttemptPhase } from '../../domain/payments/attempt.ts';
import type { PaymentStatus } from '../../domain/payments/payment-states.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { StatementOrigin } from './statement-store.ts';

/**
 * Waits until no other transaction judges lines of the same bank, and keeps others waiting until the
 * transaction ends: two statements judged at once could each take the same payment as unpaid.
 */
export async function lockJudging(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('statements:' || $1::text || ':' || $2::text, 0))`,
    [environment, connector],
  );
}

export interface CandidateRow {
  readonly reference: string;
  readonly phase: AttemptPhase;
  readonly customerId: string;
  readonly paymentId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly status: PaymentStatus;
}

/**
 * All attempts of the payments that have an attempt with one of the references, which are in upper
 * case. No bank books a payment to a wallet: a line that names one names nothing of ours.
 */
export async function findCandidates(
  tx: SystemTransaction,
  environment: Environment,
  references: readonly string[],
): Promise<CandidateRow[]> {
  if (references.length === 0) return [];
  return tx.query<CandidateRow>(
    `SELECT a.reference, a.phase, p.customer_id AS "customerId", p.id AS "paymentId", p.amount,
       p.currency, p.status
     FROM (
       SELECT DISTINCT payment_id, customer_id FROM settlement_attempts
       WHERE environment = $1 AND reference = ANY ($2)) named
     JOIN payments p ON p.id = named.payment_id AND p.customer_id = named.customer_id
       AND p.environment = $1 AND p.wallet_id IS NULL
     JOIN settlement_attempts a ON a.payment_id = p.id AND a.customer_id = p.customer_id
       AND a.environment = $1`,
    [environment, [...references]],
  );
}

/** How far statements are complete: for a currency, the end of the last one with none open before. */
export interface StatementFrontier {
  readonly currency: string;
  readonly statementId: bigint;
  readonly bankStatementId: string;
  readonly toAt: Date;
}

/**
 * The frontier of every currency on the last hundred complete statements of whole periods. One that could not be read
 * is waited for until it was so `unreadableHopedFor` times, one that could not be fetched while it was
 * listed after `listedAfter`.
 */
export async function readFrontiers(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  patience: { readonly unreadableHopedFor: number; readonly listedAfter: Date },
): Promise<StatementFrontier[]> {
  return tx.query<StatementFrontier>(
    `WITH waited_for AS (
       SELECT series, sequence FROM statements
       WHERE environment = :environment AND connector = :connector AND (status = 'READ'
         OR (status = 'LISTED' AND listed_at > :listedAfter)
         OR (status = 'UNREADABLE' AND unreadable_readings < :unreadableHopedFor))
       ORDER BY series, sequence LIMIT 1),
     complete AS (
       SELECT id, bank_statement_id, to_at, currencies FROM statements s
       WHERE environment = :environment AND connector = :connector AND status = 'RECONCILED'
         AND report = 'DAY' AND NOT EXISTS (
           SELECT FROM waited_for w WHERE (w.series, w.sequence) <= (s.series, s.sequence))
       ORDER BY series DESC, sequence DESC LIMIT 100)
     SELECT DISTINCT ON (currency) currency, id AS "statementId",
       bank_statement_id AS "bankStatementId", to_at AS "toAt"
     FROM complete, unnest(currencies) AS currency
     WHERE to_at IS NOT NULL
     ORDER BY currency, to_at DESC`,
    { environment, connector, ...patience },
  );
}

/**
 * Since when nothing newer is reconciled: the newest reconciled statement's end, or when it was done
 * where the bank claims a later one; without any, the first payment. Null where there is neither.
 */
export async function findReconciledSince(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
): Promise<Date | null> {
  const rows = await tx.query<{ since: Date | null }>(
    `SELECT coalesce(
       (SELECT max(least(to_at, reconciled_at)) FROM statements
        WHERE environment = $1 AND connector = $2 AND status = 'RECONCILED'),
       (SELECT min(created_at) FROM payments WHERE environment = $1)) AS since`,
    [environment, connector],
  );
  return rows[0]?.since ?? null;
}

export interface UnreconciledPayment {
  readonly customerId: string;
  readonly paymentId: string;
  readonly completedAt: Date | null;
  readonly isDebitBooked: boolean;
  /** When the bank told of a return that no statement has shown; null where there is none. */
  readonly returnToldAt: Date | null;
}

/**
 * Payments taken as paid out that no statement has confirmed, last changed before `cut`, in order of
 * id beyond `after`. Lines that are stored but not judged yet count as booked. System role only.
 */
export async function listUnreconciledPayments(
  tx: SystemTransaction,
  about: {
    readonly environment: Environment;
    readonly currency: string;
    readonly cut: Date;
    readonly after: string;
    readonly limit: number;
  },
): Promise<UnreconciledPayment[]> {
  return tx.query<UnreconciledPayment>(
    `SELECT p.customer_id AS "customerId", p.id AS "paymentId",
       (SELECT max(a.settled_at) FROM settlement_attempts a
        WHERE a.payment_id = p.id) AS "completedAt",
       EXISTS (
         SELECT FROM settlement_attempts a
         JOIN statement_lines l ON l.environment = a.environment
           AND upper(l.reference) = a.reference AND l.direction = 'DBIT' AND l.booked
         JOIN statements s ON s.id = l.statement_id AND s.status <> 'UNREADABLE'
         WHERE a.payment_id = p.id) AS "isDebitBooked",
       CASE WHEN p.status = 'RETURNED' AND NOT coalesce(p.reconciliation_evidence ? 'return', false)
         THEN p.updated_at END AS "returnToldAt"
     FROM payments p
     WHERE p.environment = $1 AND p.reconciliation_status = 'PENDING'
       AND p.status IN ('COMPLETED', 'RETURNED') AND p.currency = $2 AND p.updated_at < $3
       AND p.wallet_id IS NULL AND p.id > $4
     ORDER BY p.id LIMIT $5`,
    [about.environment, about.currency, about.cut, about.after, about.limit],
  );
}
