import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateWebhookEndpoint } from '../../../src/modules/webhooks/update-webhook-endpoint.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

const MINUTE_MS = 60_000;
const limits = { runMs: 60_000, lingerMs: 300 };

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

let harness: WebhookHarness;
let receiver: Receiver;
let id: string;
beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.beginTest();
  receiver = await startReceiver();
  ({ id } = await harness.addEndpoint(receiver.url));
});
afterEach(() => receiver.close());

const record = async (name: string, count: number) => {
  for (let n = 0; n < count; n += 1) await harness.record(`pay_${name}_${String(n)}`);
};
const times = (of: Receiver = receiver) => {
  const ids = of.received.map((one) => one.id);
  return [...new Set(ids)].map((one) => ids.filter((other) => other === one).length);
};
const attempts = async () => (await harness.deliveries(id)).map((one) => one.attempts);
const health = async () => {
  const [row] = await harness.db.read(harness.scope, (tx) =>
    tx.query<{ isSlow: boolean; failingSince: Date | null; isRecovering: boolean }>(
      `SELECT is_slow AS "isSlow", failing_since AS "failingSince", is_recovering AS "isRecovering"
       FROM webhook_endpoints WHERE id = $1`,
      [id],
    ),
  );
  return row;
};
const refuse = () => {
  receiver.answer = (_request, response) => response.writeHead(500).end();
};

/** Runs work while another connection holds the endpoint's row. */
async function whileHeld(work: () => Promise<unknown>): Promise<void> {
  const holder = new pg.Client({ connectionString: harness.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await work();
    await holder.query('COMMIT');
  } finally {
    await holder.end();
  }
}

describe("a writer that holds the endpoint's row", () => {
  it('holds up no record of a failure, which is known to the endpoint once it lets go', async () => {
    refuse();
    await record('a', 30);
    const failedAt = harness.clock.now();
    let draining: Promise<unknown> = Promise.resolve();
    await whileHeld(async () => {
      draining = harness.drain(id, {}, { limits });
      await expect.poll(attempts).toEqual(Array.from({ length: 30 }, () => 1));
      // It is not known yet.
      expect(await health()).toMatchObject({ failingSince: null, isSlow: false });
    });
    await draining;
    expect(await health()).toMatchObject({ failingSince: failedAt, isSlow: true });
    await harness.drain(id);
    expect(times()).toEqual(Array.from({ length: 30 }, () => 1));
  });

  it('holds up no event that comes meanwhile, nor is one of them sent twice', async () => {
    refuse();
    await record('a', 3);
    await harness.drain(id);
    receiver.answer = (_request, response) => response.writeHead(204).end();
    receiver.received.length = 0;
    harness.clock.advance(1_000);
    await record('b', 3);
    let draining: Promise<unknown> = Promise.resolve();
    await whileHeld(async () => {
      draining = harness.drain(id, {}, { limits });
      for (const [turn, name] of ['c', 'd'].entries()) {
        await expect.poll(() => receiver.received.length).toBe(3 * (turn + 1));
        await expect.poll(async () => (await attempts()).slice(-3)).toEqual([1, 1, 1]);
        await record(name, 3);
      }
      await expect.poll(() => receiver.received.length).toBe(9);
      expect(await health()).toMatchObject({ isSlow: true, isRecovering: false });
    });
    await draining;
    // The three that had failed went out as soon as it was known that the receiver is back.
    expect(receiver.received).toHaveLength(12);
    await harness.drain(id);
    expect(times()).toEqual(Array.from({ length: 12 }, () => 1));
    expect(await health()).toMatchObject({ failingSince: null, isSlow: false });
  });

  it('for longer than the drain waits: the deliveries are recorded all the same', async () => {
    refuse();
    await record('a', 3);
    const over = { limits: { runMs: 2_000, lingerMs: 10 } };
    await whileHeld(() => harness.drain(id, {}, over));
    expect(await attempts()).toEqual([1, 1, 1]);
    expect(times()).toEqual([1, 1, 1]);
    // That they failed was left to the next attempts: each is due again, once.
    expect(await health()).toMatchObject({ failingSince: null, isSlow: false });
    harness.clock.advance(MINUTE_MS);
    const failedAgainAt = harness.clock.now();
    await harness.drain(id);
    await harness.drain(id);
    expect(await health()).toMatchObject({ failingSince: failedAgainAt, isSlow: true });
    expect(await attempts()).toEqual([2, 2, 2]);
    expect(times()).toEqual([2, 2, 2]);
  });

  it('to give it another URL: what failed is sent there at once', async () => {
    const other = await startReceiver();
    try {
      refuse();
      await record('a', 3);
      let draining: Promise<unknown> = Promise.resolve();
      await harness.db.write(harness.scope, async (tx) => {
        const { vault, clock, scope } = harness;
        const patch = { url: other.url };
        const change = { id, patch, requireVersion: () => undefined };
        await updateWebhookEndpoint({ vault, clock }, tx, scope, change);
        draining = harness.drain(id, {}, { limits });
        await expect.poll(attempts).toEqual([1, 1, 1]);
      });
      await draining;
      await harness.drain(id);
      expect(times()).toEqual([1, 1, 1]);
      expect(times(other)).toEqual([1, 1, 1, 1]);
      // And, behind them, that the endpoint has changed.
      expect(await attempts()).toEqual([2, 2, 2, 1]);
      expect(await health()).toMatchObject({ failingSince: null, isSlow: false });
    } finally {
      await other.close();
    }
  });
});
