import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { ReconciliationActivities } from '../activities/types.ts';
import type { StatementRef } from '../src/domain/workflows/work-refs.ts';
import { RECONCILE } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

/**
 * One bank statement: its lines are stored, each once, and then matched with what we sent. Both steps
 * may be repeated from any line.
 */
export async function reconcile(statement: StatementRef): Promise<void> {
  const { readStatement, reconcileStatement } = proxyActivities<ReconciliationActivities>({
    ...RECONCILE,
    taskQueue: TASK_QUEUES.reconciliation[statement.environment],
  });
  await CancellationScope.nonCancellable(async () => {
    await readStatement(statement);
    await reconcileStatement(statement);
  });
}
