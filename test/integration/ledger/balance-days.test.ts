import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  bookedBalance,
  statementEntries,
} from '../../../src/modules/ledger/balances/balance-statement.ts';
import { closeDays } from '../../../src/modules/ledger/balances/close-days.ts';
import { insertLedgerTransactions } from '../../../src/db/ledger/ledger-store.ts';
import { dayOf, startOf } from '../../../src/domain/ledger/statement-day.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { post, stepsOf } from '../../support/ledger-history.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { until } from '../../support/until.ts';

const DAY = dayOf(new Date('2026-05-04T12:00:00.000Z'));
const MIDNIGHT = startOf(DAY + 1).getTime();
const SECOND = 1_000;
const at = (seconds: number) => new Date(MIDNIGHT + seconds * SECOND);

let database: TestDatabase;
let admin: pg.Client;
let scope: Scope;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
beforeEach(async () => {
  const customerId = await database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'test' };
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

const deposit = (amount: bigint, currency = 'EUR') =>
  stepsOf({ story: 'DEPOSIT', currency, amount, fees: [], isConverted: false });

/** The ends of the day before and of the day, as a caller asks for them at 00:06. */
const close = async (day = DAY) => {
  const deps = {
    db: database.db,
    clock: { now: () => new Date(MIDNIGHT + (day - DAY + 1) * 86_400_000) },
  };
  const [opening, closing] = await closeDays(deps, scope, 'EUR', day - 1, day);
  if (opening === undefined || closing === undefined) throw new Error('the day was not closed');
  const statement = { scope, currency: 'EUR', day, opening, closing };
  const entries: bigint[] = [];
  for await (const { amount } of statementEntries(database.db, statement)) entries.push(amount);
  return { opening: bookedBalance(opening), closing: bookedBalance(closing), entries };
};

const waitsForLock = async (count: number): Promise<true> =>
  until('no session waits for the lock', async () => {
    const { rows } = await admin.query<{ waiting: string }>(
      `SELECT count(*) AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return Number(rows[0]?.waiting) >= count ? true : null;
  });

describe('the end of a day', () => {
  it('waits for a booking that is under way, and has it', async () => {
    await post(database.db, scope, deposit(100n), at(-60));
    let commit = (): void => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let isPosted = false;
    const open = database.db.write(scope, async (tx) => {
      await insertLedgerTransactions(tx, scope, deposit(7n), at(-1));
      isPosted = true;
      await held;
    });
    await until('nothing was posted', () => (isPosted ? true : null));
    const closing = close();
    await waitsForLock(1);
    commit();
    await open;
    expect(await closing).toEqual({ opening: 0n, closing: 107n, entries: [100n, 7n] });
    expect(await close(DAY + 1)).toEqual({ opening: 107n, closing: 107n, entries: [] });
  });

  it('stays where it was decided: what is booked later with an earlier time is of the next day', async () => {
    await post(database.db, scope, deposit(100n), at(-60));
    const first = await close();
    await post(database.db, scope, deposit(7n), at(-1));
    await post(database.db, scope, deposit(5n), at(3_600));
    expect(await close()).toEqual(first);
    expect(first).toEqual({ opening: 0n, closing: 100n, entries: [100n] });
    expect(await close(DAY + 1)).toEqual({ opening: 100n, closing: 112n, entries: [7n, 5n] });
  });

  it('is the same whenever it is asked for first, and in whatever order days are', async () => {
    for (const [amount, seconds] of [
      [1n, -90_000],
      [2n, -50],
      [4n, 10],
      [8n, -20],
      [16n, 90_000],
    ] as const) {
      await post(database.db, scope, deposit(amount), at(seconds));
    }
    // The third was booked after midnight: what follows it is of the next day, by whatever clock.
    expect(await close(DAY + 1)).toEqual({ opening: 3n, closing: 15n, entries: [4n, 8n] });
    expect(await close(DAY)).toEqual({ opening: 1n, closing: 3n, entries: [2n] });
    expect(await close(DAY - 1)).toEqual({ opening: 0n, closing: 1n, entries: [1n] });
    expect(await close(DAY + 2)).toEqual({ opening: 15n, closing: 31n, entries: [16n] });
  });

  it('lies between its neighbours, though a later day was closed first', async () => {
    await post(database.db, scope, deposit(1n), at(-60));
    expect((await close(DAY + 2)).closing).toBe(1n);
    await post(database.db, scope, deposit(2n), at(-30));
    await post(database.db, scope, deposit(4n), at(5 * 86_400));
    expect(await close(DAY)).toEqual({ opening: 0n, closing: 1n, entries: [1n] });
    expect(await close(DAY + 3)).toEqual({ opening: 1n, closing: 3n, entries: [2n] });
  });

  it('is one for all who decide it while all clients post around midnight', async () => {
    await post(database.db, scope, deposit(1n), at(-600));
    let isOver = false;
    const decided: Awaited<ReturnType<typeof close>>[] = [];
    const closers = Array.from({ length: 4 }, async () => {
      while (!isOver) decided.push(await close());
    });
    let posted = 1n;
    await Promise.all(
      Array.from({ length: 20 }, async (_none, client) => {
        for (let turn = 0; turn < 8; turn += 1) {
          const amount = BigInt(1 + client * 8 + turn);
          const seconds = turn * 20 - 80 + (client % 7);
          const other = client % 5 === 0 ? 'JPY' : 'EUR';
          await post(database.db, scope, deposit(amount, other), at(seconds));
          if (other === 'EUR') posted += amount;
        }
      }),
    );
    isOver = true;
    await Promise.all(closers);
    const day = await close();
    expect(decided.length).toBeGreaterThan(4);
    for (const one of decided) expect(one).toEqual(day);
    const next = await close(DAY + 1);
    expect(next.opening).toBe(day.closing);
    const sum = [...day.entries, ...next.entries].reduce((total, amount) => total + amount, 0n);
    expect([sum, next.closing]).toEqual([posted, posted]);
  });

  it('is guarded by the database too', async () => {
    await post(database.db, scope, deposit(9n), at(-60));
    await close();
    const insert = (day: string, seq: number, closedAt: string) =>
      admin.query(`INSERT INTO balance_days VALUES ($1, 'test', 'EUR', $2, $3, 0, 0, 0, 0, $4)`, [
        scope.customerId,
        day,
        seq,
        closedAt,
      ]);
    await expect(insert('2026-05-05', 0, '2026-05-06T00:10:00Z')).rejects.toThrow(
      'between its neighbours',
    );
    await expect(insert('2026-05-01', 999_999, '2026-05-06T00:10:00Z')).rejects.toThrow(
      'between its neighbours',
    );
    await expect(insert('2026-05-06', 999_999, '2026-05-06T23:59:59Z')).rejects.toThrow(
      'closed_when_over',
    );
    for (const change of ['UPDATE balance_days SET available = 1', 'DELETE FROM balance_days']) {
      await expect(admin.query(change)).rejects.toThrow('append-only');
    }
  });
});
