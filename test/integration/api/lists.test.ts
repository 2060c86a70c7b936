import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import type { EventType } from '../../../src/domain/webhooks/event-types.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
let liveHeaders: { authorization: string };
let strangerHeaders: { authorization: string };

const record = (scope: Scope, type: EventType, resourceId: string, resourceVersion: number) => {
  const draft = {
    type,
    resourceType: 'payment',
    resourceId,
    resourceVersion,
    data: { id: resourceId },
  };
  return harness.database.db.write(scope, (tx) => {
    return recordEvent(tx, scope, { ...draft, resourceType: 'payment' }, harness.clock.now());
  });
};

beforeAll(async () => {
  harness = await createTestApp();
  const { db } = harness.database;
  const { customerId } = harness.scope;
  const live = await db.system((tx) => {
    const overrides = {
      customerId,
      environment: 'live' as const,
      approvedRanges: ['127.0.0.0/16'],
    };
    return addApiKey(tx, harness.vault, overrides);
  });
  liveHeaders = { authorization: `Bearer ${live.token}` };
  const stranger = await db.system((tx) => addCustomer(tx));
  const other = await db.system((tx) => addApiKey(tx, harness.vault, { customerId: stranger }));
  strangerHeaders = { authorization: `Bearer ${other.token}` };
  await record(harness.scope, 'payment.created', 'pay_a', 1);
  await record(harness.scope, 'payment.completed', 'pay_a', 2);
  await record(harness.scope, 'payment.created', 'pay_b', 1);
  const fund = (currency: string, amount: bigint) =>
    db.write(harness.scope, (tx) => {
      const funding = { currency, amount, rail: 'SEPA' };
      return fundBalance(tx, harness.scope, funding, harness.clock.now());
    });
  await fund('USD', 1_050n);
  await fund('JPY', 1_000n);
  await fund('KWD', 1_000n);
});
afterAll(() => harness.close());

const get = (path: string, headers = harness.headers) => {
  return harness.app.inject({ url: `/api/v1${path}`, headers });
};

describe('GET /balances', () => {
  it('balances are written with exactly the decimals of their currency', async () => {
    const { data, hasMore, nextCursor } = (await get('/balances')).json();
    expect({ hasMore, nextCursor }).toEqual({ hasMore: false, nextCursor: null });
    expect(data).toEqual([
      { currency: 'JPY', available: '1000', reserved: '0', pending: '0', receivable: '0' },
      {
        currency: 'KWD',
        available: '1.000',
        reserved: '0.000',
        pending: '0.000',
        receivable: '0.000',
      },
      {
        currency: 'USD',
        available: '10.50',
        reserved: '0.00',
        pending: '0.00',
        receivable: '0.00',
      },
    ]);
  });
});

describe('GET /events', () => {
  const idsOf = (answer: {
    json: () => { data: { resource: { id: string; version: number } }[] };
  }) => answer.json().data.map(({ resource }) => `${resource.id}/${String(resource.version)}`);

  it('events are newest first and go on from page to page', async () => {
    expect(idsOf(await get('/events'))).toEqual(['pay_b/1', 'pay_a/2', 'pay_a/1']);
    const first = await get('/events?limit=2');
    expect(idsOf(first)).toEqual(['pay_b/1', 'pay_a/2']);
    const second = await get(`/events?limit=2&cursor=${first.json().nextCursor}`);
    expect(idsOf(second)).toEqual(['pay_a/1']);
    expect(second.json()).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('events are narrowed by type and resource', async () => {
    expect(idsOf(await get('/events?type=payment.created'))).toEqual(['pay_b/1', 'pay_a/1']);
    expect(idsOf(await get('/events?type=payment.created&resourceId=pay_a'))).toEqual(['pay_a/1']);
  });

  it('an event is shown as its stored envelope, alone as well', async () => {
    const [event] = (await get('/events?limit=1')).json().data;
    expect(event).toMatchObject({ type: 'payment.created', apiVersion: 'v1', environment: 'test' });
    expect((await get(`/events/${event.id}`)).json()).toEqual(event);
  });

  it('events end after 90 days', async () => {
    harness.clock.advance(91 * 24 * 3_600_000);
    expect(idsOf(await get('/events'))).toEqual([]);
    harness.clock.advance(-91 * 24 * 3_600_000);
  });
});

describe('what belongs to another scope', () => {
  it('balances and events are not there for another customer and in the other environment', async () => {
    const [event] = (await get('/events?limit=1')).json().data;
    const missing = await get('/events/evt_00000000000000000000000000');
    for (const headers of [liveHeaders, strangerHeaders]) {
      expect((await get('/events', headers)).json().data).toEqual([]);
      expect((await get('/balances', headers)).json().data).toEqual([]);
      const answer = await get(`/events/${event.id}`, headers);
      expect(answer.statusCode).toBe(404);
      const { requestId: _, ...body } = answer.json();
      const { requestId: __, ...expected } = missing.json();
      expect(body).toEqual(expected);
    }
  });
});
