import type { BatchItemRow } from '../../../db/payments/payment-batch-item-store.ts';
import type { Vault } from '../../../vault/vault.ts';
import { openError } from './sealed-item.ts';

/** An item of a batch as the API shows it. */
export function viewBatchItem(row: BatchItemRow, batchId: string, vault: Vault) {
  return {
    index: row.itemIndex,
    idempotencyKey: row.idempotencyKey,
    state: row.state,
    paymentId: row.paymentId,
    error: openError(vault, batchId, row),
  };
}
