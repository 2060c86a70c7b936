import type {
  EndpointRef,
  KycCheckRef,
  PaymentBatchRef,
  PaymentToStart,
} from '../../domain/workflows/work-refs.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A workflow that should be open: under which id, and for which payment. */
export interface PaymentWork {
  readonly workflowId: string;
  readonly payment: PaymentToStart;
}

interface PaymentWorkRow extends PaymentToStart {
  readonly workflowId: string;
}

const toWork = ({ workflowId, ...payment }: PaymentWorkRow): PaymentWork => ({
  workflowId,
  payment,
});

const PAYMENT_REF = `p.workflow_id AS "workflowId", p.customer_id AS "customerId", p.environment,
  p.id AS "paymentId", p.rail, p.currency`;

/**
 * Payments after `afterId`, due before `until`, that no workflow has begun to settle, by id. Due: accepted,
 * or to be released where they are for a later day. One that waits for a deposit is begun when that comes.
 */
export async function readUnclaimedPayments(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<PaymentWork[]> {
  const rows = await tx.query<PaymentWorkRow>(
    `SELECT ${PAYMENT_REF} FROM payments p
     WHERE p.status = 'PROCESSING' AND p.version = 1 AND p.updated_at < $1 AND p.id > $2
       AND (p.release_at IS NULL OR p.release_at < $1) AND p.status_detail <> 'AWAITING_DEPOSIT'
       AND NOT EXISTS (
         SELECT FROM settlement_attempts a WHERE a.payment_id = p.id AND a.phase = 'SENDING')
     ORDER BY p.id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(toWork);
}

/**
 * Unfinished payments after `afterId` that nothing has touched since `until`, by id. One for a later day is
 * among them for a day, so that its workflow has been looked for, and again once its day has come: until
 * then it would only be found waiting, and whichever has no workflow is among the unclaimed that day.
 */
export async function readUnfinishedPayments(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<PaymentWork[]> {
  const rows = await tx.query<PaymentWorkRow>(
    `SELECT ${PAYMENT_REF} FROM payments p
     WHERE p.environment IN ('test', 'live') AND p.status IN ('PROCESSING', 'ON_HOLD', 'SENT')
       -- As the index of waiting payments says it: none is held since later than it was changed.
       AND coalesce(p.held_since, p.updated_at) < $1
       AND p.updated_at < $1 AND p.id > $2
       AND NOT (p.status = 'PROCESSING' AND p.version = 1 AND p.release_at IS NOT NULL
         AND p.release_at >= $1 AND p.updated_at < $1 - interval '1 day')
     ORDER BY p.id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(toWork);
}

/** Payments after `afterId` with a bank's report that has waited since `until` to be judged. */
export async function readUnreadReports(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<(PaymentWork & { readonly reportId: string })[]> {
  const rows = await tx.query<PaymentWorkRow & { readonly reportId: string }>(
    `SELECT DISTINCT ON (p.id) ${PAYMENT_REF}, r.id::text AS "reportId"
     FROM transfer_reports r JOIN payments p ON p.id = r.payment_id
     WHERE r.processed_at IS NULL AND r.payment_id IS NOT NULL AND r.received_at < $1
       AND r.payment_id > $2
     ORDER BY p.id, r.id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(({ reportId, ...row }) => ({ ...toWork(row), reportId }));
}

/**
 * Payments after `afterId` that were paid for by a deposit before `until`, and within the hour before it, of which
 * nothing was sent since: the word that it is there was lost. Older ones are among the unfinished.
 */
export async function readUntoldFundings(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<PaymentWork[]> {
  const rows = await tx.query<PaymentWorkRow>(
    `SELECT ${PAYMENT_REF} FROM payment_fundings f JOIN payments p ON p.id = f.payment_id
     WHERE f.status = 'HELD' AND f.updated_at < $1 AND f.updated_at > $1::timestamptz - interval '1 hour'
       AND p.status = 'PROCESSING'
       AND p.status_detail IN ('AWAITING_DEPOSIT', 'DEPOSIT_SEEN', 'QUEUED')
       AND f.payment_id > $2
     ORDER BY p.id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(toWork);
}

const KYC_CHECK_REF = `c.customer_id AS "customerId", c.environment, c.end_user_id AS "endUserId",
  c.id AS "kycCheckId", c.round`;

/**
 * Not those whose workflow ends at once, as their data has changed since (see `applyKycReports`), and not
 * those of an erased end-user, of whom nothing is asked any more.
 */
const WAITED_FOR = `c.status IN ('PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUIRED')
  AND NOT EXISTS (SELECT FROM end_users u
    WHERE u.id = c.end_user_id AND u.identity_version > c.identity_version
      AND (c.status = 'RESUBMISSION_REQUIRED' OR u.kyc_round > c.round))
  AND NOT EXISTS (SELECT FROM end_user_keys k
    WHERE k.end_user_id = c.end_user_id AND k.erased_at IS NOT NULL)`;

/** KYC checks after `afterId` that were never opened at the provider, stored before `until`, by id. */
export async function readUnopenedKycChecks(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<KycCheckRef[]> {
  return tx.query<KycCheckRef>(
    `SELECT ${KYC_CHECK_REF} FROM kyc_checks c
     WHERE ${WAITED_FOR}
       AND c.provider_url IS NULL AND c.created_at < $1 AND c.id > $2
     ORDER BY c.id LIMIT $3`,
    [until, afterId, limit],
  );
}

/** Undecided KYC checks after `afterId` that nothing has touched since `until`, by id. */
export async function readUndecidedKycChecks(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<KycCheckRef[]> {
  return tx.query<KycCheckRef>(
    `SELECT ${KYC_CHECK_REF} FROM kyc_checks c
     WHERE ${WAITED_FOR}
       AND c.updated_at < $1 AND c.id > $2
     ORDER BY c.id LIMIT $3`,
    [until, afterId, limit],
  );
}

/** KYC checks after `afterId` with a provider's report that has waited since `until` to be judged. */
export async function readUnreadKycReports(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<{ readonly check: KycCheckRef; readonly reportId: string }[]> {
  const rows = await tx.query<KycCheckRef & { readonly reportId: string }>(
    `SELECT DISTINCT ON (c.id) ${KYC_CHECK_REF}, r.id::text AS "reportId"
     FROM kyc_reports r JOIN kyc_checks c ON c.id = r.kyc_check_id
     WHERE r.processed_at IS NULL AND r.received_at < $1 AND r.kyc_check_id > $2
     ORDER BY c.id, r.id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(({ reportId, ...check }) => ({ check, reportId }));
}

/**
 * Enabled endpoints after `afterId` with a delivery that was due, or a replay that was asked for, before `until`, by
 * id.
 */
export async function readOverdueEndpoints(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<EndpointRef[]> {
  return tx.query<EndpointRef>(
    `SELECT e.customer_id AS "customerId", e.environment, e.id AS "endpointId"
     FROM webhook_endpoints e
     -- Asked apart, as the two partial indexes are.
     WHERE e.status = 'ENABLED' AND e.id > $2 AND (EXISTS (
         SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'PENDING'
           AND d.attempts = 0 AND d.next_attempt_at < $1)
       OR EXISTS (
         SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'PENDING'
           AND d.attempts > 0 AND d.next_attempt_at < $1)
       OR EXISTS (
         SELECT FROM webhook_replays r WHERE r.endpoint_id = e.id AND r.status = 'RUNNING'
           AND r.created_at < $1))
     ORDER BY e.id LIMIT $3`,
    [until, afterId, limit],
  );
}

const BATCH_REF = 'customer_id AS "customerId", environment, id AS "batchId"';

/** Batches after `afterId`, taken before `until`, that no worker has begun with, by id. */
export async function readUnbegunBatches(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<PaymentBatchRef[]> {
  return tx.query<PaymentBatchRef>(
    `SELECT ${BATCH_REF} FROM payment_batches
     WHERE status = 'PROCESSING' AND begun_at IS NULL AND created_at < $1 AND id > $2
     ORDER BY id LIMIT $3`,
    [until, afterId, limit],
  );
}

/** Unfinished batches after `afterId` that no worker has taken up since `until`, by id. */
export async function readUnfinishedBatches(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<PaymentBatchRef[]> {
  return tx.query<PaymentBatchRef>(
    `SELECT ${BATCH_REF} FROM payment_batches
     WHERE status = 'PROCESSING' AND begun_at < $1 AND id > $2
     ORDER BY id LIMIT $3`,
    [until, afterId, limit],
  );
}
