import type { Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { PaymentActivities } from '../../../activities/types.ts';
import { createWorkers } from '../../../src/server/temporal/worker.ts';
import { DEFAULT_SLOTS } from '../../../src/server/temporal/worker-slots.ts';
import { loadWorkflowBundle } from '../../../src/server/temporal/workflow-bundle.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { SILENT_WITNESS, openTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { eventTypes } from '../../support/workflow/workflow-watch.ts';

const QUEUE = TASK_QUEUES.payments.test;
const STACK_LINE = /^\s+at /m;

let temporal: TestTemporal;
let worker: Worker | undefined;
let run: Promise<void> = Promise.resolve();
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterEach(async () => {
  worker?.shutdown();
  await run;
});
afterAll(() => temporal.close());

async function startWorker(withStacks: boolean): Promise<void> {
  const settle: PaymentActivities['settle'] = () =>
    Promise.resolve({ kind: 'WAIT', waitMs: 600_000, needsHuman: false });
  [worker] = await createWorkers({
    connection: temporal.connection,
    namespace: temporal.namespace,
    workflowBundle: await loadWorkflowBundle({ file: inject('workflowBundleFile'), withStacks }),
    activities: { settle },
    slots: DEFAULT_SLOTS.filter(({ taskQueue }) => taskQueue === QUEUE),
    witness: SILENT_WITNESS,
  });
  run = worker?.run() ?? run;
}

const start = (type: string, workflowId: string, args: unknown[]) =>
  temporal.client.workflow.start(type, { workflowId, taskQueue: QUEUE, args });

/** A payment that waits for its next step. */
async function startWaiting(workflowId: string) {
  const payment = { customerId: 'cus_1', environment: 'test', paymentId: 'pay_1' };
  const handle = await start('payment', workflowId, [payment]);
  await until('the timer of its wait', async () =>
    eventTypes(await handle.fetchHistory()).includes('timerStarted') ? true : null,
  );
  return handle;
}

/** What the history says of the first workflow task that failed. */
async function failedTaskOf(handle: Awaited<ReturnType<typeof start>>) {
  return until('a failed workflow task', async () => {
    const { events } = await handle.fetchHistory();
    return events?.find((event) => event.workflowTaskFailedEventAttributes)
      ?.workflowTaskFailedEventAttributes?.failure;
  });
}

describe('workflow code', () => {
  it('keeps no stacks, and its failures say what is wrong all the same', async () => {
    await startWorker(false);
    const waiting = await startWaiting('without-stacks');
    expect(await waiting.query('__stack_trace')).not.toMatch(STACK_LINE);
    await expect(waiting.executeUpdate('resolve', { args: [{ action: 'PAY' }] })).rejects.toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: 'action must be RETRY' }),
      }),
    );
    const broken = await start('kycCheck', 'broken-without-stacks', []);
    const { message, stackTrace } = await failedTaskOf(broken);
    expect(message).toBe("Cannot read properties of undefined (reading 'environment')");
    expect(stackTrace).not.toMatch(STACK_LINE);
  });

  it('keeps stacks that name the line of the sources where WORKFLOW_STACKS says so', async () => {
    await startWorker(true);
    const waiting = await startWaiting('with-stacks');
    expect(await waiting.query('__stack_trace')).toMatch(/^\s+at .*\/workflows\/payment\.ts:\d+/m);
    const broken = await start('kycCheck', 'broken-with-stacks', []);
    const { message, stackTrace } = await failedTaskOf(broken);
    expect(message).toBe("Cannot read properties of undefined (reading 'environment')");
    expect(stackTrace).toMatch(/^\s+at .*\/workflows\/kyc-check\.ts:\d+/m);
  });
});
