import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const SCOPE = { customerId: 'cus_any', environment: 'test' } as const;

let database: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

/** What would have ended the process. */
let uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeEach(() => {
  uncaught = [];
  process.on('uncaughtException', note);
});
afterEach(() => {
  process.off('uncaughtException', note);
});

/** PostgreSQL ends a connection, as it does at a restart or after 30 s of an idle transaction. */
async function end(pid: number): Promise<void> {
  await admin.query('SELECT pg_terminate_backend($1)', [pid]);
  await until('the connection is gone', async () => {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
    return rowCount === 0 || null;
  });
}

const PID = 'SELECT pg_backend_pid() AS pid';
const goesOn = () => database.db.write(SCOPE, (tx) => tx.query<{ one: number }>('SELECT 1 AS one'));

describe('a connection that PostgreSQL ends in the middle of a transaction', () => {
  it('between two statements fails that transaction, and the process goes on', async () => {
    const work = database.db.write(SCOPE, async (tx) => {
      const [row] = await tx.query<{ pid: number }>(PID);
      await end(row?.pid ?? 0);
      return tx.query(PID);
    });
    await expect(work).rejects.toThrow();
    expect(await goesOn()).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  });

  it('while a statement runs fails that transaction, and the process goes on', async () => {
    const work = database.db.write(SCOPE, async (tx) => {
      const [row] = await tx.query<{ pid: number }>(PID);
      const [slept] = await Promise.allSettled([
        tx.query('SELECT pg_sleep(10)'),
        end(row?.pid ?? 0),
      ]);
      if (slept.status === 'rejected') throw new Error('lost', { cause: slept.reason });
    });
    await expect(work).rejects.toThrow();
    expect(await goesOn()).toEqual([{ one: 1 }]);
    expect(uncaught).toEqual([]);
  });
});
