import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import type { BatchRow } from './payment-batch-store.ts';

/** One run of the work on a batch. A later one takes the batch away from it. */
export interface BatchRun extends Pick<BatchRow, 'id' | 'actor' | 'requestId'> {
  readonly run: number;
}

/** What became of the right to pay of a batch's sender. */
export interface SenderStanding {
  readonly isKeyRevoked: boolean;
  readonly hasLiveAccess: boolean;
}

const OWN = 'customer_id = :customerId AND environment = :environment AND id = :id';

/**
 * Whether the scope has fewer than `max` unfinished batches. Two requests at once are let in one after
 * the other, so that they cannot both take the last place.
 */
export async function hasRoomForBatch(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  max: number,
): Promise<boolean> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('payment-batches:' || $1 || ':' || $2, 0))`,
    [customerId, environment],
  );
  const rows = await tx.query(
    `SELECT FROM payment_batches
     WHERE customer_id = :customerId AND environment = :environment AND status = 'PROCESSING'
     LIMIT :max`,
    { customerId, environment, max },
  );
  return rows.length < max;
}

/**
 * Takes an unfinished batch over; null where there is none. Waits for the transactions that an earlier
 * run has under way: later ones of it are refused by `holdRun`.
 */
export async function beginRun(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  at: Date,
): Promise<BatchRun | null> {
  const rows = await tx.query<BatchRun>(
    `UPDATE payment_batches SET run = run + 1, begun_at = :at
     WHERE ${OWN} AND status = 'PROCESSING'
     RETURNING id, actor, request_id AS "requestId", run`,
    { customerId, environment, id, at },
  );
  return rows[0] ?? null;
}

/** Whether the batch is still this run's; if so, it stays so until the transaction ends. */
export async function holdRun(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, run }: Pick<BatchRun, 'id' | 'run'>,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM payment_batches WHERE ${OWN} AND run = :run AND status = 'PROCESSING' FOR SHARE`,
    { customerId, environment, id, run },
  );
  return rows.length > 0;
}

/** The batch's second and last version; null where items are pending, or another run has the batch. */
export async function completeBatch(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, run }: Pick<BatchRun, 'id' | 'run'>,
  at: Date,
): Promise<Pick<BatchRow, 'id'> | null> {
  const rows = await tx.query<Pick<BatchRow, 'id'>>(
    `UPDATE payment_batches SET status = 'COMPLETED', version = version + 1, completed_at = :at
     WHERE ${OWN} AND run = :run AND status = 'PROCESSING' AND NOT EXISTS (
       SELECT FROM payment_batch_items WHERE batch_id = :id AND state = 'PENDING')
     RETURNING id`,
    { customerId, environment, id, run, at },
  );
  return rows[0] ?? null;
}

/** Reads whether the API key of a batch is revoked, and whether its customer may use live. */
export async function readSender(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
): Promise<SenderStanding> {
  const [row] = await tx.query<SenderStanding>(
    `SELECT EXISTS (SELECT FROM api_keys k WHERE k.customer_id = :customerId
         AND k.environment = :environment AND k.id = b.actor ->> 'id'
         AND b.actor ->> 'kind' = 'API_KEY' AND k.revoked_at IS NOT NULL) AS "isKeyRevoked",
       EXISTS (SELECT FROM customers c WHERE c.id = :customerId AND c.live_access) AS "hasLiveAccess"
     FROM payment_batches b WHERE ${OWN}`,
    { customerId, environment, id },
  );
  if (row === undefined) throw new Error(`there is no batch ${id}`);
  return row;
}
