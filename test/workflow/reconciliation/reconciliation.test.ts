import { afterAll, beforeAll, expect, it } from 'vitest';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';

let engine: Engine;
beforeAll(async () => {
  // So slow to ask that only the statement tells what became of an unknown outcome.
  engine = await startEngine({ TEST_ASK_FIRST_MS: '600000', TEST_ASK_MAX_MS: '600000' });
  await engine.startWorkers();
});
afterAll(() => engine.close());

const fetchStatements = (workflowId: string) =>
  engine.temporal.client.workflow.execute('statementFetch', {
    workflowId,
    taskQueue: TASK_QUEUES.engine,
    args: ['test'],
  });

it("the bank's statement is fetched once, and every payment on it becomes RECONCILED", async () => {
  const to = await engine.addApprovedBeneficiary();
  const paid = await Promise.all(['10.00', '11.00', '12.00'].map((of) => engine.pay(to, of)));
  for (const { id } of paid) await engine.untilPayment(id, 'COMPLETED');
  expect(await engine.bank.cutStatements()).toBe(1);

  await fetchStatements('fetch-1');
  for (const { id } of paid) {
    await expect
      .poll(async () => (await engine.payment(id)).reconciliation.status)
      .toBe('RECONCILED');
  }
  await fetchStatements('fetch-2');
  expect(await engine.workflowsBelow('reconcile/')).toHaveLength(1);
});

it('a statement whose reconciliation ended is reconciled again where it has work left', async () => {
  // As accepting its sums leaves it.
  await engine.sql("UPDATE statements SET status = 'READ', reconciled_at = NULL");
  await fetchStatements('fetch-again');
  await expect
    .poll(async () => (await engine.sql('SELECT status FROM statements'))[0]?.['status'])
    .toBe('RECONCILED');
});

it('a statement completes a payment whose outcome was unknown', async () => {
  const to = await engine.addApprovedBeneficiary();
  await engine.fault('execute_then_drop');
  const { id, workflowId } = await engine.pay(to, '10.00');
  await engine.untilPayment(id, 'PROCESSING/OUTCOME_UNKNOWN');
  expect(await engine.bank.cutStatements()).toBe(1);
  await fetchStatements('fetch-3');
  await engine.untilPayment(id, 'COMPLETED');
  await engine.historyOf(workflowId);
});
