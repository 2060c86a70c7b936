import { ApplicationFailure } from '@temporalio/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentActivities } from '../../../activities/types.ts';
import type { PaymentRef } from '../../../src/domain/workflows/work-refs.ts';
import { createActivities } from '../../../src/server/runtime/create-activities.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
  await engine.stopWorkers();
});
afterEach(() => engine.stopWorkers());
afterAll(() => engine.close());

/** Workers whose `settle` fails so often, as the engine's own failures reach Temporal, and then works. */
async function startFailing(type: string, times: number) {
  const { settle } = createActivities(engine.resources) as PaymentActivities;
  const tries = { left: times };
  await engine.startWorkers({
    settle(ref: PaymentRef) {
      if (tries.left === 0) return settle(ref);
      tries.left -= 1;
      return Promise.reject(ApplicationFailure.create({ type, message: 'a sample' }));
    },
  });
}

const statusOf = async (workflowId: string) =>
  (await engine.handle(workflowId).describe()).status.name;

// The first step is taken inside the workflow task, where Temporal tells of a failure in another way.
describe("a payment's first step that fails", () => {
  it('as a fault of the engine holds the payment for an operator, and the workflow goes on', async () => {
    await startFailing('ENGINE_FAULT', 1);
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.untilPayment(id, 'ON_HOLD/ENGINE_FAULT');
    expect(await statusOf(workflowId)).toBe('RUNNING');
    expect(await engine.resolve(workflowId, { action: 'RETRY' })).toBe(true);
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
    expect(await statusOf(workflowId)).toBe('COMPLETED');
  });

  it.each(['BANK_UNREACHABLE', 'DATABASE_UNREACHABLE'])(
    'as %s is taken again by the same workflow, until it succeeds',
    async (type) => {
      await startFailing(type, 2);
      const { id, workflowId } = await engine.pay(to, '10.00');
      await engine.untilPayment(id, 'COMPLETED');
      const { runId } = await engine.handle(workflowId).describe();
      await engine.historyOf(workflowId);
      expect(await statusOf(workflowId)).toBe('COMPLETED');
      const runs = await engine.workflowsBelow(workflowId);
      expect(runs.map((run) => run.runId)).toEqual([runId]);
      expect(engine.bank.countMoney(await engine.referenceOf(id)).executed.count).toBe(1);
    },
  );
});
