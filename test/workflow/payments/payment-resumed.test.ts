import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterAll(() => engine.close());

const executed = async (id: string) =>
  engine.bank.countMoney(await engine.referenceOf(id)).executed.count;

describe("a payment's workflow", () => {
  it('ignores a cancellation from outside', async () => {
    await engine.fault('hang');
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.untilPayment(id, 'PROCESSING/OUTCOME_UNKNOWN');
    await engine.handle(workflowId).cancel();
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
    expect((await engine.handle(workflowId).describe()).status.name).toBe('COMPLETED');
    expect(await executed(id)).toBe(1);
  });

  it('that was terminated and started anew goes on from what PostgreSQL holds', async () => {
    await engine.fault('hang');
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.untilPayment(id, 'PROCESSING/OUTCOME_UNKNOWN');
    await engine.handle(workflowId).terminate('a test');
    const { workflows } = engine.resources;
    await workflows.startPayment(workflowId, engine.toStart(id), 'req_1');
    await engine.untilPayment(id, 'COMPLETED');
    expect(await executed(id)).toBe(1);
  });

  it('is not run again once it has ended well, however often it is started', async () => {
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.historyOf(workflowId);
    const { runId } = await engine.handle(workflowId).describe();
    const { workflows } = engine.resources;
    await workflows.startPayment(workflowId, engine.toStart(id), 'req_1');
    expect((await engine.handle(workflowId).describe()).runId).toBe(runId);
  });

  it('that has ended is followed up by one of its own when the money comes back', async () => {
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.historyOf(workflowId);
    const reference = await engine.referenceOf(id);
    await engine.bankSays({ reference, status: 'RETURNED', reason: 'AC04' });
    await engine.untilPayment(id, 'RETURNED');
    const [report] = await engine.sql(
      `SELECT id::text FROM transfer_reports WHERE payment_id = $1 AND status = 'RETURNED'`,
      [id],
    );
    const followUp = `return/${id}/${String(report?.['id'])}`;
    expect(await engine.handle(followUp).result()).toBe('RETURNED');
    expect(await executed(id)).toBe(1);
  });

  it('survives the workers that run it', async () => {
    await engine.fault('hang');
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.untilPayment(id, 'PROCESSING/OUTCOME_UNKNOWN');
    await engine.stopWorkers();
    await engine.startWorkers();
    await engine.untilPayment(id, 'COMPLETED');
    await engine.historyOf(workflowId);
    expect(await executed(id)).toBe(1);
  });
});
