import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findNextDueAt,
  loadDueDeliveries,
  recordAttempts,
  type AttemptRecord,
} from '../../src/db/webhook-delivery-store.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { createWebhookHarness, type WebhookHarness } from '../webhooks/webhook-harness.ts';

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

const record = (change: Partial<AttemptRecord>) =>
  harness.db.write(harness.scope, (tx) =>
    recordAttempts(tx, harness.scope, endpointId, [
      {
        eventId,
        at: harness.clock.now(),
        status: 'PENDING',
        attempts: 1,
        nextAttemptAt: null,
        durationMs: 12,
        answer: null,
        statusCode: 500,
        error: 'STATUS',
        ...change,
      },
    ]),
  );
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
    const next = await db.read(scope, (tx) => findNextDueAt(tx, scope, endpointId, clock.now()));
    expect(next).toEqual(later);
  });

  it('takes a success however late it comes, and nothing after it', async () => {
    await record({ attempts: 1, status: 'DELIVERED', statusCode: 200, error: null });
    expect(await delivery()).toMatchObject({ status: 'DELIVERED', attempts: 3, lastError: null });
    await record({ attempts: 4, status: 'EXHAUSTED' });
    expect(await delivery()).toMatchObject({ status: 'DELIVERED', attempts: 3 });
  });
});

describe('deliveries of another scope', () => {
  it('are neither loaded nor changed', async () => {
    await harness.record('pay_b');
    const { db, clock } = harness;
    const other = { ...harness.scope, environment: 'live' as const };
    const due = await db.read(other, (tx) =>
      loadDueDeliveries(tx, other, endpointId, clock.now(), 10),
    );
    expect(due).toEqual([]);
    // The system's role sees all rows: here the statement's own WHERE is the wall.
    const withoutWall = (scope: Scope) =>
      db.system((tx) => {
        const pretended = { ...tx, sees: 'ONE_SCOPE', noteWake: () => undefined } as const;
        return loadDueDeliveries(pretended, scope, endpointId, clock.now(), 10);
      });
    expect(await withoutWall(other)).toEqual([]);
    const mine = await withoutWall(harness.scope);
    expect(mine.map((one) => one.resourceId)).toEqual(['pay_b']);
  });
});
