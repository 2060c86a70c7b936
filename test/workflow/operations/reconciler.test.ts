import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TASK_QUEUES } from '../../../src/domain/workflows/task-queues.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  // So slow to ask that only a wake brings a payment on.
  engine = await startEngine({ TEST_ASK_FIRST_MS: '600000', TEST_ASK_MAX_MS: '600000' });
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterAll(() => engine.close());
afterEach(() => {
  engine.heard.isDeaf = false;
});

const unread = async (paymentId: string) => {
  const rows = await engine.sql(
    'SELECT status FROM transfer_reports WHERE payment_id = $1 AND processed_at IS NULL',
    [paymentId],
  );
  return rows.map((row) => row['status']);
};

describe('the reconciler', () => {
  it('starts a payment whose start never reached Temporal', async () => {
    engine.heard.isDeaf = true;
    const { id, workflowId } = await engine.pay(to, '10.00');
    expect(await engine.workflowsBelow(workflowId)).toEqual([]);
    await engine.run('sweep');
    await engine.untilPayment(id, 'COMPLETED');
  });

  it("repeats a lost wake to a payment's workflow", async () => {
    const ach = await engine.addApprovedBeneficiary('ACH');
    const { id } = await engine.pay(ach, '10.00', { currency: 'USD' });
    await engine.untilPayment(id, 'SENT');
    engine.heard.isDeaf = true;
    await expect.poll(() => unread(id)).toEqual(['SETTLED']);
    await engine.run('sweep');
    await engine.untilPayment(id, 'COMPLETED');
  });

  it('follows up a report that came unnoticed after the workflow had ended', async () => {
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.historyOf(workflowId);
    engine.heard.isDeaf = true;
    const reference = await engine.referenceOf(id);
    await engine.bankSays({ reference, status: 'RETURNED', reason: 'AC04' });
    await expect.poll(() => unread(id)).toEqual(['RETURNED']);
    await engine.run('sweep');
    await engine.untilPayment(id, 'RETURNED');
  });

  it('starts a KYC check whose start never reached Temporal', async () => {
    const endUserId = await engine.addEndUser();
    engine.heard.isDeaf = true;
    await engine.call('POST', `/end-users/${endUserId}/kyc`, {});
    expect(await engine.workflowsBelow(`kyc/${endUserId}`)).toEqual([]);
    await engine.run('sweep');
    engine.heard.isDeaf = false;
    await expect.poll(() => engine.kycStatus(endUserId)).toBe('APPROVED');
  });

  it('takes up a payment and a check whose workflows have ended, though PostgreSQL says otherwise', async () => {
    const done = await engine.pay(to, '10.00');
    await engine.historyOf(done.workflowId);
    engine.heard.isDeaf = true;
    const lost = await engine.pay(to, '10.00');
    const endUserId = await engine.addEndUser();
    await engine.call('POST', `/end-users/${endUserId}/kyc`, {});
    engine.heard.isDeaf = false;
    // As after a restore of an older copy of the database: under these ids Temporal knows a good end.
    const endWell = (workflowId: string) =>
      engine.temporal.client.workflow.execute('payment', {
        workflowId,
        taskQueue: TASK_QUEUES.payments.test,
        args: [{ ...engine.scope, paymentId: done.id }],
      });
    await endWell(lost.workflowId);
    await endWell(`kyc/${endUserId}/1`);
    expect(await engine.payment(lost.id)).toMatchObject({ status: 'PROCESSING', version: 1 });

    await engine.run('sweep');
    await engine.untilPayment(lost.id, 'COMPLETED');
    await expect.poll(() => engine.kycStatus(endUserId)).toBe('APPROVED');
    expect(engine.bank.countMoney(await engine.referenceOf(lost.id)).executed.count).toBe(1);
  });

  it('restarts an undecided KYC check that nothing has touched for an hour, and no younger one', async () => {
    const started: string[] = [];
    for (const hours of [0, 2]) {
      const endUserId = await engine.addEndUser('Review');
      await engine.call('POST', `/end-users/${endUserId}/kyc`, {});
      await expect.poll(() => engine.kycStatus(endUserId)).toBe('IN_REVIEW');
      await engine.handle(`kyc/${endUserId}/1`).terminate();
      await engine.sql('SET session_replication_role = replica');
      await engine.sql(
        `UPDATE kyc_checks SET updated_at = now() - make_interval(hours => $2) WHERE end_user_id = $1`,
        [endUserId, hours],
      );
      started.push(`kyc/${endUserId}/1`);
    }
    await engine.run('sweepUnfinished');
    const states = started.map(async (id) => (await engine.handle(id).describe()).status.name);
    expect(await Promise.all(states)).toEqual(['TERMINATED', 'RUNNING']);
  });

  it('wakes an endpoint whose wake was lost', async () => {
    const receiver = await startReceiver();
    try {
      const { id: endpointId } = await engine.call<{ id: string }>('POST', '/webhook-endpoints', {
        url: receiver.url,
      });
      // As after a commit whose process died before it sent the wake: the flag is set for good.
      await engine.sql('UPDATE webhook_endpoints SET wake_pending = true WHERE id = $1', [
        endpointId,
      ]);
      const { id } = await engine.pay(to, '10.00');
      await engine.untilPayment(id, 'COMPLETED');
      expect(receiver.received).toEqual([]);
      await engine.run('sweep');
      const types = () => receiver.received.map(({ body }) => (JSON.parse(body) as Event).type);
      await expect.poll(types).toContain('payment.completed');
    } finally {
      await receiver.close();
    }
  });

  it('restarts an unfinished payment that has no open workflow', async () => {
    await engine.fault('hang');
    const { id, workflowId } = await engine.pay(to, '10.00');
    await engine.untilPayment(id, 'PROCESSING/OUTCOME_UNKNOWN');
    await engine.handle(workflowId).terminate();
    await engine.sql(
      `UPDATE settlement_attempts SET next_ask_at = now(), deadline_at = now() - interval '1 hour'
       WHERE payment_id = $1`,
      [id],
    );
    await engine.sql('SET session_replication_role = replica');
    await engine.sql(`UPDATE payments SET updated_at = now() - interval '2 hours' WHERE id = $1`, [
      id,
    ]);
    await engine.run('sweepUnfinished');
    expect((await engine.handle(workflowId).describe()).status.name).toBe('RUNNING');
  });
});

interface Event {
  readonly type: string;
}
