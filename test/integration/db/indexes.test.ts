import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findException } from '../../../src/db/reconciliation/exception-act-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { INDEX_QUERIES } from '../../support/db/index-queries.ts';
import { planForAnyValues, planOf, planWithout } from '../../support/db/plans.ts';
import { statementsOf } from '../../support/db/statements-of.ts';

let database: TestDatabase;
let client: pg.Client;
/** By index: its table, and the columns of its key. */
const names = new Map<string, readonly string[]>();
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await planForAnyValues(client);
  const { rows } = await client.query<{ index: string; table: string; columns: string[] }>(
    `SELECT indexrelid::regclass::text AS index, indrelid::regclass::text AS table,
       ARRAY(SELECT attname::text FROM unnest(indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
         JOIN pg_attribute a USING (attnum) WHERE a.attrelid = indrelid ORDER BY place) AS columns
     FROM pg_index JOIN pg_class t ON t.oid = indrelid
     WHERE t.relnamespace = 'public'::regnamespace AND NOT indisunique`,
  );
  for (const { index, table, columns } of rows) names.set(index, [table, ...columns]);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

it('every index but those of constraints has a query', () => {
  expect([...names.keys()].sort()).toEqual(Object.keys(INDEX_QUERIES).sort());
});

describe('an index is used by its query:', () => {
  it.each(Object.entries(INDEX_QUERIES))('%s', async (index, use) => {
    const named = (names.get(index) ?? ['no such index']).map(
      (name) => expect.stringMatching(new RegExp(`\\b${name}\\b`)) as string,
    );
    if (use.kind === 'FUNCTION') {
      const { rows } = await client.query<{ source: string }>(
        'SELECT prosrc AS source FROM pg_proc WHERE proname = $1',
        [use.name],
      );
      const source = rows.map((row) => row.source).join();
      expect(
        named.map(() => source),
        use.name,
      ).toEqual(named);
      return;
    }
    const statements = await statementsOf(use.ask, use.given);
    if (use.kind === 'SENT') {
      const leading = named.slice(0, 2);
      expect(
        leading.map(() => statements.join()),
        use.ask.name,
      ).toEqual(leading);
      return;
    }
    const plans = await Promise.all(statements.map((text) => planOf(client, text)));
    const reading = plans.findIndex(({ indexes }) => indexes.has(index));
    const read = plans.flatMap(({ indexes }) => [...indexes]);
    expect(read, `${use.ask.name} reads other indexes`).toContain(index);
    if (use.kind === 'READ') return;
    const without = await planWithout(client, index, statements[reading] ?? '');
    expect(without.cost, `${use.ask.name} costs as much without it`).toBeGreaterThan(
      plans[reading]?.cost ?? 0,
    );
  });
});

it('an exception is found by the keys of its line, and not by the ids of all lines', async () => {
  const [text = ''] = await statementsOf(findException, ['12/3']);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Cond: \(\(statement_id = .*\) AND \(line = /);
});
