import type { Database } from '../../../db/client/database.ts';
import {
  recordItems,
  type BatchItemRow,
  type JudgedItem,
} from '../../../db/payments/payment-batch-item-store.ts';
import type { BatchRun, SenderStanding } from '../../../db/payments/payment-batch-run-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type { Scope } from '../../../domain/scope.ts';
import { openKeys, type KeyState, type RebuildAnswer } from '../../idempotency/open-keys.ts';
import { rebuildPaymentAnswer } from '../rebuild-payment-answer.ts';
import type { Vault } from '../../../vault/vault.ts';
import { acceptedItem, paymentOf, refusedItem } from './judge-item.ts';
import { openOrder } from './sealed-item.ts';

/** Why what is left of a batch may not be paid any more, though it might when it was sent. */
export function findStop(sender: SenderStanding, scope: Scope): Refusal | null {
  if (sender.isKeyRevoked) {
    return new Refusal('api_key_revoked', 'The API key of the batch was revoked.');
  }
  if (scope.environment === 'live' && !sender.hasLiveAccess) {
    return new Refusal('live_access_not_granted', 'The customer no longer has live access.');
  }
  return null;
}

/** Refuses items without paying, except where the payment exists: then the item is it, as ever. */
export function refuseItems(
  deps: { readonly db: Database; readonly vault: Vault; readonly clock: Clock },
  scope: Scope,
  { id: batchId }: BatchRun,
  rows: readonly BatchItemRow[],
  stop: Refusal,
): Promise<void> {
  const { vault } = deps;
  const now = () => deps.clock.now();
  return deps.db.write(scope, async (tx) => {
    const requests = rows.map((row) => {
      return { ...openOrder(vault, batchId, row), idempotencyKey: row.idempotencyKey };
    });
    const rebuild: RebuildAnswer = (_tx, one) =>
      rebuildPaymentAnswer(vault, tx, scope, one.resourceId);
    const { at, states } = await openKeys({ vault, now, rebuild }, tx, scope, requests);
    const judged = rows.map((row, index): JudgedItem => {
      const state: KeyState | undefined = states[index];
      if (state?.kind === 'BOUND') return acceptedItem(row.itemIndex, paymentOf(state.answer));
      const refusal = state?.kind === 'REFUSED' ? state.refusal : stop;
      return refusedItem(vault, batchId, row, refusal, at);
    });
    await recordItems(tx, scope, batchId, judged, at);
  });
}
