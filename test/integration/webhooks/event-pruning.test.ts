import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pruneEventsOf } from '../../../src/db/webhooks/event-pruning-store.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { queueEvent } from '../../../src/db/webhooks/webhook-queue-store.ts';
import { insertReplay } from '../../../src/db/webhooks/webhook-replay-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { pruneEventLog } from '../../../src/modules/webhooks/prune-event-log.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

const DAY_MS = 24 * 3_600_000;

let harness: WebhookHarness;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeEach(async () => {
  harness = await createWebhookHarness();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await harness.close();
});

const daysAgo = (days: number) => new Date(harness.clock.now().getTime() - days * DAY_MS);
const record = (resourceId: string, days: number, version = 1) =>
  harness.db.write(harness.scope, (tx) =>
    recordEvent(tx, harness.scope, harness.draftOf(resourceId, version), daysAgo(days)),
  );
const prune = () => pruneEventLog({ db: harness.db, clock: harness.clock });
const pruneOnce = (rows: number, days = 91) =>
  harness.db.system((tx) => pruneEventsOf(tx, harness.scope, daysAgo(days), rows));
const read = (sql: string) => harness.db.system((tx) => tx.query<{ name: string }>(sql));
const left = async () =>
  (await read('SELECT resource_id AS name FROM events ORDER BY seq')).map(({ name }) => name);
const countOf = async (table: string) =>
  Number((await read(`SELECT count(*)::text AS name FROM ${table}`))[0]?.name);

/** As a superuser, for what the application's roles may not do. */
async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: harness.url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

