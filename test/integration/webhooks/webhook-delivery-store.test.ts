import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  recordAttempts,
  type AttemptRecord,
} from '../../../src/db/webhooks/webhook-delivery-store.ts';
import {
  beginDrain,
  endDrain,
  lookInDrain,
  recordInDrain,
} from '../../../src/db/webhooks/webhook-drain-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { addCustomer } from '../../support/test-customer.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

let harness: WebhookHarness;
let endpointId: string;
let eventId: string;
beforeAll(async () => {
  harness = await createWebhookHarness();
  endpointId = (await harness.addEndpoint('http://127.0.0.1:9/hooks')).id;
  await harness.record('pay_a');
  eventId = (await harness.deliveries(endpointId))[0]?.eventId ?? '';
});
afterAll(() => harness.close());

const NO_RECOVERY = { probeAt: null, recoveredAt: null, isRecovering: false };
const attemptRecord = (change: Partial<AttemptRecord>): AttemptRecord => ({
  eventId,
  at: harness.clock.now(),
  status: 'PENDING',
  attempts: 1,
  number: change.attempts ?? 1,
  isListed: true,
  nextAttemptAt: null,
  durationMs: 12,
  answer: null,
  statusCode: 500,
  error: 'STATUS',
  ...change,
});
const record = (change: Partial<AttemptRecord>) =>
  harness.db.write(harness.scope, (tx) => recordAttempts(tx, endpointId, [attemptRecord(change)]));
const delivery = async () => (await harness.deliveries(endpointId))[0];

describe('recording attempts', () => {
  it('never turns a counter or a due time back', async () => {
    const later = new Date(harness.clock.now().getTime() + 300_000);
    await record({ attempts: 1, nextAttemptAt: harness.clock.now() });
    await record({ attempts: 2, nextAttemptAt: harness.clock.now() });
    await record({ attempts: 3, nextAttemptAt: later });
    await record({ attempts: 2, nextAttemptAt: harness.clock.now() });
    await record({ attempts: 3, nextAttemptAt: harness.clock.now(), status: 'EXHAUSTED' });
    expect(await delivery()).toMatchObject({
      status: 'PENDING',
      attempts: 3,
      nextAttemptAt: later,
    });
    const { db, scope, clock } = harness;
    const look = await lookInDrain(db, scope, { endpointId, at: clock.now() });
    expect(look.nextDueAt).toEqual(later);
  });

  it('counts no early attempt that failed, but tells of it', async () => {
    const before = await delivery();
    await record({ attempts: 3, number: 4, statusCode: 503 });
    expect(await delivery()).toMatchObject({
      ...{ status: 'PENDING', attempts: 3, nextAttemptAt: before?.nextAttemptAt },
      lastStatusCode: 503,
    });
  });

  it('takes a success however late it comes, and nothing after it', async () => {
    await record({ attempts: 1, status: 'DELIVERED', statusCode: 200, error: null });
    expect(await delivery()).toMatchObject({ status: 'DELIVERED', attempts: 3, lastError: null });
    await record({ attempts: 4, status: 'EXHAUSTED' });
    expect(await delivery()).toMatchObject({ status: 'DELIVERED', attempts: 3 });
  });
});

describe('deliveries of another scope', () => {
  it('are neither found nor changed, and the connection keeps no scope', async () => {
    await harness.record('pay_b');
    const { db, clock, scope } = harness;
    const step = { endpointId, at: clock.now() };
    const before = await harness.deliveries(endpointId);
    const attempts = () => db.system((tx) => tx.query('SELECT id FROM webhook_attempts'));
    const attemptsBefore = await attempts();
    const wasUp = (await harness.endpoint(endpointId))?.wake_pending;
    const eventIds = before.map(({ eventId }) => eventId);
    const customerId = await db.system((tx) => addCustomer(tx));
    const others: Scope[] = [
      { ...scope, environment: 'live' },
      { ...scope, customerId },
    ];
    for (const other of others) {
      const records = eventIds.map((one) => attemptRecord({ eventId: one, status: 'DELIVERED' }));
      const health = { isSlow: true, failingSince: step.at, ...NO_RECOVERY };
      const changes = { version: 1, hasMoved: true, hasFailed: true, underWay: [] };
      const looks = [
        await beginDrain(db, other, step),
        await lookInDrain(db, other, step),
        await endDrain(db, other, step),
        await recordInDrain(db, other, { ...step, ...changes, records, health }),
      ];
      for (const look of looks) expect(look).toMatchObject({ endpoint: null, due: [] });
    }
    expect(await harness.deliveries(endpointId)).toEqual(before);
    expect(await attempts()).toEqual(attemptsBefore);
    expect(await harness.endpoint(endpointId)).toMatchObject({
      wake_pending: wasUp,
      isSlow: false,
    });
    // Outside of its statement no connection sees anything.
    const seen = await Promise.all(
      Array.from({ length: 10 }, () => db.query('SELECT FROM webhook_endpoints')),
    );
    expect(seen.flat()).toEqual([]);
    const mine = await lookInDrain(db, scope, step);
    expect(mine.due.map((one) => one.resourceId)).toEqual(['pay_b']);
  });
});

describe('what is sent while a batch is recorded', () => {
  it('is left out of the look and counts as due; the rest is found, whenever it was written', async () => {
    const { db, scope, clock } = harness;
    const step = { endpointId, at: clock.now() };
    await harness.record('pay_c');
    await harness.record('pay_d');
    const { due, endpoint } = await lookInDrain(db, scope, step);
    const [before, underWay, behind] = due.map((one) => one.eventId);
    expect(due.map((one) => one.resourceId)).toEqual(['pay_b', 'pay_c', 'pay_d']);
    const health = { isSlow: false, failingSince: null, ...NO_RECOVERY };
    const look = (ids: readonly (string | undefined)[]) =>
      recordInDrain(db, scope, {
        ...{ ...step, records: [], health, version: endpoint?.version ?? 0 },
        ...{ hasMoved: false, hasFailed: false, underWay: ids.flatMap((id) => id ?? []) },
      });
    const some = await look([underWay]);
    expect(some.due.map((one) => one.eventId)).toEqual([before, behind]);
    const none = await look([before, underWay, behind]);
    expect(none).toMatchObject({ due: [], nextDueAt: step.at });
  });
});
