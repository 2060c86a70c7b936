import {
  findKnownStatements,
  findNumbering,
  insertStatement,
  lockListing,
  type ListedStatement,
  type StatementOrigin,
} from '../../db/reconciliation/statement-store.ts';
import {
  placeStatement,
  type NumberingHead,
  type StatementPlace,
} from '../../domain/reconciliation/statement-numbering.ts';
import { raiseStatementAlarms, type RaiseAlarmsDeps } from './raise-alarms.ts';

/** A statement as a bank's list names it. */
export type ListedByBank = Omit<ListedStatement, 'problems'>;

const PROBLEMS: Readonly<Partial<Record<StatementPlace, string>>> = {
  GAP: 'SEQUENCE_GAP',
  JUMP: 'SEQUENCE_JUMP',
  RESTART: 'SEQUENCE_RESTART',
};

/**
 * Stores the statements of one list, given in ascending order of sequence, each once. What is odd about
 * a number is remembered with its statement and raises an alarm: a gap before it, a numbering that
 * begins anew (a series of its own), or a jump that is not credible (refused). Statements that fill an
 * old gap are simply taken. Answers how many were new and taken.
 */
export async function storeListed(
  deps: RaiseAlarmsDeps,
  origin: StatementOrigin,
  listed: readonly ListedByBank[],
): Promise<number> {
  if (listed.length === 0) return 0;
  const now = deps.clock.now();
  let taken = 0;
  const conflicts: ListedByBank[] = [];
  await deps.db.system(async (tx) => {
    await lockListing(tx, origin);
    const ids = listed.map(({ bankStatementId }) => bankStatementId);
    const known = await findKnownStatements(tx, origin, ids);
    const numbering = await findNumbering(tx, origin);
    let series = numbering?.series ?? 1;
    let head: NumberingHead | null = numbering;
    for (const statement of listed) {
      const { bankStatementId, sequence, toAt } = statement;
      const knownSequence = known.get(bankStatementId);
      if (knownSequence !== undefined) {
        if (knownSequence !== sequence) conflicts.push(statement);
        continue;
      }
      const place = placeStatement(statement, head);
      if (place === 'RESTART') series += 1;
      const code = PROBLEMS[place];
      const facts = { after: String(head?.sequence), before: String(sequence) };
      const problems = code === undefined ? [] : [{ code, ...facts }];
      const status = place === 'JUMP' ? 'REFUSED' : 'LISTED';
      const added = { ...statement, series, status, problems } as const;
      const id = await insertStatement(tx, origin, added, now);
      if (id === null) conflicts.push(statement);
      if (id === null || place === 'JUMP') continue;
      taken += 1;
      const latest = head?.toAt ?? toAt;
      head = {
        sequence: place === 'OLD' && head !== null ? head.sequence : sequence,
        toAt: latest > toAt ? latest : toAt,
      };
    }
  });
  for (const { bankStatementId, sequence } of conflicts) {
    const facts = { bankStatementId, sequence: String(sequence) };
    deps.alarm({ kind: 'STATEMENT_CONFLICT', ...origin, ...facts });
  }
  await raiseStatementAlarms(deps, origin);
  return taken;
}
