import type { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOCK_IS_OFF, keepWorking } from '../../../src/server/runtime/keep-working.ts';
import { createWorkers } from '../../../src/server/temporal/worker.ts';
import { DEFAULT_SLOTS } from '../../../src/server/temporal/worker-slots.ts';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { SILENT_WITNESS, openTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { eventTypes } from '../../support/workflow/workflow-watch.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterAll(() => temporal.close());

const start = (workflowId: string) =>
  temporal.client.workflow.start('fxRefresh', { workflowId, taskQueue: TASK_QUEUES.engine });

it('a worker whose clock goes off stops polling, says so once, and goes on when it is right', async () => {
  let skewMs = 0;
  let measured = 0;
  let isDatabaseDown = false;
  let worked = 0;
  const said: string[] = [];
  let workers: readonly Worker[] = [];
  const stopping = new AbortController();
  const say = (_facts: unknown, text?: string) => said.push(text ?? String(_facts));
  const working = keepWorking({
    async createWorkers() {
      workers = await createWorkers({
        connection: temporal.connection,
        namespace: temporal.namespace,
        workflowBundle: temporal.workflowBundle,
        activities: { refreshRates: () => Promise.resolve() },
        slots: DEFAULT_SLOTS.filter(({ taskQueue }) => taskQueue === TASK_QUEUES.engine),
        witness: SILENT_WITNESS,
      });
      return workers;
    },
    onWorking: async () => void (worked += 1),
    measureSkewMs: async () => {
      measured += 1;
      if (isDatabaseDown) throw new Error('the database is down');
      return skewMs;
    },
    log: { error: say, info: say } as never,
    signal: stopping.signal,
    checks: { whileWorkingMs: 20, whileOffMs: 20 },
  });
  await (await start('while-right')).result();

  // A database that is down says nothing about the clock.
  isDatabaseDown = true;
  const before = measured;
  await expect.poll(() => measured).toBeGreaterThan(before + 3);
  expect(workers.map((worker) => worker.getState())).toEqual(['RUNNING']);
  isDatabaseDown = false;

  skewMs = -60_000;
  await expect.poll(() => workers.map((worker) => worker.getState())).toEqual(['STOPPED']);
  const waiting = await start('while-off');
  const off = measured;
  await expect.poll(() => measured).toBeGreaterThan(off + 5);
  expect(said).toEqual([CLOCK_IS_OFF]);
  const events = eventTypes(await waiting.fetchHistory());
  expect(events).toEqual(['workflowExecutionStarted', 'workflowTaskScheduled']);

  skewMs = 0;
  await waiting.result();
  expect(said).toHaveLength(2);
  expect(worked).toBe(2);
  stopping.abort();
  await working;
});
