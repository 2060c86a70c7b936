import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import type { BareOrder, BareReport } from '../peers/bare-temporal.ts';

// The yardstick of settling: workflows with one local activity that does nothing, on the same Temporal
// server, started as the engine starts its own.

const TASK_QUEUE = 'bench-bare';
const WORKFLOW = fileURLToPath(new URL('../bare-workflow.ts', import.meta.url));

// Its news would stand between the bench's own lines.
Runtime.install({ logger: new DefaultLogger('ERROR') });

async function measure({ address, inFlight, seconds, warmUp }: BareOrder): Promise<BareReport> {
  const connection = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const done = new Map<string, () => void>();
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: WORKFLOW,
      logger: new DefaultLogger('ERROR'),
    }),
    activities: { nothing: async (id: string) => done.get(id)?.() },
    // As src/server/temporal/worker.ts and worker-slots.ts have it.
    reuseV8Context: true,
    workflowThreadPoolSize: 1,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentLocalActivityExecutions: 40,
    maxCachedWorkflows: 200,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 10 },
  });

  const runOne = async () => {
    const id = `bench-bare/${randomUUID()}`;
    const isDone = new Promise<void>((resolve) => done.set(id, resolve));
    const handle = await client.workflow.start('bare', {
      workflowId: id,
      taskQueue: TASK_QUEUE,
      args: [id],
      requestEagerStart: true,
    });
    await isDone;
    done.delete(id);
    return handle;
  };
  /** Answers how many ran, the last of each runner seen to its end. */
  const runRunners = async (mayGoOn: (begun: number) => boolean): Promise<number> => {
    let begun = 0;
    const runner = async () => {
      let last: Awaited<ReturnType<typeof runOne>> | null = null;
      while (mayGoOn((begun += 1))) last = await runOne();
      begun -= 1;
      await last?.result();
    };
    await Promise.all(Array.from({ length: inFlight }, runner));
    return begun;
  };

  try {
    return await worker.runUntil(async () => {
      await runRunners((begun) => begun <= warmUp);
      const startedAtMs = nowMs();
      const cpu = process.cpuUsage();
      const workflows = await runRunners(() => nowMs() - startedAtMs < seconds * 1_000);
      const { user, system } = process.cpuUsage(cpu);
      return { workflows, tookMs: nowMs() - startedAtMs, cpuMs: (user + system) / 1_000 };
    });
  } finally {
    await connection.close();
  }
}

answerParent({ measure });
