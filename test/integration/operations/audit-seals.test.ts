import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAsRoles, type AsRoles } from '../../support/as-roles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { auditLogOf } from '../../support/sealed-audit-log.ts';
import { addCustomer } from '../../support/test-customer.ts';

let database: TestDatabase;
let superuser: pg.Client;
let as: AsRoles;
let log: ReturnType<typeof auditLogOf>;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  const customerId = await database.db.system((tx) => addCustomer(tx));
  as = await connectAsRoles(database, () => customerId);
  log = auditLogOf(database);
});
afterAll(async () => {
  await as.close();
  await superuser.end();
  await database.close();
});

const sealed = async () =>
  (
    await superuser.query<{ subjects: string[] }>(
      `SELECT ARRAY(SELECT subject FROM audit_log a WHERE a.id BETWEEN s.first_id AND s.last_id
         ORDER BY a.id) AS subjects FROM audit_seals s ORDER BY number`,
    )
  ).rows.map(({ subjects }) => subjects);

it('each row gets one seal, and a run with nothing new makes none', async () => {
  await log.act('first');
  await log.act('second');
  await log.seal();
  await log.seal();
  await log.act('third');
  await log.seal();
  expect(await sealed()).toEqual([['first', 'second'], ['third']]);
  expect(log.heads.map(({ seal, rows }) => [seal, rows])).toEqual([
    ['1', 2],
    ['2', 1],
  ]);
});

it('a row that commits after a later one is sealed with it, and not passed over', async () => {
  await superuser.query('BEGIN');
  await superuser.query(
    `INSERT INTO audit_log (at, actor, action, subject) VALUES (now(), 'operator:ben', 'slow', 'slow')`,
  );
  await log.act('quick');
  const before = await sealed();
  await log.seal();
  const during = await sealed();
  await superuser.query('COMMIT');
  expect(during).toEqual(before);
  await log.seal();
  expect((await sealed()).at(-1)).toEqual(['slow', 'quick']);
});

const SEAL = `INSERT INTO audit_seals (number, first_id, last_id, row_count, previous_hash, hash, mac, sealed_at)
  SELECT 1000, 1000, 1000, 1, hash, hash, mac, now() FROM audit_seals WHERE number = 1`;

it('only the worker’s role seals', async () => {
  expect(await as.eachRole(SEAL)).toEqual({
    ...{ app: 'permission denied', system: 1, dashboard: 'permission denied' },
    console: 'row-level security',
  });
});

it('no role changes or deletes a seal, and none chooses the id of a row', async () => {
  const denied = Object.fromEntries(
    ['app', 'system', 'dashboard', 'console'].map((role) => [role, 'permission denied']),
  );
  expect(await as.eachRole('UPDATE audit_seals SET row_count = 9')).toEqual(denied);
  expect(await as.eachRole('DELETE FROM audit_seals')).toEqual(denied);
  const chosen = `INSERT INTO audit_log (id, at, actor, action, subject) OVERRIDING SYSTEM VALUE
    VALUES (-1, now(), 'operator:ben', 'x', 'x')`;
  expect(await as.eachRole(chosen)).toEqual(denied);
  for (const change of ['UPDATE audit_seals SET row_count = 9', 'DELETE FROM audit_seals']) {
    await expect(superuser.query(change)).rejects.toThrow('append-only');
  }
});
