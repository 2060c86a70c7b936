import type { Scope } from '../domain/scope.ts';
import type { AttemptVerdict } from '../domain/webhooks/attempt.ts';
import type { ScopedTransaction } from './database.ts';

/** A delivery whose time has come, with the bytes to send. */
export interface DueDelivery {
  readonly eventId: string;
  readonly resourceId: string;
  readonly resourceVersion: number;
  readonly attempts: number;
  readonly body: string;
}

/**
 * The deliveries to send now, at most `limit` of each kind: first attempts in the order of their
 * sequence, then repeated ones by their time. A first attempt is due whatever `next_attempt_at` says:
 * that time is another process's clock, and one that runs ahead must not let a later version overtake.
 */
export async function loadDueDeliveries(
  tx: ScopedTransaction,
  scope: Scope,
  endpointId: string,
  now: Date,
  limit: number,
): Promise<DueDelivery[]> {
  // The bodies are fetched by an array of ids: a join lets a planner without fresh statistics walk
  // through every event of the scope for each batch.
  return tx.query<DueDelivery>(
    `WITH of_endpoint AS NOT MATERIALIZED (
       SELECT event_id, seq, resource_id, resource_version, attempts, next_attempt_at
       FROM webhook_deliveries
       WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND status = 'PENDING'
     ), first_ones AS (
       SELECT * FROM of_endpoint WHERE attempts = 0 ORDER BY seq LIMIT $5
     ), repeated AS (
       SELECT * FROM of_endpoint WHERE attempts > 0 AND next_attempt_at <= $4
       ORDER BY next_attempt_at, seq LIMIT $5
     ), due AS MATERIALIZED (
       SELECT *, 1 AS turn FROM first_ones UNION ALL SELECT *, 2 FROM repeated
     ), bodies AS MATERIALIZED (
       SELECT id, body FROM events WHERE customer_id = $1 AND environment = $2
         AND id = ANY (ARRAY(SELECT event_id FROM due))
     )
     SELECT due.event_id AS "eventId", due.resource_id AS "resourceId",
       due.resource_version AS "resourceVersion", due.attempts, bodies.body
     FROM due JOIN bodies ON bodies.id = due.event_id ORDER BY due.turn, due.seq`,
    [scope.customerId, scope.environment, endpointId, now, limit],
  );
}

export interface AttemptRecord extends AttemptVerdict {
  readonly eventId: string;
  readonly at: Date;
  readonly durationMs: number;
  /** Sealed; null where there was none. */
  readonly answer: Buffer | null;
}

/**
 * Writes what came of a batch, and each attempt, in one statement. A record that comes late, from a worker
 * that was given up or of a delivery that was queued again meanwhile, changes nothing but a success:
 * counters never go back and a delivered one stays so.
 */
export async function recordAttempts(
  tx: ScopedTransaction,
  scope: Scope,
  endpointId: string,
  records: readonly AttemptRecord[],
): Promise<void> {
  await tx.query(
    `WITH v AS (
       SELECT * FROM unnest(:eventIds::text[], :statuses::text[], :attempts::integer[],
         :nextAttemptAts::timestamptz[], :ats::timestamptz[], :statusCodes::integer[],
         :errors::text[], :durations::integer[], :answers::bytea[])
         WITH ORDINALITY AS v (event_id, status, attempts, next_attempt_at, at, status_code, error,
           duration_ms, answer, turn)
     ), told AS (
       INSERT INTO webhook_attempts (customer_id, environment, endpoint_id, event_id, number, at,
         duration_ms, delay_ms, status_code, error, answer)
       SELECT :customerId, :environment, :endpointId, v.event_id, v.attempts, v.at, v.duration_ms,
         CASE WHEN v.attempts = 1 AND d.attempts = 0 THEN least(2147483647,
           greatest(0, 1000 * extract(epoch FROM v.at - d.next_attempt_at)))::integer END,
         v.status_code, v.error, v.answer
       FROM v JOIN webhook_deliveries d ON d.endpoint_id = :endpointId AND d.event_id = v.event_id
       ORDER BY turn
     )
     UPDATE webhook_deliveries d SET
       status = v.status,
       attempts = greatest(d.attempts, v.attempts),
       next_attempt_at = coalesce(v.next_attempt_at, d.next_attempt_at),
       last_attempt_at = v.at,
       last_status_code = v.status_code,
       last_error = v.error,
       delivered_at = CASE WHEN v.status = 'DELIVERED' THEN v.at END
     FROM v
     WHERE d.customer_id = :customerId AND d.environment = :environment
       AND d.endpoint_id = :endpointId AND d.event_id = v.event_id AND d.status = 'PENDING'
       AND (d.attempts = v.attempts - 1 OR v.status = 'DELIVERED')`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      endpointId,
      eventIds: records.map((record) => record.eventId),
      statuses: records.map((record) => record.status),
      attempts: records.map((record) => record.attempts),
      nextAttemptAts: records.map((record) => record.nextAttemptAt),
      ats: records.map((record) => record.at),
      statusCodes: records.map((record) => record.statusCode),
      errors: records.map((record) => record.error),
      durations: records.map((record) => record.durationMs),
      answers: records.map((record) => record.answer),
    },
  );
}

/** When the endpoint's next delivery is due (`now` for a first attempt), null where none waits. */
export async function findNextDueAt(
  tx: ScopedTransaction,
  scope: Scope,
  endpointId: string,
  now: Date,
): Promise<Date | null> {
  const rows = await tx.query<{ nextDueAt: Date | null }>(
    `SELECT CASE
       WHEN EXISTS (
         SELECT 1 FROM webhook_deliveries WHERE customer_id = $1 AND environment = $2
           AND endpoint_id = $3 AND status = 'PENDING' AND attempts = 0
       ) THEN $4::timestamptz
       ELSE (
         SELECT min(next_attempt_at) FROM webhook_deliveries WHERE customer_id = $1
           AND environment = $2 AND endpoint_id = $3 AND status = 'PENDING' AND attempts > 0
       ) END AS "nextDueAt"`,
    [scope.customerId, scope.environment, endpointId, now],
  );
  return rows[0]?.nextDueAt ?? null;
}
