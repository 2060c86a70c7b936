import type { Database } from '../db/database.ts';
import {
  markLinesProcessed,
  readLinesToApply,
  type LineToApply,
} from '../db/statement-line-store.ts';
import type { StatementRow } from '../db/statement-store.ts';
import type { Clock } from '../domain/clock.ts';
import { isSettledOrFinal } from '../domain/payments/payment-states.ts';
import type { Scope } from '../domain/scope.ts';
import { applyLine, type LineApplied } from './apply-line.ts';
import type { RaiseAlarm } from './reconciliation-alarm.ts';

const CHUNK_LINES = 200;
/** Payments changed at once: each is a connection of the pool that everybody shares. */
const PAYMENTS_AT_ONCE = 4;
/** One line that cannot be applied must not stop the others; many mean that something else is broken. */
const FAULTS_MAX = 20;

/** Wakes the workflow that waits for a payment; see WorkflowStarter. */
export type RingPayment = (
  workflowId: string,
  payment: Scope & { readonly paymentId: string },
  reportId: string,
) => Promise<void>;

export interface ApplyLinesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly alarm: RaiseAlarm;
  readonly heartbeat: (line: number) => void;
  readonly ringPayment: RingPayment;
}

/**
 * Applies the judged lines of a statement to their payments, each in its own short transaction, lines
 * of one payment in their order. A line is marked only after its payment has committed, so whoever
 * dies in between leaves it to the next, which finds nothing left to change. Lines that fail are left
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
): Promise<LineApplied[]> {
  const byPayment = new Map<string, LineToApply[]>();
  for (const line of chunk) {
    const lines = byPayment.get(line.paymentId);
    if (lines === undefined) byPayment.set(line.paymentId, [line]);
    else lines.push(line);
  }
  const applied: LineApplied[] = [];
  const waiting = byPayment.values();
  const work = async (): Promise<void> => {
    for (const lines of waiting) {
      try {
        for (const line of lines) applied.push(await applyOne(deps, statement, line));
      } catch (error) {
        faults.push(error);
        if (faults.length > FAULTS_MAX) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: PAYMENTS_AT_ONCE }, work));
  return applied;
}

async function applyOne(
  deps: ApplyLinesDeps,
  statement: StatementRow,
  line: LineToApply,
): Promise<LineApplied> {
  const { environment } = statement;
  const scope: Scope = { customerId: line.customerId, environment };
  const applied = await deps.db.write(scope, (tx) =>
    applyLine(tx, scope, statement, line, deps.clock.now()),
  );
  const { before, after } = applied;
  if (after.version > before.version && !isSettledOrFinal(before.status)) {
    const ref = { ...scope, paymentId: line.paymentId };
    const reportId = `${String(statement.id)}/${String(line.line)}`;
    // A lost bell is repeated by the sweep.
    await deps.ringPayment(before.workflowId, ref, reportId).catch(() => undefined);
  }
  return applied;
}

async function finishChunk(
  deps: ApplyLinesDeps,
  statement: StatementRow,
  applied: readonly LineApplied[],
): Promise<void> {
  if (applied.length === 0) return;
  const marked = await deps.db.system((tx) =>
    markLinesProcessed(tx, statement.id, applied, deps.clock.now()),
  );
  const { environment, rail, bankStatementId } = statement;
  for (const { line, exception, after } of applied) {
    if (exception === null || !marked.has(line)) continue;
    const facts = { exception, line, paymentId: after.id };
    deps.alarm({ kind: 'EXCEPTION', environment, rail, bankStatementId, ...facts });
  }
}
