import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPerformanceCounts } from '../../support/performance-counts.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import { eventTypes } from '../../support/workflow/workflow-watch.ts';

let engine: Engine;
beforeAll(async () => {
  // The pace of a real test environment: the callback comes before the first question.
  engine = await startEngine({ TEST_ASK_FIRST_MS: '1000', TEST_ASK_MAX_MS: '10000' });
  await engine.startWorkers();
});
afterAll(() => engine.close());

describe("a payment's history", () => {
  it('is as long as docs/performance.json says where the bank settles at once', async () => {
    const to = await engine.addApprovedBeneficiary();
    const { id, workflowId } = await engine.pay(to, '10.00');
    const history = await engine.historyOf(workflowId);
    expect(await engine.payment(id)).toMatchObject({ status: 'COMPLETED' });
    const types = eventTypes(history);
    expect(types, types.join(', ')).toHaveLength(readPerformanceCounts().lone.historyEvents);
  });

  it('is at most 18 events long where a callback settles it', async () => {
    const to = await engine.addApprovedBeneficiary('ACH');
    const { id, workflowId } = await engine.pay(to, '10.00', { currency: 'USD' });
    const history = await engine.historyOf(workflowId);
    expect(await engine.payment(id)).toMatchObject({ status: 'COMPLETED' });
    const types = eventTypes(history);
    expect(types).toContain('workflowExecutionSignaled');
    expect(types.length, types.join(', ')).toBeLessThanOrEqual(18);
  });
});
