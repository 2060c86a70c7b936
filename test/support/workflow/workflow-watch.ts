import { WorkflowNotFoundError } from '@temporalio/client';
import { newId } from '../../../src/db/client/new-id.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import type { TestTemporal } from '../temporal.ts';
import { until } from '../until.ts';

/** What an operator sees of workflows, and sends to them. */
export function createWorkflowWatch(temporal: TestTemporal) {
  const watch = {
    handle: (workflowId: string) => temporal.client.workflow.getHandle(workflowId),

    /** Waits until a workflow has been started and has ended; answers its history. */
    async historyOf(workflowId: string) {
      const handle = watch.handle(workflowId);
      await until(`the end of ${workflowId}`, async () => {
        const { status } = await handle.describe().catch(absent);
        return status.name === 'RUNNING' || status.name === 'ABSENT' ? null : true;
      });
      return handle.fetchHistory();
    },

    /** Ids of the workflows whose id begins so, whatever their state. */
    async workflowsBelow(prefix: string) {
      const found = [];
      const query = `WorkflowId STARTS_WITH "${prefix}"`;
      for await (const one of temporal.client.workflow.list({ query })) found.push(one);
      return found;
    },

    /** Runs a workflow of a schedule now, to its end. */
    run: (workflowType: string, args: unknown[] = []) =>
      temporal.client.workflow.execute(workflowType, {
        workflowId: newId('run'),
        taskQueue: TASK_QUEUES.engine,
        args,
      }),

    /** What an operator sends, as Temporal UI or the CLI would. */
    resolve: (workflowId: string, resolution: object): Promise<unknown> =>
      watch.handle(workflowId).executeUpdate('resolve', { args: [resolution] }),
  };
  return watch;
}

function absent(error: unknown): { status: { name: string } } {
  if (error instanceof WorkflowNotFoundError) return { status: { name: 'ABSENT' } };
  throw error;
}

/** Names the type of every event of a history, for messages that tell a story. */
export function eventTypes(history: { events?: unknown[] | null }): string[] {
  const events = (history.events ?? []) as Record<string, unknown>[];
  return events.map((event) => {
    const name = Object.keys(event).find((key) => key.endsWith('EventAttributes') && event[key]);
    return (name ?? 'unknown').replace('EventAttributes', '');
  });
}
