import type { Database } from '../../../db/client/database.ts';
import {
  readPendingItems,
  recordItems,
  type BatchItemRow,
} from '../../../db/payments/payment-batch-item-store.ts';
import {
  beginRun,
  readSender,
  type BatchRun,
} from '../../../db/payments/payment-batch-run-store.ts';
import type { Scope } from '../../../domain/scope.ts';
import { createAcceptPayment, type AcceptDeps, type Acceptance } from '../accept-payment.ts';
import { completePaymentBatch } from './complete-payment-batch.ts';
import { databaseOfRun, SupersededRun } from './held-run.ts';
import { judgeItem, type JudgeItemDeps } from './judge-item.ts';
import { findStop, refuseItems } from './refuse-rest.ts';

/** Items that are judged at a time: as many as one transaction accepts. */
const CHUNK = 25;

/** So long one run works, in ms: then batches that came later have their turn. */
const TURN_MS = 10_000;

/** Between two chunks a batch rests as long as the last one took, within these bounds, in ms. */
const REST_MIN_MS = 20;
const REST_MAX_MS = 1_000;

export interface JudgeBatchDeps extends AcceptDeps, Pick<JudgeItemDeps, 'onFault'> {
  /** Starts a payment's workflow. What fails here, the reconciler makes up for. */
  readonly startPayment: (scope: Scope, payment: Acceptance, requestId: string) => Promise<void>;
  readonly pause: (ms: number) => Promise<void>;
}

/** How far a turn came. */
export type BatchProgress =
  | { readonly kind: 'DONE' }
  /** Its time was over; the next turn begins behind this index. */
  | { readonly kind: 'MORE'; readonly after: number }
  /** Every item was tried, and some wait for an error to pass. */
  | { readonly kind: 'WAITING' };

/**
 * Takes a turn of a batch: judges its pending items behind an index in the order of the request, 25 at
 * a time, starts the payments' workflows and, once no item is pending, completes the batch. May be
 * killed anywhere and run twice: an item's key says whether its payment exists.
 */
export async function judgePaymentBatch(
  deps: JudgeBatchDeps,
  scope: Scope,
  batchId: string,
  afterIndex: number,
): Promise<BatchProgress> {
  const batch = await deps.db.write(scope, (tx) => beginRun(tx, scope, batchId, deps.clock.now()));
  if (batch === null) return { kind: 'DONE' };
  const own = { ...deps, db: databaseOfRun(deps.db, batch) };
  const acceptPayment = createAcceptPayment(own);
  const beganAt = deps.clock.now().getTime();
  let after = afterIndex;
  for (;;) {
    const chunkAt = deps.clock.now().getTime();
    const { rows, sender } = await readChunk(deps.db, scope, batchId, after);
    const last = rows.at(-1);
    if (last === undefined) break;
    const stop = findStop(sender, scope);
    if (stop !== null) await refuseItems(own, scope, batch, rows, stop);
    else await judgeChunk({ ...own, acceptPayment }, scope, batch, rows);
    after = last.itemIndex;
    const now = deps.clock.now().getTime();
    if (now - beganAt >= TURN_MS) return { kind: 'MORE', after };
    await deps.pause(Math.min(Math.max(now - chunkAt, REST_MIN_MS), REST_MAX_MS));
  }
  if (await completePaymentBatch(deps, scope, batch)) return { kind: 'DONE' };
  return { kind: 'WAITING' };
}

const readChunk = (db: Database, scope: Scope, batchId: string, after: number) =>
  db.read(scope, async (tx) => {
    const rows = await readPendingItems(tx, scope, { batchId, after }, CHUNK);
    return { rows, sender: await readSender(tx, scope, batchId) };
  });

async function judgeChunk(
  deps: JudgeBatchDeps & JudgeItemDeps,
  scope: Scope,
  batch: BatchRun,
  rows: readonly BatchItemRow[],
): Promise<void> {
  const at = deps.clock.now();
  const outcomes = await Promise.allSettled(
    rows.map((row) => judgeItem(deps, scope, batch, row, at)),
  );
  const judged = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  // None is under way any more when this throws.
  if (judged.length < rows.length) throw new SupersededRun();
  await deps.db.write(scope, (tx) =>
    recordItems(
      tx,
      scope,
      batch.id,
      judged.map(({ item }) => item),
      at,
    ),
  );
  const accepted = judged.flatMap((one) => one.accepted ?? []);
  await Promise.allSettled(
    accepted.map((payment) => deps.startPayment(scope, payment, batch.requestId)),
  );
}
