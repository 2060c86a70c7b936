import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow';
import type { Environment } from '../src/domain/scope.ts';
import type { ReconciliationActivities } from '../activities/types.ts';
import type { StatementRef } from '../src/domain/workflows/work-refs.ts';
import { STATEMENT_LIST } from './options.ts';
import { reconcile } from './reconcile.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

/** Lists the bank's new statements and starts a reconciliation for each that has none under way. */
export async function statementFetch(environment: Environment): Promise<void> {
  const { listStatements } = proxyActivities<ReconciliationActivities>({
    ...STATEMENT_LIST,
    taskQueue: TASK_QUEUES.reconciliation[environment],
  });
  for (const statement of await listStatements(environment)) await startReconciliation(statement);
}

async function startReconciliation(statement: StatementRef): Promise<void> {
  try {
    await startChild(reconcile, {
      args: [statement],
      workflowId: `reconcile/${statement.environment}/${statement.connector}/${statement.statementId}`,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      // What is listed has work left, also where it was reconciled before: its sums may have been accepted since.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
