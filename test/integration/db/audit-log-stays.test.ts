import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordAudit } from '../../../src/db/operations/audit-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.people.system((tx) =>
    recordAudit(tx, {
      ...{ at: new Date('2026-01-05T10:00:00Z'), actor: { kind: 'OPERATOR', name: 'ada' } },
      ...{ action: 'release.stop', subject: 'all', details: { reason: 'the bank is down' } },
      scope: { customerId: null, environment: null },
    }),
  );
});
afterAll(() => database.close());

it('a row of the audit log is changed and removed by nobody, its owner neither', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const change of ["UPDATE audit_log SET actor = 'operator:ben'", 'DELETE FROM audit_log']) {
      for (const { system } of [database.db, database.people, database.commands]) {
        await expect(
          system((tx) => tx.query(change)),
          change,
        ).rejects.toThrow(/permission denied/);
      }
      await expect(client.query(change), change).rejects.toThrow('append-only');
    }
    const { rows } = await client.query('SELECT actor FROM audit_log');
    expect(rows).toEqual([{ actor: 'operator:ada' }]);
  } finally {
    await client.end();
  }
});
