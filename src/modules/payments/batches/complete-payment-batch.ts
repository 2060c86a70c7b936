import type { Database } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { completeBatch, type BatchRun } from '../../../db/payments/payment-batch-run-store.ts';
import { findBatch, sumBatches } from '../../../db/payments/payment-batch-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Scope } from '../../../domain/scope.ts';
import { batchEvent } from './batch-events.ts';
import { viewBatch } from './batch-view.ts';

/** Ends a batch all of whose items are judged, with its event; false where some are not. */
export function completePaymentBatch(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  batch: BatchRun,
): Promise<boolean> {
  return db.write(scope, async (tx) => {
    const at = clock.now();
    if (!(await completeBatch(tx, scope, batch, at))) return false;
    const row = await findBatch(tx, scope, batch.id);
    if (row === null) throw new Error(`there is no batch ${batch.id}`);
    const view = viewBatch(row, await sumBatches(tx, scope, [batch.id]));
    await recordEvent(tx, scope, batchEvent(row, view), at);
    return true;
  });
}
