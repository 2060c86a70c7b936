import { finishStatement, type StatementRow } from '../../db/reconciliation/statement-store.ts';
import { applyCredits, type ApplyCreditsDeps } from '../ledger/funding/apply-credits.ts';
import { applyLines, type ApplyLinesDeps } from './apply-lines.ts';
import { findMissing, type FindMissingDeps } from './find-missing.ts';
import { judgeSlice } from './judge-slice.ts';
import { raiseLineAlarms } from './raise-alarms.ts';

type ReconcileDeps = ApplyLinesDeps & ApplyCreditsDeps & FindMissingDeps;

/**
 * Matches a statement that was read with what we sent, slice by slice, and looks for payouts that it
 * should have shown. It may be called again at any point, or twice at once: what was judged stays
 * judged, what was applied is not applied again. A statement that could not be read changes nothing.
 * Answers whether it is done. Throws the first error of its credits once everything else is done.
 */
export async function reconcileStatement(
  deps: ReconcileDeps,
  statement: StatementRow,
): Promise<boolean> {
  if (statement.status !== 'READ' && statement.status !== 'RECONCILED') return false;
  let faults: unknown[];
  for (;;) {
    const judged = await judgeSlice(deps, statement);
    await applyLines(deps, statement);
    faults = await applyCredits(deps, statement);
    await raiseLineAlarms(deps, statement);
    if (judged === 0) break;
  }
  if (faults.length > 0) throw faults[0];
  const { environment, connector } = statement;
  const isDone = await deps.db.system((tx) => finishStatement(tx, statement.id, deps.clock.now()));
  if (isDone) await findMissing(deps, { environment, connector });
  return isDone;
}
