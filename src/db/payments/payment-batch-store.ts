import type { Actor } from '../../domain/actor.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { BatchItemState, BatchStatus } from '../../domain/payments/payment-batch.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** One batch as stored, without its items. */
export interface BatchRow {
  readonly id: string;
  readonly seq: bigint;
  readonly status: BatchStatus;
  readonly version: number;
  /** How many items it has. */
  readonly total: number;
  readonly actor: Actor;
  /** `req_...` */
  readonly requestId: string;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** Items of a batch that stand alike. `currency` is null where their fields do not fit. */
export interface BatchSum {
  readonly batchId: string;
  readonly state: BatchItemState;
  readonly currency: string | null;
  readonly items: bigint;
  /** Minor units; null where `currency` is. */
  readonly amount: bigint | null;
}

const COLUMNS = `id, seq, status, version, total, actor, request_id AS "requestId",
  created_at AS "createdAt", completed_at AS "completedAt"`;

const IN_SCOPE = 'customer_id = :customerId AND environment = :environment';

export async function insertBatch(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  batch: Pick<BatchRow, 'id' | 'total' | 'actor' | 'requestId' | 'createdAt'>,
): Promise<BatchRow> {
  const [row] = await tx.query<BatchRow>(
    `INSERT INTO payment_batches (customer_id, environment, id, total, actor, request_id, created_at)
     VALUES (:customerId, :environment, :id, :total, :actor, :requestId, :createdAt)
     RETURNING ${COLUMNS}`,
    { customerId, environment, ...batch, actor: JSON.stringify(batch.actor) },
  );
  if (row === undefined) throw new Error('a batch was not stored');
  return row;
}

export async function findBatch(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
): Promise<BatchRow | null> {
  const rows = await tx.query<BatchRow>(
    `SELECT ${COLUMNS} FROM payment_batches WHERE ${IN_SCOPE} AND id = :id`,
    { customerId, environment, id },
  );
  return rows[0] ?? null;
}

/** Batches of a status, or all of them, newest first. */
export async function listBatches(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { status }: { readonly status?: BatchStatus },
  page: PageRequest,
): Promise<Page<BatchRow>> {
  const rows = await tx.query<BatchRow>(
    `SELECT ${COLUMNS} FROM payment_batches
     WHERE ${IN_SCOPE} AND (:status::text IS NULL OR status = :status)
       AND (:before::bigint IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT :limit`,
    {
      ...{ customerId, environment, status: status ?? null },
      ...{ before: page.before, limit: page.limit + 1 },
    },
  );
  return toPage(rows, page.limit);
}

/** What the items of batches come to, by state and currency. */
export async function sumBatches(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  ids: readonly string[],
): Promise<BatchSum[]> {
  const rows = await tx.query<Omit<BatchSum, 'amount'> & { amount: string | null }>(
    `SELECT batch_id AS "batchId", state, currency, count(*) AS items, sum(amount)::text AS amount
     FROM payment_batch_items WHERE ${IN_SCOPE} AND batch_id = ANY (:ids)
     GROUP BY batch_id, state, currency`,
    { customerId, environment, ids: [...ids] },
  );
  return rows.map((row) => {
    return { ...row, amount: row.amount === null ? null : BigInt(row.amount) };
  });
}
