import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { ReconciliationActivities, StatementRef } from '../activities/types.ts';
import { RECONCILE } from './options.ts';

const { readStatement, reconcileStatement } = proxyActivities<ReconciliationActivities>(RECONCILE);

/**
 * One bank statement: its lines are stored, each once, and then matched with what we sent. Both steps
 * may be repeated from any line.
 */
export async function reconcile(statement: StatementRef): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    await readStatement(statement);
    await reconcileStatement(statement);
  });
}
