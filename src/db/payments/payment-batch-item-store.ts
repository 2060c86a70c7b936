import type { ErrorCode } from '../../domain/errors/registry.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import { BATCH_ITEMS_MAX, type BatchItemState } from '../../domain/payments/payment-batch.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** One item of a batch as stored. */
export interface BatchItemRow {
  /** From 0, in the order of the request. */
  readonly itemIndex: number;
  readonly idempotencyKey: string;
  readonly state: BatchItemState;
  /** PENDING: the order; REFUSED: what the error says, empty once the end-user was erased. */
  readonly sealed: Buffer | null;
  readonly paymentId: string | null;
  readonly error: ErrorCode | null;
  /** Since when an error that may pass keeps it from being judged. */
  readonly waitingSince: Date | null;
}

export interface NewBatchItem extends Omit<BatchItemRow, 'paymentId' | 'waitingSince'> {
  readonly endUserId: string | null;
  readonly currency: string | null;
  /** Minor units. */
  readonly amount: bigint | null;
  readonly judgedAt: Date | null;
}

/** What a run found out about an item. PENDING: nothing yet, for an error that may pass. */
export type JudgedItem = Pick<
  BatchItemRow,
  'itemIndex' | 'state' | 'sealed' | 'paymentId' | 'error'
>;

/** The row that what is sealed of an item is bound to. */
export const batchItemRow = (batchId: string, itemIndex: number): string =>
  `payment_batch_items/${batchId}/${String(itemIndex)}`;

const COLUMNS = `item_index AS "itemIndex", idempotency_key AS "idempotencyKey", state, sealed,
  payment_id AS "paymentId", error, waiting_since AS "waitingSince"`;

const OF_BATCH = 'customer_id = :customerId AND environment = :environment AND batch_id = :batchId';

const NEW = rowSource('new', {
  itemIndex: 'integer',
  idempotencyKey: 'text',
  endUserId: 'text',
  currency: 'text',
  amount: 'bigint',
  state: 'text',
  sealed: 'bytea',
  error: 'text',
  judgedAt: 'timestamptz',
});

export async function insertBatchItems(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  batchId: string,
  items: readonly NewBatchItem[],
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_batch_items (customer_id, environment, batch_id, ${NEW.columns})
     SELECT :customerId, :environment, :batchId, ${NEW.columns} FROM ${NEW.sql}`,
    { customerId, environment, batchId, ...NEW.values(items) },
  );
}

/** Items that are not judged yet behind an index, in the order of the request. */
export async function readPendingItems(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { batchId, after }: { readonly batchId: string; readonly after: number },
  limit: number,
): Promise<BatchItemRow[]> {
  return tx.query<BatchItemRow>(
    `SELECT ${COLUMNS} FROM payment_batch_items
     WHERE ${OF_BATCH} AND item_index > :after AND state = 'PENDING'
     ORDER BY item_index LIMIT :limit`,
    { customerId, environment, batchId, after, limit },
  );
}

const JUDGED = rowSource('judged', {
  itemIndex: 'integer',
  state: 'text',
  sealed: 'bytea',
  paymentId: 'text',
  error: 'text',
});

/** Writes down what became of pending items, or since when they wait. */
export async function recordItems(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  batchId: string,
  items: readonly JudgedItem[],
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE payment_batch_items i SET state = judged.state,
       sealed = CASE judged.state WHEN 'PENDING' THEN i.sealed ELSE judged.sealed END,
       payment_id = judged.payment_id, error = judged.error,
       waiting_since = coalesce(i.waiting_since,
         CASE judged.state WHEN 'PENDING' THEN :at::timestamptz END),
       judged_at = CASE judged.state WHEN 'PENDING' THEN NULL ELSE :at::timestamptz END
     FROM ${JUDGED.sql}
     WHERE ${OF_BATCH} AND i.item_index = judged.item_index AND i.state = 'PENDING'`,
    { customerId, environment, batchId, at, ...JUDGED.values(items) },
  );
}

/** Items of a batch in the order of the request: the page's sequence counts down as indexes go up. */
export async function listBatchItems(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: { readonly batchId: string; readonly state?: BatchItemState },
  page: PageRequest,
): Promise<Page<BatchItemRow>> {
  const rows = await tx.query<BatchItemRow & { readonly seq: bigint }>(
    `SELECT ${COLUMNS}, (${String(BATCH_ITEMS_MAX)} - item_index)::bigint AS seq
     FROM payment_batch_items
     WHERE ${OF_BATCH} AND (:state::text IS NULL OR state = :state)
       AND (:before::bigint IS NULL OR ${String(BATCH_ITEMS_MAX)} - item_index < :before)
     ORDER BY item_index LIMIT :limit`,
    {
      ...{ customerId, environment, batchId: filter.batchId, state: filter.state ?? null },
      ...{ before: page.before, limit: page.limit + 1 },
    },
  );
  return toPage(rows, page.limit);
}
