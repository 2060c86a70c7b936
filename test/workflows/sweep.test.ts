import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../webhooks/receiver.ts';
import { startEngine, type Engine } from './engine-harness.ts';
import type { Beneficiary } from './test-partner.ts';

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  // So slow to ask that only a wake brings a payment on.
  engine = await startEngine({ TEST_ASK_FIRST_MS: '600000', TEST_ASK_MAX_MS: '600000' });
  await engine.startWorkers();
  to = await engine.addBeneficiary();
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

describe('the sweep', () => {
  it('starts a payment whose start never reached Temporal', async () => {
    engine.heard.isDeaf = true;
    const { id, workflowId } = await engine.pay(to, '10.00');
    expect(await engine.workflowsBelow(workflowId)).toEqual([]);
    await engine.run('sweep');
    await engine.untilPayment(id, 'COMPLETED');
  });

  it("repeats a wake that nobody heard to a payment's workflow", async () => {
    const ach = await engine.addBeneficiary('ACH');
    const { id } = await engine.pay(ach, '10.00', { currency: 'USD' });
    await engine.untilPayment(id, 'SENT');
    engine.heard.isDeaf = true;
    await expect.poll(() => unread(id)).toEqual(['SETTLED']);
    await engine.run('sweep');
    await engine.untilPayment(id, 'COMPLETED');
  });

  it('follows up a report that nobody heard of after the workflow had ended', async () => {
    const { id, workflowId } = await engine.pay(to, '10.02');
    await engine.historyOf(workflowId);
    engine.heard.isDeaf = true;
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
    await expect.poll(() => engine.kycStatus(endUserId), { timeout: 10_000 }).toBe('APPROVED');
  });

  it('rings an endpoint whose wake was lost', async () => {
    const receiver = await startReceiver();
    try {
      const { id: endpointId } = await engine.call<{ id: string }>('POST', '/webhook-endpoints', {
        url: receiver.url,
      });
      // As after a commit whose process died before it rang: the flag is up and nobody comes.
      await engine.sql('UPDATE webhook_endpoints SET wake_pending = true WHERE id = $1', [
        endpointId,
      ]);
      const { id } = await engine.pay(to, '10.00');
      await engine.untilPayment(id, 'COMPLETED');
      expect(receiver.received).toEqual([]);
      await engine.run('sweep');
      const types = () => receiver.received.map(({ body }) => (JSON.parse(body) as Event).type);
      await expect.poll(types, { timeout: 10_000 }).toContain('payment.completed');
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
