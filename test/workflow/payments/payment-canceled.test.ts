import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';

const DAY_MS = 24 * 3_600_000;

let engine: Engine;
let to: Beneficiary;
beforeAll(async () => {
  // So seldom is a held payment looked at that only a wake ends its workflow.
  engine = await startEngine({ TEST_HOLD_CHECK_MS: '600000' });
  await engine.startWorkers();
  to = await engine.addApprovedBeneficiary();
});
afterEach(() => {
  engine.heard.isDeaf = false;
});
afterAll(() => engine.close());

const cancel = (id: string) => engine.call('POST', `/payments/${id}/cancel`, {});
const stateOf = async (workflowId: string) =>
  (await engine.handle(workflowId).describe()).status.name;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const schedule = (scheduledFor = dayIn(4)) => engine.pay(to, '10.00', { scheduledFor });
const untilItWaits = (workflowId: string) =>
  expect
    .poll(async () =>
      (await engine.handle(workflowId).fetchHistory()).events?.some(
        ({ timerStartedEventAttributes: timer }) => timer !== null && timer !== undefined,
      ),
    )
    .toBe(true);

/** As a superuser, past the guard: no partner can order a moment. */
async function releaseIn(id: string, ms: number): Promise<void> {
  const at = new Date(Date.now() + ms);
  await engine.sql("SET session_replication_role = 'replica'");
  await engine.sql('UPDATE payments SET release_at = $2 WHERE id = $1', [id, at]);
  await engine.sql("SET session_replication_role = 'origin'");
}

describe('the workflow of a canceled payment', () => {
  it('ends at once where it waits for its day, and nothing is sent', async () => {
    const { id, workflowId } = await schedule();
    await untilItWaits(workflowId);
    expect(await stateOf(workflowId)).toBe('RUNNING');
    await cancel(id);
    await engine.historyOf(workflowId);
    expect(await engine.handle(workflowId).result()).toBe('CANCELED');
  });

  it('ends by a repeated cancel where the process died between its commit and the wake', async () => {
    const { id, workflowId } = await schedule();
    await untilItWaits(workflowId);
    engine.heard.isDeaf = true;
    expect(await cancel(id)).toMatchObject({ status: 'CANCELED' });
    engine.heard.isDeaf = false;
    expect(await stateOf(workflowId)).toBe('RUNNING');
    expect(await cancel(id)).toMatchObject({ status: 'CANCELED', version: 2 });
    await engine.historyOf(workflowId);
    expect(await engine.handle(workflowId).result()).toBe('CANCELED');
  });

  it('ends by itself without a repeated cancel: it finds the payment canceled at its next look', async () => {
    engine.heard.isDeaf = true;
    const { id, workflowId } = await schedule();
    await releaseIn(id, 4_000);
    engine.heard.isDeaf = false;
    await engine.temporal.client.workflow.start('payment', {
      ...{ workflowId, taskQueue: 'payments-test' },
      args: [{ ...engine.scope, paymentId: id }],
    });
    await untilItWaits(workflowId);
    engine.heard.isDeaf = true;
    await cancel(id);
    await engine.historyOf(workflowId);
    expect(await engine.handle(workflowId).result()).toBe('CANCELED');
    expect((await engine.payment(id)).references).toHaveLength(1);
  });
});

describe('the workflow of a payment for a later day', () => {
  it('sleeps until the release and sends then, once', async () => {
    engine.heard.isDeaf = true;
    const { id, workflowId } = await schedule();
    engine.heard.isDeaf = false;
    await releaseIn(id, 3_000);
    const releaseAt = Date.now() + 2_900;
    await engine.temporal.client.workflow.start('payment', {
      ...{ workflowId, taskQueue: 'payments-test' },
      args: [{ ...engine.scope, paymentId: id, isBankQuick: true }],
    });
    await untilItWaits(workflowId);
    expect(await engine.payment(id)).toMatchObject({ statusDetail: 'SCHEDULED' });
    await engine.untilPayment(id, 'COMPLETED');
    expect(Date.now()).toBeGreaterThan(releaseAt);
    const reference = await engine.referenceOf(id);
    expect(engine.bank.countMoney(reference).executed.count).toBe(1);
    await engine.historyOf(workflowId);
  });

  it('is started by the reconciler where it is gone when the day comes', async () => {
    engine.heard.isDeaf = true;
    const { id, workflowId } = await schedule();
    engine.heard.isDeaf = false;
    await engine.run('sweep');
    expect(await engine.workflowsBelow(workflowId)).toEqual([]);
    await releaseIn(id, -60_000);
    await engine.run('sweep');
    await engine.untilPayment(id, 'COMPLETED');
  });
});
