import {
  findLastSequence,
  insertStatement,
  type ListedStatement,
  type StatementOrigin,
} from '../db/statement-store.ts';
import { raiseStatementAlarms, type RaiseAlarmsDeps } from './raise-alarms.ts';

/** A statement as a bank's list names it. */
export type ListedByBank = Omit<ListedStatement, 'problems'>;

/**
 * Stores the statements of one list, given in ascending order of sequence, each once. A jump beyond
 * the highest known sequence is remembered with the statement after the gap, and raises an alarm;
 * statements that fill an old gap are simply taken.
 */
export async function storeListed(
  deps: RaiseAlarmsDeps,
  origin: StatementOrigin,
  listed: readonly ListedByBank[],
): Promise<void> {
  if (listed.length === 0) return;
  const now = deps.clock.now();
  const stored = await deps.db.system(async (tx) => {
    let last = await findLastSequence(tx, origin);
    const results = [];
    for (const statement of listed) {
      const { sequence } = statement;
      const isAfterGap = last !== null && sequence > last + 1n;
      const gap = { code: 'SEQUENCE_GAP', after: String(last), before: String(sequence) };
      const problems = isAfterGap ? [gap] : [];
      const result = await insertStatement(tx, origin, { ...statement, problems }, now);
      results.push({ statement, result });
      if (last === null || sequence > last) last = sequence;
    }
    return results;
  });
  for (const { statement, result } of stored) {
    const { bankStatementId } = statement;
    if (result.kind === 'CONFLICT') {
      const sequence = String(statement.sequence);
      deps.alarm({ kind: 'STATEMENT_CONFLICT', ...origin, bankStatementId, sequence });
    }
  }
  await raiseStatementAlarms(deps, origin);
}
