import type { BatchItemRow, JudgedItem } from '../../../db/payments/payment-batch-item-store.ts';
import { isDatabaseOutage } from '../../../db/client/outage.ts';
import type { BatchRun } from '../../../db/payments/payment-batch-run-store.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { ERRORS } from '../../../domain/errors/registry.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Answer } from '../../idempotency/open-keys.ts';
import type { AcceptPayment, Acceptance } from '../accept-payment.ts';
import type { Vault } from '../../../vault/vault.ts';
import { SupersededRun } from './held-run.ts';
import { openOrder, sealError } from './sealed-item.ts';

/** For how long an item is tried again where an error may pass, from its first one. */
const GIVE_UP_AFTER_MS = 15 * 60_000;

/** What became of an item, and the payment whose workflow is to be started. */
export interface Judgement {
  readonly item: JudgedItem;
  readonly accepted: Acceptance | null;
}

export interface JudgeItemDeps {
  readonly vault: Vault;
  readonly acceptPayment: AcceptPayment;
  /** A fault of our own; the item is tried again. */
  readonly onFault: (about: { batchId: string; itemIndex: number }, error: unknown) => void;
}

/**
 * Has an item accepted or refused exactly as POST /payments would. An error that may pass leaves it
 * PENDING; after 15 minutes of them it is refused with the last one. An outage of the database has no
 * such end, for then it is not known whether the payment was made. Throws SupersededRun alone.
 */
export async function judgeItem(
  deps: JudgeItemDeps,
  scope: Scope,
  { id: batchId, actor, requestId }: BatchRun,
  row: BatchItemRow,
  at: Date,
): Promise<Judgement> {
  const { idempotencyKey, itemIndex } = row;
  try {
    const read = openOrder(deps.vault, batchId, row);
    const request = { ...read, idempotencyKey, actor, requestId };
    const answer = await deps.acceptPayment(scope, request);
    const paymentId = answer.isReplay ? paymentOf(answer) : answer.paymentId;
    return { item: acceptedItem(itemIndex, paymentId), accepted: answer.isReplay ? null : answer };
  } catch (error) {
    if (error instanceof SupersededRun) throw error;
    if (isDatabaseOutage(error)) return { item: waiting(itemIndex), accepted: null };
    if (!(error instanceof Refusal)) deps.onFault({ batchId, itemIndex }, error);
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('internal_error', ERRORS.internal_error.description);
    const item = refusedItem(deps.vault, batchId, row, refusal, at);
    return { item, accepted: null };
  }
}

/** The payment that an answer to POST /payments tells of. */
export const paymentOf = ({ text }: Answer): string => (JSON.parse(text) as { id: string }).id;

export const acceptedItem = (itemIndex: number, paymentId: string): JudgedItem => ({
  ...{ itemIndex, state: 'ACCEPTED', sealed: null, paymentId, error: null },
});

const waiting = (itemIndex: number): JudgedItem => ({
  ...{ itemIndex, state: 'PENDING', sealed: null, paymentId: null, error: null },
});

/** REFUSED, or PENDING where the error may pass and has not lasted for long. */
export function refusedItem(
  vault: Vault,
  batchId: string,
  { itemIndex, waitingSince }: Pick<BatchItemRow, 'itemIndex' | 'waitingSince'>,
  refusal: Refusal,
  at: Date,
): JudgedItem {
  const waitedMs = at.getTime() - (waitingSince ?? at).getTime();
  if (ERRORS[refusal.code].retryable && waitedMs < GIVE_UP_AFTER_MS) return waiting(itemIndex);
  const sealed = sealError(vault, { batchId, itemIndex }, refusal);
  return { itemIndex, state: 'REFUSED', sealed, paymentId: null, error: refusal.code };
}
