import type { Database } from '../../db/client/database.ts';
import {
  lockLinesToAlarm,
  lockStatementsToAlarm,
  markLinesAlarmed,
  markStatementsAlarmed,
} from '../../db/reconciliation/statement-exception-store.ts';
import type {
  StatementOrigin,
  StatementProblemRow,
  StatementRow,
} from '../../db/reconciliation/statement-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { RaiseAlarm, ReconciliationAlarmKind } from './reconciliation-alarm.ts';

const PAGE_LINES = 500;
const PAGE_STATEMENTS = 50;

export interface RaiseAlarmsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly alarm: RaiseAlarm;
}

const ALARMS: Readonly<Record<string, ReconciliationAlarmKind>> = {
  SEQUENCE_GAP: 'SEQUENCE_GAP',
  SEQUENCE_JUMP: 'SEQUENCE_JUMP',
  SEQUENCE_RESTART: 'SEQUENCE_RESTART',
  UNREADABLE: 'STATEMENT_UNREADABLE',
  ENTRY_UNREADABLE: 'ENTRIES_UNREADABLE',
  BALANCE_MISMATCH: 'BALANCE_MISMATCH',
  BATCH_MISMATCH: 'BATCH_MISMATCH',
};

/**
 * Gives the alarm of each exception of a statement that has none yet, and marks it: after a crash in
 * between it is given again, and none is lost.
 */
export async function raiseLineAlarms(
  { db, clock, alarm }: RaiseAlarmsDeps,
  { id, environment, connector, bankStatementId }: StatementRow,
): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await db.system(async (tx) => {
      const lines = await lockLinesToAlarm(tx, id, PAGE_LINES);
      for (const facts of lines) {
        alarm({ kind: 'EXCEPTION', environment, connector, bankStatementId, ...facts });
      }
      if (lines.length === 0) return false;
      const numbers = lines.map(({ line }) => line);
      await markLinesAlarmed(tx, id, numbers, clock.now());
      return lines.length === PAGE_LINES;
    });
  }
}

/** The same for what is wrong with statements themselves: one alarm for each kind of problem. */
export async function raiseStatementAlarms(
  { db, clock, alarm }: RaiseAlarmsDeps,
  { environment, connector }: StatementOrigin,
): Promise<void> {
  for (let isMore = true; isMore;) {
    isMore = await db.system(async (tx) => {
      const origin = { environment, connector };
      const statements = await lockStatementsToAlarm(tx, origin, PAGE_STATEMENTS);
      for (const { bankStatementId, problems } of statements) {
        for (const facts of alarmsOf(problems)) alarm({ ...facts, ...origin, bankStatementId });
      }
      if (statements.length === 0) return false;
      const ids = statements.map(({ id }) => id);
      await markStatementsAlarmed(tx, ids, clock.now());
      return statements.length === PAGE_STATEMENTS;
    });
  }
}

type AlarmFacts = Readonly<Record<string, string | number>> & {
  readonly kind: ReconciliationAlarmKind;
};

function alarmsOf(problems: readonly StatementProblemRow[]): AlarmFacts[] {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  // Not all are kept where there are many; then their numbers are.
  const all = problems.find(({ code }) => code === 'MORE_PROBLEMS')?.['counts'];
  for (const [code, count] of Object.entries(all ?? {})) counts.set(code, Number(count));
  return [...counts].flatMap(([code, count]): AlarmFacts[] => {
    const kind = ALARMS[code];
    if (kind === undefined) return [];
    if (!kind.startsWith('SEQUENCE_')) return [{ kind, count }];
    const gap = problems.find((problem) => problem.code === code);
    return [{ kind, after: String(gap?.['after']), before: String(gap?.['before']) }];
  });
}
