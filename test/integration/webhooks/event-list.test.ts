import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import type { EventType } from '../../../src/domain/webhooks/event-types.ts';
import { resourceTypeOf } from '../../../src/domain/webhooks/events/resource-types.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const DAY_MS = 24 * 3_600_000;

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
  const record = (type: EventType, resourceId: string, resourceVersion: number, days: number) =>
    harness.database.db.write(harness.scope, (tx) => {
      const resourceType = resourceTypeOf(type);
      const draft = { type, resourceType, resourceId, resourceVersion, data: { id: resourceId } };
      const at = new Date(harness.clock.now().getTime() - days * DAY_MS);
      return recordEvent(tx, harness.scope, draft, at);
    });
  await record('payment.created', 'pay_old', 1, 90.001);
  await record('payment.created', 'pay_edge', 1, 89.999);
  await record('payment.created', 'pay_a', 1, 5);
  await record('kyc.approved', 'kyc_a', 3, 4);
  await record('balance.credited', 'fc_a', 1, 3);
  await record('payment.completed', 'pay_a', 2, 2);
  await record('payment_batch.created', 'pba_a', 1, 1);
});
afterAll(() => harness.close());

const get = (path: string) =>
  harness.app.inject({ url: `/api/v1${path}`, headers: harness.headers });
async function idsOf(query: string): Promise<string[]> {
  const answer = await get(`/events?${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  const { data } = answer.json<{ data: { resource: { id: string; version: number } }[] }>();
  return data.map(({ resource }) => `${resource.id}/${String(resource.version)}`);
}
const ago = (days: number) => new Date(harness.clock.now().getTime() - days * DAY_MS).toISOString();

describe('GET /events', () => {
  it.each([
    ['', ['pba_a/1', 'pay_a/2', 'fc_a/1', 'kyc_a/3', 'pay_a/1', 'pay_edge/1']],
    ['type=payment.created', ['pay_a/1', 'pay_edge/1']],
    ['type=payment.completed,kyc.*', ['pay_a/2', 'kyc_a/3']],
    ['type=payment.*', ['pay_a/2', 'pay_a/1', 'pay_edge/1']],
    ['type=*&limit=1', ['pba_a/1']],
    ['resourceType=payment_batch', ['pba_a/1']],
    ['resourceType=funding_credit', ['fc_a/1']],
    ['resourceType=payment&type=*', ['pay_a/2', 'pay_a/1', 'pay_edge/1']],
    ['resourceType=kyc&type=payment.*', []],
    ['resourceId=pay_a', ['pay_a/2', 'pay_a/1']],
    ['resourceId=pay_a&type=payment.created', ['pay_a/1']],
    ['resourceId=pay_old', []],
    ['resourceId=pay_none', []],
  ])('?%s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  it('is narrowed by time, and by time never reaches beyond 90 days', async () => {
    const span = `createdAfter=${ago(4.5)}&createdBefore=${ago(1.5)}`;
    expect(await idsOf(span)).toEqual(['pay_a/2', 'fc_a/1', 'kyc_a/3']);
    expect(await idsOf(`${span}&type=payment.*,balance.*`)).toEqual(['pay_a/2', 'fc_a/1']);
    expect(await idsOf(`createdAfter=${ago(400)}&createdBefore=${ago(80)}`)).toEqual([
      'pay_edge/1',
    ]);
    expect(await idsOf(`createdAfter=${ago(1)}&createdBefore=${ago(2)}`)).toEqual([]);
  });

  it('goes on from page to page with its filters, without a gap', async () => {
    const found: string[] = [];
    let cursor = '';
    do {
      const answer = await get(`/events?type=payment.*,kyc.*&limit=1${cursor}`);
      const { data, nextCursor } = answer.json<{
        data: { resource: { id: string } }[];
        nextCursor: string | null;
      }>();
      found.push(...data.map(({ resource }) => resource.id));
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
    } while (cursor !== '');
    expect(found).toEqual(['pay_a', 'kyc_a', 'pay_a', 'pay_edge']);
  });

  it.each([
    ['type=payment.nope', '/query/type'],
    ['type=payment.created,', '/query/type'],
    ['type=*.created', '/query/type'],
    ['type=', '/query/type'],
    ['type=a&type=b', '/query/type'],
    [`type=${'x'.repeat(1_001)}`, '/query/type'],
    ['resourceType=invoice', '/query/resourceType'],
    ['resourceId=', '/query/resourceId'],
    ['createdAfter=yesterday', '/query/createdAfter'],
    ['createdBefore=2026-12-31T23:59:60Z', '/query/createdBefore'],
    ['createdAfter=9999-12-31T23:59:59-23:59', '/query/createdAfter'],
    ['createdBefore=9999-12-31T23:59:59-23:59', '/query/createdBefore'],
    ['createdBefore=0000-01-01T00:00:00%2B23:59', '/query/createdBefore'],
    ['limit=101', '/query/limit'],
    ['from=2026-01-01T00:00:00Z', '/query/from'],
    ['cursor=cGF5bWVudHM6MQ', '/query/cursor'],
  ])('?%s is a 400 at %s', async (query, path) => {
    const answer = await get(`/events?${query}`);
    expect([answer.statusCode, answer.json<{ details: object[] }>().details[0]]).toMatchObject([
      400,
      { path },
    ]);
  });

  it('names the type that it does not know, and no more of it than 64 characters', async () => {
    const messageOf = async (type: string) => {
      const answer = await get(`/events?type=${type}`);
      return answer.json<{ details: { message: string }[] }>().details[0]?.message;
    };
    const ending = 'is neither an event type nor a family of event types.';
    expect(await messageOf('payment.created,nope.a,nope.b')).toBe(`"nope.a" ${ending}`);
    expect(await messageOf(`kyc.*,${'x'.repeat(500)}`)).toBe(`"${'x'.repeat(64)}" ${ending}`);
    expect(await messageOf('kyc.*,')).toBe(`"" ${ending}`);
  });

  it('shows one event alone for as long as the list does', async () => {
    const rows = await harness.database.db.read(harness.scope, (tx) =>
      tx.query<{ id: string }>(
        `SELECT id FROM events WHERE resource_id IN ('pay_old', 'pay_edge') ORDER BY seq`,
      ),
    );
    const statuses = await Promise.all(
      rows.map(async ({ id }) => (await get(`/events/${id}`)).statusCode),
    );
    expect(statuses).toEqual([404, 200]);
  });
});
