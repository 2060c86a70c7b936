import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReleaseFilter } from '../../../src/db/operations/release-stop-store.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import { ALL, resumeRelease, stopRelease } from '../../support/payments/stop-release.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const stop = (filter?: ReleaseFilter) => stopRelease(harness, filter);
const resume = (filter?: ReleaseFilter) => resumeRelease(harness, filter);

describe('while release is stopped', () => {
  it('a payment is accepted and held, and leaves once release is resumed', async () => {
    await stop();
    const id = await harness.accept();
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: 'RELEASE_STOPPED',
      fundsStatus: 'HELD',
    });
    expect(harness.bank.calls).toEqual([]);
    await resume();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it('a payment that may have left is asked about on, and its bytes do not go out again', async () => {
    harness.bank.onPut = () => ({ status: 503 });
    const id = await harness.accept();
    await harness.settle(id);
    await stop();
    await harness.drive(id, ({ attempts }) => (attempts[0]?.missingCount ?? 0) >= 2);
    for (let look = 0; look < 5; look += 1) {
      const step = await harness.settle(id);
      if (step.kind === 'WAIT') harness.clock.advance(step.waitMs);
    }
    expect(harness.bank.puts()).toHaveLength(1);
    expect((await harness.tell(id)).payment.statusDetail).toBe('RELEASE_STOPPED');
    await resume();
    harness.bank.onPut = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(2);
  });

  it.each<[string, () => Partial<ReleaseFilter>, boolean]>([
    ["the payment's rail", () => ({ rail: 'SEPA' }), true],
    ['another rail', () => ({ rail: 'ACH' }), false],
    ["the payment's customer", () => ({ customerId: harness.scope.customerId }), true],
    ["the payment's environment", () => ({ environment: 'test' }), true],
    ['the other environment', () => ({ environment: 'live' }), false],
    [
      "the payment's customer in the other environment",
      () => ({ customerId: harness.scope.customerId, environment: 'live' }),
      false,
    ],
  ])('for %s, a payment is held only if the stop concerns it', async (_what, some, isHeld) => {
    const filter = { ...ALL, ...some() };
    await stop(filter);
    const id = await harness.accept();
    await harness.settle(id);
    const { status } = (await harness.tell(id)).payment;
    expect(status).toBe(isHeld ? 'ON_HOLD' : 'COMPLETED');
    await resume(filter);
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });
});

describe('a stop in the middle of many claims', () => {
  it('is waited for by a claim, which then sees it', async () => {
    const admin = new pg.Client({ connectionString: harness.database.url });
    await admin.connect();
    try {
      // What a stop holds from before it is written until its commit.
      await admin.query("SELECT pg_advisory_lock(hashtextextended('release', 0))");
      const id = await harness.accept();
      const settling = harness.settle(id);
      const waiting = () =>
        harness.rows(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
      await expect.poll(waiting).toHaveLength(1);
      await admin.query(
        `INSERT INTO release_stops (reason, stopped_by, stopped_at)
         VALUES ('sample', 'operator:ada', now())`,
      );
      await admin.query("SELECT pg_advisory_unlock(hashtextextended('release', 0))");
      await settling;
      expect((await harness.tell(id)).payment.statusDetail).toBe('RELEASE_STOPPED');
      expect(harness.bank.calls).toEqual([]);
      await resume();
      expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    } finally {
      await admin.end();
    }
  });

  it('lets through what was claimed before it, and nothing behind it', async () => {
    const ids = await Promise.all(Array.from({ length: 24 }, () => harness.accept()));
    const settling = Promise.all(ids.map((id) => harness.settle(id)));
    await expect.poll(() => harness.bank.puts().length).toBeGreaterThan(0);
    await stop();
    const claimed = () =>
      harness.rows('SELECT reference FROM settlement_attempts ORDER BY reference');
    const atStop = await claimed();
    await settling;
    await Promise.all(ids.map((id) => harness.settle(id)));
    expect(await claimed()).toEqual(atStop);
    await resume();
    for (const id of ids) expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(ids.length);
  });
});
