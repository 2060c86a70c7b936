import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLinesNaming } from '../../../src/db/reconciliation/repeated-line-store.ts';
import { countStatementLines } from '../../../src/db/reconciliation/statement-count-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const LINES = 2_000;
const ATTEMPTS = 1_000;

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

async function addStatement(nth: number): Promise<bigint> {
  const { rows } = await owner.query<{ id: bigint }>(
    `INSERT INTO statements (environment, connector, bank_statement_id, series, sequence, status, from_at, to_at,
       account, report, listed_at)
     VALUES ('test', 'http-bank', $1, 0, $2, 'READ', '2026-09-29', '2026-09-30', 'an account', 'DAY',
       '2026-09-30')
     RETURNING id`,
    [`statement ${String(nth)}`, nth],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the statement was not added');
  await owner.query(
    `INSERT INTO statement_lines (statement_id, line, entry, reference, amount, currency, direction, is_reversal,
       booked, environment)
     SELECT $1, n, n, 'ref' || n, 10, 'EUR', 'DBIT', false, true, 'test' FROM generate_series(1, $2::int) n`,
    [id, LINES],
  );
  return id;
}

it('a statement is read once for all attempts that it names, whatever index the planner takes', async () => {
  // The planner takes it only where the statistics speak for it, and they know nothing of a new statement.
  await owner.query('DROP INDEX statement_lines_named, statement_lines_by_reference');
  const id = await addStatement(1);
  const attempts = Array.from({ length: ATTEMPTS }, (_none, nth) => ({
    paymentId: `payment ${String(nth + 1)}`,
    reference: `REF${String(nth + 1)}`,
  }));
  await database.db.system(async (tx) => {
    const found = await readLinesNaming(tx, id, attempts);
    expect(found.map(({ line, paymentId }) => [line, paymentId])).toEqual(
      attempts.map(({ paymentId }, nth) => [nth + 1, paymentId]),
    );
    const ones = attempts.map((attempt) => ({
      ...{ ...attempt, amount: '10.00', currency: 'EUR', minorDigits: 2, isDead: false },
    }));
    const counted = await countStatementLines(tx, id, ones);
    expect(counted.filter(({ kind, count }) => kind === 'PAYOUT' && count === 1n)).toHaveLength(
      ATTEMPTS,
    );
    const [row] = await tx.query<{ rows: number }>(
      `SELECT (idx_tup_fetch + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables
       WHERE relname = 'statement_lines'`,
    );
    expect(row?.rows).toBeLessThanOrEqual(3 * LINES);
  });
});
