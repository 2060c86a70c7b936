import {
  insertStatementLines,
  type NewStatementLine,
} from '../../db/reconciliation/statement-line-store.ts';
import {
  beginStatementReading,
  saveStatementReading,
  type StatementRow,
} from '../../db/reconciliation/statement-store.ts';
import { StatementUnreadable } from '../../domain/reconciliation/statement-unreadable.ts';
import { raiseStatementAlarms, type RaiseAlarmsDeps } from './raise-alarms.ts';
import { createStatementChecks } from './statement-checks.ts';
import { lineToStore } from './statement-line.ts';
import type { StatementPiece } from '../../domain/reconciliation/statement-piece.ts';

const BATCH_LINES = 1_000;

interface ReadStatementDeps extends RaiseAlarmsDeps {
  /** Told of every line. */
  readonly heartbeat: (line: number) => void;
}

/**
 * READ: stored and ready to be reconciled. UNREADABLE: none of its lines is acted upon; `times` is
 * how often it was so by now. SUPERSEDED: another run has begun to read it since, and stored it instead.
 */
type ReadingOutcome =
  | { readonly kind: 'READ' | 'SUPERSEDED' }
  | { readonly kind: 'UNREADABLE'; readonly times: number };

/**
 * Stores the lines of a statement as its pieces arrive, in place of whatever an earlier reading left,
 * and what is wrong with it. A statement that was read whole before is left alone. A broken file
 * (StatementUnreadable) makes it UNREADABLE; other faults are thrown on. The next call begins at the
 * first line.
 */
export async function readStatement(
  deps: ReadStatementDeps,
  statement: StatementRow,
  openPieces: () => AsyncIterable<StatementPiece>,
): Promise<ReadingOutcome> {
  const number = await deps.db.system((tx) => beginStatementReading(tx, statement.id));
  if (number === null) return { kind: 'READ' };
  const checks = createStatementChecks();
  let lineCount: number | null = 0;
  let status: 'READ' | 'UNREADABLE' = 'READ';
  try {
    lineCount = await storeLines(deps, statement, number, openPieces(), checks);
  } catch (error) {
    if (!(error instanceof StatementUnreadable)) throw error;
    const { problem, line, column } = error;
    status = 'UNREADABLE';
    checks.add({ code: 'UNREADABLE', problem, line, column });
  }
  if (lineCount === null) return { kind: 'SUPERSEDED' };
  // What was noticed when it was listed stays; what an earlier reading found is found again.
  const gaps = statement.problems.filter(({ code }) => code.startsWith('SEQUENCE_'));
  const reading = {
    number,
    status,
    lineCount,
    currencies: checks.currencies(),
    problems: [...gaps, ...checks.problems()],
    report: checks.report(),
    unproven: checks.unproven(),
  };
  const saved = await deps.db.system((tx) => saveStatementReading(tx, statement.id, reading));
  if (saved === null) return { kind: 'SUPERSEDED' };
  await raiseStatementAlarms(deps, statement);
  return status === 'READ' ? { kind: status } : { kind: status, times: saved.unreadableReadings };
}

/** Answers how many lines there were; null once another reading has begun. */
async function storeLines(
  deps: ReadStatementDeps,
  statement: StatementRow,
  reading: number,
  pieces: AsyncIterable<StatementPiece>,
  checks: ReturnType<typeof createStatementChecks>,
): Promise<number | null> {
  let batch: NewStatementLine[] = [];
  let lineCount = 0;
  const flush = (): Promise<boolean> => {
    const lines = batch;
    batch = [];
    return deps.db.system((tx) => insertStatementLines(tx, statement, reading, lines));
  };
  for await (const piece of pieces) {
    checks.take(piece);
    if (piece.kind !== 'line') continue;
    lineCount += 1;
    deps.heartbeat(piece.lineNumber);
    batch.push(lineToStore(piece));
    if (batch.length >= BATCH_LINES && !(await flush())) return null;
  }
  return (await flush()) ? lineCount : null;
}
