import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showStuckPayments } from '../../../../src/cli/ops/stuck-payments.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { seedPayingCustomer } from '../../../support/seed-payments.ts';

const NOW = new Date('2026-09-29T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const before = (ms: number) => new Date(NOW.getTime() - ms);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function stuck(limit = 50): Promise<string> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  await showStuckPayments({ db: database.db, clock: { now: () => NOW }, print }, limit);
  return printed.join('\n');
}

describe('what is stuck', () => {
  it('says so where nothing is', async () => {
    expect(await stuck()).toBe('No payment needs an operator.');
  });

  it('a payment is listed once it has not moved for an hour, four days once the bank has it; in test, a minute', async () => {
    const [test, live] = [
      await seedPayingCustomer(database.db, 'test'),
      await seedPayingCustomer(database.db, 'live'),
    ];
    const moving = [
      await test.pay({ fate: 'UNKNOWN', at: before(MINUTE_MS) }),
      await live.pay({ fate: 'UNKNOWN', at: before(60 * MINUTE_MS) }),
      await live.pay({ fate: 'ACCEPTED', at: before(4 * DAY_MS) }),
      await live.pay({ fate: 'COMPLETED', at: before(400 * DAY_MS) }),
    ];
    // Live ones first, however long those of test have waited.
    const quiet = [
      await live.pay({ fate: 'QUEUED', at: before(5 * DAY_MS) }),
      await live.pay({ fate: 'ACCEPTED', at: before(4 * DAY_MS + 1) }),
      await live.pay({ fate: 'UNKNOWN', at: before(60 * MINUTE_MS + 1) }),
      await test.pay({ fate: 'UNKNOWN', at: before(90 * DAY_MS) }),
      await test.pay({ fate: 'ACCEPTED', at: before(MINUTE_MS + 1) }),
    ];
    const text = await stuck();
    for (const { id } of moving) expect(text).not.toContain(id);
    const listed = [...text.matchAll(/^pay_\S+/gm)].map(([id]) => id);
    expect(listed).toEqual(quiet.map(({ id }) => id));
    expect(text).toContain('do not move (5)');
    const cut = await stuck(1);
    expect(cut.match(/^pay_/gm)).toHaveLength(1);
    expect(cut).toContain('(1, there are more: raise --limit)');
    expect(text).not.toContain('there are more');
    expect(await stuck(quiet.length)).toBe(text);
  });
});
