import type { Database } from '../../db/client/database.ts';
import { lockCrediting } from '../../db/ledger/early-reversal-store.ts';
import { lockPayments, type PaymentRow } from '../../db/payments/payment-store.ts';
import {
  markLinesProcessed,
  readLinesToApply,
  type AppliedLine,
  type LineToApply,
} from '../../db/reconciliation/statement-line-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import { isSettledOrFinal } from '../../domain/payments/payment-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import { readLocked } from '../payments/lock-payment.ts';
import { applyLine } from './apply-line.ts';

/** A line that was applied, and its payment before the first line of its batch and after this one. */
interface AppliedWithin extends AppliedLine {
  readonly before: PaymentRow;
  readonly after: PaymentRow;
}

const CHUNK_LINES = 200;
/** Payments of a customer that are changed in one transaction: fewer round trips, short locks. */
const BATCH_PAYMENTS = 25;
/** Transactions at once: each is a connection of the pool that the process shares. */
const BATCHES_AT_ONCE = 4;
/** One line that cannot be applied must not stop the others; many mean that something else is broken. */
const FAULTS_MAX = 20;

export interface ApplyLinesDeps extends Pick<WorkflowClient, 'wakePayment'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly heartbeat: (line: number) => void;
}

/**
 * Applies the judged lines of a statement to their payments, some in each short transaction, lines of
 * one payment in their order. A line is marked only after its payment has committed, so a worker
 * that dies in between leaves it to the next one, which finds nothing left to change. Lines that fail are left
 * open and their first error is thrown at the end.
 */
export async function applyLines(deps: ApplyLinesDeps, statement: StatementRow): Promise<void> {
  const faults: unknown[] = [];
  for (let after = 0; ;) {
    const chunk = await deps.db.system((tx) =>
      readLinesToApply(tx, statement.id, after, CHUNK_LINES),
    );
    const last = chunk.at(-1);
    if (last === undefined) break;
    const applied = await applyChunk(deps, statement, chunk, faults);
    await finishChunk(deps, statement, applied);
    deps.heartbeat(last.line);
    after = last.line;
  }
  if (faults.length > 0) throw faults[0];
}

async function applyChunk(
  deps: ApplyLinesDeps,
  statement: StatementRow,
  chunk: readonly LineToApply[],
  faults: unknown[],
): Promise<AppliedWithin[]> {
  const applied: AppliedWithin[] = [];
  const waiting = intoBatches(chunk).values();
  const work = async (): Promise<void> => {
    for (const batch of waiting) {
      applied.push(...(await applyBatch(deps, statement, batch, faults)));
      if (faults.length > FAULTS_MAX) throw faults[0];
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
  return applied;
}

/** Lines of one customer, those of one payment together and in their order. */
interface Batch {
  readonly customerId: string;
  readonly byPayment: Map<string, LineToApply[]>;
}

/** A return waits for what decides credits of the bank: only other returns wait with it. */
function intoBatches(chunk: readonly LineToApply[]): Batch[] {
  const returned = new Set(
    chunk.filter(({ isReturn }) => isReturn).map(({ paymentId }) => paymentId),
  );
  const open = new Map<string, Batch>();
  const full: Batch[] = [];
  const homes = new Map<string, Batch>();
  for (const line of chunk) {
    const { customerId, paymentId } = line;
    const group = `${customerId} ${String(returned.has(paymentId))}`;
    const batch = homes.get(paymentId) ??
      open.get(group) ?? { customerId, byPayment: new Map<string, LineToApply[]>() };
    homes.set(paymentId, batch);
    batch.byPayment.set(paymentId, [...(batch.byPayment.get(paymentId) ?? []), line]);
    if (batch.byPayment.size < BATCH_PAYMENTS) open.set(group, batch);
    else if (open.get(group) === batch) {
      open.delete(group);
      full.push(batch);
    }
  }
  return [...full, ...open.values()];
}

/** All in one transaction; where that fails, each payment in its own, so that one stops no other. */
async function applyBatch(
  deps: ApplyLinesDeps,
  statement: StatementRow,
  { customerId, byPayment }: Batch,
  faults: unknown[],
): Promise<AppliedWithin[]> {
  const scope: Scope = { customerId, environment: statement.environment };
  const payments = [...byPayment];
  try {
    return await applyTogether(deps, statement, scope, payments);
  } catch (error) {
    if (payments.length === 1) {
      faults.push(error);
      return [];
    }
  }
  const applied: AppliedWithin[] = [];
  for (const payment of payments) {
    try {
      applied.push(...(await applyTogether(deps, statement, scope, [payment])));
    } catch (error) {
      faults.push(error);
      if (faults.length > FAULTS_MAX) throw error;
    }
  }
  return applied;
}

async function applyTogether(
  deps: ApplyLinesDeps,
  statement: StatementRow,
  scope: Scope,
  payments: readonly (readonly [string, readonly LineToApply[]])[],
): Promise<AppliedWithin[]> {
  const applied = await deps.db.write(scope, async (tx) => {
    const ids = payments.map(([paymentId]) => paymentId);
    const locked = new Map((await lockPayments(tx, scope, ids)).map((row) => [row.id, row]));
    // Before any balance, as every act about a credit does.
    const hasReturn = payments.some(([, lines]) => lines.some(({ isReturn }) => isReturn));
    if (hasReturn) await lockCrediting(tx, statement);
    const now = deps.clock.now();
    const results: AppliedWithin[] = [];
    for (const [paymentId, lines] of payments) {
      const before = locked.get(paymentId);
      if (before === undefined) throw new Error(`there is no payment ${paymentId} in its scope`);
      let current = await readLocked(tx, scope, before, { corridors: deps.corridors, now });
      for (const line of lines) {
        const { after, ...result } = await applyLine(current, statement, line);
        current = after;
        results.push({ ...result, before, after: after.payment });
      }
    }
    return results;
  });
  for (const { before, after, line } of applied) {
    if (after.version === before.version || isSettledOrFinal(before.status)) continue;
    const ref = { ...scope, paymentId: after.id };
    const reportId = `${String(statement.id)}/${String(line)}`;
    // The reconciler repeats a wake that got lost.
    await deps.wakePayment(before.workflowId, ref, reportId).catch(() => undefined);
  }
  return applied;
}

async function finishChunk(
  deps: ApplyLinesDeps,
  statement: StatementRow,
  applied: readonly AppliedWithin[],
): Promise<void> {
  if (applied.length === 0) return;
  await deps.db.system((tx) => markLinesProcessed(tx, statement.id, applied, deps.clock.now()));
}
