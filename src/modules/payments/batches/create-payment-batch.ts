import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  insertBatchItems,
  type NewBatchItem,
} from '../../../db/payments/payment-batch-item-store.ts';
import { hasRoomForBatch } from '../../../db/payments/payment-batch-run-store.ts';
import { insertBatch, type BatchSum } from '../../../db/payments/payment-batch-store.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { UNFINISHED_BATCHES_MAX } from '../../../domain/payments/payment-batch.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { batchEvent } from './batch-events.ts';
import type { BatchItem } from './batch-item.ts';
import { viewBatch } from './batch-view.ts';
import { sealError, sealOrder } from './sealed-item.ts';

/** A batch of a thousand takes about as long. */
const RETRY_AFTER_SECONDS = '10';

export interface NewPaymentBatch {
  /** 1 to 1,000, each with a key of its own. */
  readonly items: readonly BatchItem[];
  readonly actor: Actor;
  /** `req_...` */
  readonly requestId: string;
}

/**
 * Keeps a batch for its workflow; answers it as the API shows it. Items that are no orders are refused
 * at once: nothing that comes later could change that. Nothing is paid here, and no balance looked at.
 * Refuses with `rate_limited` while too many batches of the scope are unfinished.
 */
export async function createPaymentBatch(
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { items, actor, requestId }: NewPaymentBatch,
): Promise<ReturnType<typeof viewBatch>> {
  if (!(await hasRoomForBatch(tx, scope, UNFINISHED_BATCHES_MAX))) throw tooMany();
  const at = clock.now();
  const id = newId(ID_PREFIXES.paymentBatch);
  const rows = items.map((item, itemIndex) => newItem(vault, { batchId: id, itemIndex, at }, item));
  const total = rows.length;
  const batch = await insertBatch(tx, scope, { id, total, actor, requestId, createdAt: at });
  await insertBatchItems(tx, scope, id, rows);
  const view = viewBatch(
    batch,
    rows.map((row) => sumOf(id, row)),
  );
  await recordEvent(tx, scope, batchEvent(batch, view), at);
  return view;
}

const tooMany = (): Refusal => {
  const message = `${String(UNFINISHED_BATCHES_MAX)} batches are being processed; wait for one of them.`;
  return new Refusal('rate_limited', message, [], { 'retry-after': RETRY_AFTER_SECONDS });
};

interface Place {
  readonly batchId: string;
  readonly itemIndex: number;
  readonly at: Date;
}

function newItem(vault: Vault, place: Place, item: BatchItem): NewBatchItem {
  const { idempotencyKey, endUserId } = item;
  const common = { itemIndex: place.itemIndex, idempotencyKey, endUserId };
  if (item.kind === 'ORDER') {
    const { amount, unit: currency } = item.read.order;
    const sealed = sealOrder(vault, place, item.read);
    return { ...common, amount, currency, state: 'PENDING', sealed, error: null, judgedAt: null };
  }
  return {
    ...common,
    ...{ amount: null, currency: null, state: 'REFUSED', judgedAt: place.at },
    sealed: sealError(vault, place, item.refusal),
    error: item.refusal.code,
  };
}

const sumOf = (batchId: string, { state, currency, amount }: NewBatchItem): BatchSum => ({
  ...{ batchId, state, currency, amount },
  items: 1n,
});
