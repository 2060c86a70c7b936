import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** A shorter comment does not say what a row is. */
const LENGTH_MIN = 20;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Tables, partitioned tables and views of the schema. The migration tool makes `schema_migrations` itself. */
const relations = () =>
  database.db.system((tx) =>
    tx.query<{ name: string; comment: string | null }>(
      `SELECT c.relname AS name, obj_description(c.oid, 'pg_class') AS comment
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
         AND c.relname <> 'schema_migrations'
       ORDER BY c.relname`,
    ),
  );

it('every table says what a row is', async () => {
  const found = await relations();

  expect(found.map(({ name }) => name)).toContain('payments');
  expect(
    found
      .filter(({ comment }) => (comment ?? '').trim().length < LENGTH_MIN)
      .map(({ name }) => name),
  ).toEqual([]);
});
