import { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PaymentActivities } from '../../../activities/types.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { openTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { eventTypes } from '../../support/workflow/workflow-watch.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterAll(() => temporal.close());

const AGAIN: PaymentStep = { kind: 'WAIT', waitMs: 0, needsHuman: false };

it('a payment that outgrows its history continues as new, and never with a wake unanswered', async () => {
  const handle = () => temporal.client.workflow.getHandle('payment/endless');
  const runs = new Set<string>();
  let steps = 0;
  // Rows as PostgreSQL would hold them: a wake stands for one, a reader reads all.
  const rows = { unread: 0, read: 0 };
  const read = () => {
    rows.read += rows.unread;
    rows.unread = 0;
  };
  const activities: Partial<PaymentActivities> = {
    async settle() {
      steps += 1;
      read();
      runs.add(Context.current().info.workflowExecution?.runId ?? 'none');
      if (steps % 20 === 0) {
        rows.unread += 1;
        await handle().signal('wake');
      }
      return runs.size > 1 && steps % 20 !== 0 ? { kind: 'DONE', status: 'COMPLETED' } : AGAIN;
    },
    applyTransferReports: () => {
      read();
      return Promise.resolve(AGAIN);
    },
  };
  const worker = await Worker.create({
    connection: temporal.connection,
    namespace: temporal.namespace,
    taskQueue: TASK_QUEUES.payments.test,
    workflowBundle: temporal.workflowBundle,
    activities,
  });
  await worker.runUntil(async () => {
    const started = await temporal.client.workflow.start('payment', {
      workflowId: 'payment/endless',
      taskQueue: TASK_QUEUES.payments.test,
      args: [{ customerId: 'cus_1', environment: 'test', paymentId: 'pay_1' }],
      memo: { requestId: 'req_1' },
    });
    const first = temporal.client.workflow.getHandle(
      'payment/endless',
      started.firstExecutionRunId,
    );
    await started.result();
    // The request's id goes along to the next run.
    expect((await handle().describe()).memo).toEqual({ requestId: 'req_1' });
    const types = eventTypes(await first.fetchHistory());
    expect(types.at(-1)).toBe('workflowExecutionContinuedAsNew');
    // After the last wake there is a look at the rows: an applyTransferReports, which leaves a marker.
    const afterLastWake = types.slice(types.lastIndexOf('workflowExecutionSignaled'));
    expect(afterLastWake).toContain('markerRecorded');
  });
  expect(runs.size).toBe(2);
  expect(rows).toEqual({ unread: 0, read: Math.floor(steps / 20) });
});
