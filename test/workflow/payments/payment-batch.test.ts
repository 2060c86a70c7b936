import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';
import { eventTypes } from '../../support/workflow/workflow-watch.ts';

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly counts: object;
}

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  engine = await startEngine();
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterAll(() => engine.close());
afterEach(() => {
  engine.heard.isDeaf = false;
});

const itemsOf = (name: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_none, n) => {
    return {
      idempotencyKey: `${name}-${String(n)}`,
      ...to,
      amount: '1.00',
      currency: 'EUR',
      ...more,
    };
  });
const send = (items: object[]) => engine.call<Batch>('POST', '/payment-batches', { items });
const read = (id: string) => engine.call<Batch>('GET', `/payment-batches/${id}`);
const paymentsOf = async (id: string) => {
  const path = `/payment-batches/${id}/items?limit=100`;
  const { data } = await engine.call<{ data: { paymentId: string }[] }>('GET', path);
  return data.map(({ paymentId }) => paymentId);
};

describe("a batch's workflow", () => {
  it('judges 32 items and starts their payments within 25 events that hold ids alone', async () => {
    const receiver = await startReceiver();
    try {
      await engine.call('POST', '/webhook-endpoints', {
        url: receiver.url,
        types: ['payment_batch.*'],
      });
      const planted = { reference: 'Planted 5521', metadata: { secret: 'planted-5521' } };
      const { id } = await send([
        ...itemsOf('many', 31, planted),
        ...itemsOf('bad', 1, { amount: '1.000', reference: 'planted' }),
      ]);
      await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
      const history = await engine.historyOf(`payment-batch/${id}`);
      expect(await read(id)).toMatchObject({
        status: 'COMPLETED',
        counts: { total: 32, pending: 0, accepted: 31, refused: 1 },
      });
      expect(eventTypes(history).at(-1)).toBe('workflowExecutionCompleted');
      expect(eventTypes(history).length).toBeLessThanOrEqual(25);
      expect(historyToJSON(history).toLowerCase()).not.toContain('planted');
      const [first = ''] = await paymentsOf(id);
      await engine.untilPayment(first, 'COMPLETED');
      const told = () => receiver.received.map(({ body }) => JSON.parse(body) as { type: string });
      await expect
        .poll(() => told().map(({ type }) => type))
        .toEqual(['payment_batch.created', 'payment_batch.completed']);
      expect(told()[1]).toMatchObject({ resource: { type: 'payment_batch', id, version: 2 } });
      for (const { body } of receiver.received) {
        expect(body.toLowerCase()).not.toContain('planted');
        expect(Buffer.byteLength(body)).toBeLessThan(20_000);
      }
    } finally {
      await receiver.close();
    }
  });

  it('whose start was lost is started by the reconciler, and so are the payments', async () => {
    engine.heard.isDeaf = true;
    const { id } = await send(itemsOf('lost', 3));
    expect(await engine.workflowsBelow(`payment-batch/${id}`)).toEqual([]);
    await engine.run('sweep');
    await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
    for (const paymentId of await paymentsOf(id)) await engine.untilPayment(paymentId, 'COMPLETED');
  });

  it('that was ended though its batch is not is started again within the hour', async () => {
    await engine.stopWorkers();
    const { id } = await send(itemsOf('ended', 2));
    await expect
      .poll(async () => (await engine.workflowsBelow(`payment-batch/${id}`)).length)
      .toBe(1);
    await engine.handle(`payment-batch/${id}`).terminate();
    await engine.sql(
      `UPDATE payment_batches SET run = 1, begun_at = now() - interval '2 hours' WHERE id = $1`,
      [id],
    );
    await engine.startWorkers();
    await engine.run('sweepUnfinished');
    await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
  });

  it('waits for an error to pass, and comes again by itself', async () => {
    const key = `idempotency:${engine.scope.customerId}:test:waits-0`;
    await engine.sql('SELECT pg_advisory_lock(hashtextextended($1, 0))', [key]);
    const { id } = await send(itemsOf('waits', 2));
    const pending = { total: 2, pending: 1, accepted: 1, refused: 0 };
    await expect.poll(async () => (await read(id)).counts).toEqual(pending);
    await engine.sql('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]);
    await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
  });

  it('cannot be canceled from outside: its items would be left lying', async () => {
    await engine.stopWorkers();
    const { id } = await send(itemsOf('cancel', 2));
    await expect
      .poll(async () => (await engine.workflowsBelow(`payment-batch/${id}`)).length)
      .toBe(1);
    await engine.handle(`payment-batch/${id}`).cancel();
    await engine.startWorkers();
    await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
  });
});
