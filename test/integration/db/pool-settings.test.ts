import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool, type DatabaseRole } from '../../../src/db/client/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe.each<DatabaseRole>(['causeway_app', 'causeway_system'])('a connection of %s', (role) => {
  it('commits durably where the database is set not to', async () => {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = off`,
    );
    await admin.end();
    const show = async (pool: pg.Pool) => {
      const { rows } = await pool.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
      await pool.end();
      return rows;
    };
    const plain = new pg.Pool({ connectionString: database.url });
    expect(await show(plain)).toEqual([{ synchronous_commit: 'off' }]);
    const own = { url: database.url, role, connectionsMax: 1, onError: () => undefined };
    expect(await show(createPool(own))).toEqual([{ synchronous_commit: 'on' }]);
  });
});