describe('the log of events', () => {
  it('forgets what is older than 90 days, with its deliveries and attempts, and nothing else', async () => {
    const { id } = await harness.addEndpoint(receiver.url);
    await record('pay_old', 91);
    await record('pay_older', 200);
    await record('pay_young', 89);
    await harness.drain(id);
    expect([await countOf('webhook_deliveries'), await countOf('webhook_attempts')]).toEqual([
      3, 3,
    ]);
    await prune();
    expect(await left()).toEqual(['pay_young']);
    expect([await countOf('webhook_deliveries'), await countOf('webhook_attempts')]).toEqual([
      1, 1,
    ]);
    // Twice is as once.
    await prune();
    expect(await left()).toEqual(['pay_young']);
  });

  it('forgets nothing of another scope on the word of one', async () => {
    const live = { ...harness.scope, environment: 'live' as const };
    await harness.db.write(live, (tx) =>
      recordEvent(tx, live, harness.draftOf('pay_live', 1), daysAgo(100)),
    );
    await record('pay_test', 100);
    expect(await pruneOnce(10)).toBe(1);
    expect(await left()).toEqual(['pay_live']);
    await prune();
    expect(await left()).toEqual([]);
  });

  it('keeps what waits for an enabled endpoint, until it is sent or no endpoint takes it', async () => {
    const waits = await harness.addEndpoint(receiver.url);
    await record('pay_waits', 120);
    await record('pay_too', 119);
    await prune();
    expect(await left()).toEqual(['pay_waits', 'pay_too']);
    await harness.drain(waits.id);
    await prune();
    expect(await left()).toEqual([]);

    await record('pay_unsent', 120);
    await prune();
    expect(await left()).toEqual(['pay_unsent']);
    await asSuperuser(`UPDATE webhook_endpoints SET status = 'DISABLED'`);
    await prune();
    expect(await left()).toEqual([]);
  });

  it('keeps young events whatever is asked, and whichever role asks', async () => {
    await harness.addEndpoint(receiver.url);
    await record('pay_young', 89);
    await record('pay_waits', 100);
    const asked = harness.db.system((tx) =>
      tx.query('SELECT prune_events($1, $2, now(), 10)', [
        harness.scope.customerId,
        harness.scope.environment,
      ]),
    );
    await expect(asked).rejects.toThrow(/are kept/);
    for (const sql of [
      `DELETE FROM events WHERE resource_id = 'pay_young'`,
      'DELETE FROM webhook_deliveries',
      `DELETE FROM webhook_deliveries WHERE resource_id = 'pay_waits'`,
    ]) {
      await expect(harness.db.system((tx) => tx.query(sql))).rejects.toThrow(/append-only|awaited/);
      await expect(asSuperuser(sql)).rejects.toThrow(/append-only|awaited/);
      const asApp = harness.db.write(harness.scope, (tx) => tx.query(sql));
      await expect(asApp).rejects.toThrow(/permission denied/);
    }
    // A process whose clock is a year ahead.
    harness.clock.advance(365 * DAY_MS);
    await prune();
    expect(await left()).toEqual(['pay_young', 'pay_waits']);
  });

  it('goes in small steps, the oldest first', async () => {
    const { id } = await harness.addEndpoint(receiver.url);
    for (let n = 0; n < 7; n += 1) await record(`pay_${String(n)}`, 120 - n);
    await harness.drain(id);
    let steps = 0;
    for (let before = await left(), gone = 1; gone > 0; steps += 1) {
      gone = await pruneOnce(2);
      expect(gone).toBeLessThanOrEqual(6);
      const after = await left();
      expect(before.length - after.length).toBeLessThanOrEqual(2);
      expect(after).toEqual(before.slice(before.length - after.length));
      before = after;
    }
    expect(steps).toBeGreaterThan(4);
    expect(await left()).toEqual([]);
  });

  it('while it goes no writer waits, and a second run passes what the first one holds', async () => {
    for (let n = 0; n < 4; n += 1) await record(`pay_${String(n)}`, 120 - n);
    await harness.db.system(async (tx) => {
      expect(await pruneEventsOf(tx, harness.scope, daysAgo(91), 2)).toBe(2);
      // Neither is committed: a wait for each other would never end.
      await record('pay_new', 0);
      await harness.db.system(async (other) => {
        await other.query("SET LOCAL lock_timeout = '2s'");
        const held = await other.query<{ id: string }>(
          `SELECT resource_id AS id FROM events WHERE created_at < $1 ORDER BY seq
           FOR UPDATE SKIP LOCKED`,
          [daysAgo(91)],
        );
        expect(held.map(({ id }) => id)).toEqual(['pay_2', 'pay_3']);
      });
    });
    expect(await left()).toEqual(['pay_2', 'pay_3', 'pay_new']);
  });

  it('does not forget an event that is asked for again in that moment', async () => {
    const { id } = await harness.addEndpoint(receiver.url);
    await record('pay_again', 120);
    await harness.drain(id);
    const [event] = await read('SELECT id AS name FROM events');
    let pruned: Promise<void> = Promise.resolve();
    await harness.db.write(harness.scope, async (tx) => {
      const again = { eventId: event?.name ?? '', endpointId: id, subscriptions: [] };
      await queueEvent(tx, harness.scope, { ...again, at: harness.clock.now() });
      pruned = prune();
      await expect
        .poll(() => read("SELECT 'x' AS name FROM pg_locks WHERE NOT granted"))
        .not.toEqual([]);
    });
    await pruned;
    expect(await left()).toEqual(['pay_again']);
    expect(await harness.deliveries(id)).toMatchObject([{ status: 'PENDING' }]);
    await harness.drain(id);
    await prune();
    expect(await left()).toEqual([]);
  });

  it('forgets replays that were over 90 days ago, and none that still runs', async () => {
    const { id } = await harness.addEndpoint(receiver.url);
    const start = (at: Date) =>
      harness.db.write(harness.scope, (tx) =>
        insertReplay(tx, harness.scope, {
          ...{ id: newId('whr'), endpointId: id, reason: 'REQUESTED', fromAt: null, toAt: null },
          ...{ types: null, onlyFailed: false, afterSeq: 0n, at },
        }),
      );
    for (const days of [100, 99, 10]) await start(daysAgo(days));
    await asSuperuser(`UPDATE webhook_replays SET status = 'COMPLETED', completed_at = created_at
      WHERE created_at <> (SELECT min(created_at) FROM webhook_replays)`);
    await prune();
    const replays = await read('SELECT status AS name FROM webhook_replays ORDER BY created_at');
    expect(replays.map(({ name }) => name)).toEqual(['RUNNING', 'COMPLETED']);
  });
});
