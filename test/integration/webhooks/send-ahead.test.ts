import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/client/database.ts';
import { BATCH_MAX } from '../../../src/db/webhooks/webhook-drain-store.ts';
import { updateWebhookEndpoint } from '../../../src/modules/webhooks/update-webhook-endpoint.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

const EVENTS = 2 * BATCH_MAX + 60;
const VERSIONS = 7;
const AT_A_TIME = 8;

let harness: WebhookHarness;
let receiver: Receiver;
let endpoint: Awaited<ReturnType<WebhookHarness['addEndpoint']>>;

beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.beginTest();
  receiver = await startReceiver();
  endpoint = await harness.addEndpoint(receiver.url);
  const drafts = Array.from({ length: EVENTS }, (_, n) =>
    harness.draftOf(`pay_${String(Math.floor(n / VERSIONS))}`, 1 + (n % VERSIONS)),
  );
  await harness.recordAll(drafts);
});
afterEach(() => receiver.close());

/** The database, with something around what records a batch: told which of them it is, from 1. */
function aroundRecords(
  around: (nth: number, record: () => Promise<object[]>) => Promise<object[]>,
): Database {
  let records = 0;
  return {
    ...harness.db,
    async alone<Row extends object>(...[scope, text, values]: Parameters<Database['alone']>) {
      const run = () => harness.db.alone<Row>(scope, text, values);
      if (!text.includes('record_batch_in_webhook_drain')) return run();
      records += 1;
      return (await around(records, run)) as Row[];
    },
  };
}

const untilReceived = (requests: number) =>
  expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(requests);

/** As its partner does. */
const disable = () =>
  harness.db.exclusive(harness.scope, (tx) =>
    updateWebhookEndpoint(harness, tx, harness.scope, {
      ...{ id: endpoint.id, patch: { status: 'DISABLED' } },
      requireVersion: () => undefined,
    }),
  );

/** Each event was recorded once, as delivered by its only attempt. */
async function expectRecordedOnce(): Promise<void> {
  const rows = await harness.deliveries(endpoint.id);
  expect(rows).toHaveLength(EVENTS);
  for (const row of rows) expect(row).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  const attempts = await harness.db.read(harness.scope, (tx) =>
    tx.query<{ event_id: string }>('SELECT event_id FROM webhook_attempts'),
  );
  expect(attempts).toHaveLength(EVENTS);
  expect(new Set(attempts.map((row) => row.event_id)).size).toBe(EVENTS);
}

describe('a batch that is sent while the one before is recorded', () => {
  it('is sent once, recorded once, and in version order', async () => {
    const db = aroundRecords(async (nth, record) => {
      // Until then nothing of the first batch is recorded: the second is sent all the same.
      if (nth === 1) await untilReceived(2 * BATCH_MAX);
      return record();
    });
    expect(await harness.drain(endpoint.id, {}, { db })).toMatchObject({ kind: 'IDLE' });
    expect(receiver.received).toHaveLength(EVENTS);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(EVENTS);
    const last = new Map<string, number>();
    for (const { body } of receiver.received) {
      const { resource } = JSON.parse(body) as { resource: { id: string; version: number } };
      expect(resource.version, resource.id).toBe((last.get(resource.id) ?? 0) + 1);
      last.set(resource.id, resource.version);
    }
    await expectRecordedOnce();
  });

  it('is not read once more by the record', async () => {
    const found: string[] = [];
    const db = aroundRecords(async (_nth, record) => {
      const rows = (await record()) as { readonly eventId: string | null }[];
      found.push(...rows.flatMap(({ eventId }) => eventId ?? []));
      return rows;
    });
    await harness.drain(endpoint.id, {}, { db });
    await expectRecordedOnce();
    // The look that began the drain has found the first two batches.
    expect(found).toHaveLength(EVENTS - 2 * BATCH_MAX);
    expect(new Set(found).size).toBe(found.length);
  });

  it('ends where the endpoint was changed meanwhile', async () => {
    let letAnswer = () => {};
    const mayAnswer = new Promise<void>((resolve) => (letAnswer = resolve));
    receiver.answer = (_request, response) => {
      const isFirstBatch = receiver.received.length <= BATCH_MAX;
      void (isFirstBatch ? Promise.resolve() : mayAnswer).then(() => response.writeHead(204).end());
    };
    const db = aroundRecords(async (nth, record) => {
      if (nth > 1) return record();
      await untilReceived(BATCH_MAX + AT_A_TIME);
      await disable();
      return record().finally(() => setImmediate(letAnswer));
    });
    expect(await harness.drain(endpoint.id, {}, { db })).toEqual({ kind: 'GONE' });
    expect(receiver.received).toHaveLength(BATCH_MAX + AT_A_TIME);
    const statuses = (await harness.deliveries(endpoint.id)).map(({ status }) => status);
    expect(statuses.filter((one) => one === 'DELIVERED')).toHaveLength(BATCH_MAX + AT_A_TIME);
  });

  it('and a record that fails lose nothing: both batches go out again under the same ids', async () => {
    const db = aroundRecords(async (nth, record) => {
      if (nth > 1) return record();
      await untilReceived(BATCH_MAX + AT_A_TIME);
      throw new Error('the connection is gone');
    });
    await expect(harness.drain(endpoint.id, {}, { db })).rejects.toThrow('connection is gone');
    const firstTime = receiver.received.splice(0).map(({ id }) => id);
    expect(firstTime.length).toBeLessThanOrEqual(2 * BATCH_MAX);
    expect(await harness.drain(endpoint.id)).toMatchObject({ kind: 'IDLE' });
    const secondTime = new Set(receiver.received.map(({ id }) => id));
    expect(receiver.received).toHaveLength(EVENTS);
    expect(firstTime.every((id) => secondTime.has(id))).toBe(true);
    await expectRecordedOnce();
  });

  it('does not begin once an attempt has failed', async () => {
    let refused = '';
    receiver.answer = ({ id }, response) => {
      refused ||= id;
      response.writeHead(id === refused ? 500 : 204).end();
    };
    const sentBeforeRecord: number[] = [];
    const db = aroundRecords((_nth, record) => {
      sentBeforeRecord.push(receiver.received.length);
      return record();
    });
    await harness.drain(endpoint.id, {}, { db });
    expect(sentBeforeRecord[0]).toBe(BATCH_MAX);
  });
});
