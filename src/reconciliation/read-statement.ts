import type { Database } from '../db/database.ts';
import { insertStatementLines, type NewStatementLine } from '../db/statement-line-store.ts';
import { saveStatementReading, type StatementRow } from '../db/statement-store.ts';
import type { RaiseAlarm, ReconciliationAlarmKind } from './reconciliation-alarm.ts';
import { createStatementChecks } from './statement-checks.ts';
import { lineToStore } from './statement-line.ts';
import type { StatementPiece } from './statement-piece.ts';

const BATCH_LINES = 1_000;

export interface ReadStatementDeps {
  readonly db: Database;
  readonly alarm: RaiseAlarm;
  /** Told of every line. */
  readonly heartbeat: (line: number) => void;
}

/** The file cannot be read, now or ever: a code, and where. */
export interface Unreadable {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
}

const ALARMS: Readonly<Record<string, ReconciliationAlarmKind>> = {
  UNREADABLE: 'STATEMENT_UNREADABLE',
  ENTRY_UNREADABLE: 'ENTRIES_UNREADABLE',
  BALANCE_MISMATCH: 'BALANCE_MISMATCH',
  BATCH_MISMATCH: 'BATCH_MISMATCH',
};

/**
 * Stores the lines of a statement as its pieces arrive, each once, and what is wrong with it. A
 * statement that was read whole before is left alone. Where `judgeFault` takes what the pieces threw
 * for a broken file, the statement is UNREADABLE: none of its lines is acted upon. Other faults are
 * thrown on; the next try begins at the first line again and stores nothing twice.
 */
export async function readStatement(
  deps: ReadStatementDeps,
  statement: StatementRow,
  openPieces: () => AsyncIterable<StatementPiece>,
  judgeFault: (error: unknown) => Unreadable | null,
): Promise<void> {
  if (statement.status === 'READ' || statement.status === 'RECONCILED') return;
  const checks = createStatementChecks();
  let lineCount = 0;
  let status: 'READ' | 'UNREADABLE' = 'READ';
  try {
    lineCount = await storeLines(deps, statement, openPieces(), checks);
  } catch (error) {
    const unreadable = judgeFault(error);
    if (unreadable === null) throw error;
    status = 'UNREADABLE';
    checks.add({ code: 'UNREADABLE', ...unreadable });
  }
  // What was noticed when it was listed stays; what an earlier reading found is found again.
  const gaps = statement.problems.filter(({ code }) => code === 'SEQUENCE_GAP');
  const reading = {
    status,
    lineCount,
    currencies: checks.currencies(),
    problems: [...gaps, ...checks.problems()],
  };
  const isOurs = await deps.db.system((tx) => saveStatementReading(tx, statement.id, reading));
  if (!isOurs) return;
  const { environment, rail, bankStatementId } = statement;
  for (const { code, count } of checks.counts()) {
    const kind = ALARMS[code];
    if (kind !== undefined) deps.alarm({ kind, environment, rail, bankStatementId, count });
  }
}

/** Answers how many lines there were. */
async function storeLines(
  deps: ReadStatementDeps,
  statement: StatementRow,
  pieces: AsyncIterable<StatementPiece>,
  checks: ReturnType<typeof createStatementChecks>,
): Promise<number> {
  let batch: NewStatementLine[] = [];
  let lineCount = 0;
  const flush = async (): Promise<void> => {
    const lines = batch;
    batch = [];
    if (lines.length === 0) return;
    await deps.db.system((tx) => insertStatementLines(tx, statement, lines));
  };
  for await (const piece of pieces) {
    checks.take(piece);
    if (piece.kind !== 'line') continue;
    lineCount += 1;
    deps.heartbeat(piece.lineNumber);
    batch.push(lineToStore(piece));
    if (batch.length >= BATCH_LINES) await flush();
  }
  await flush();
  return lineCount;
}
