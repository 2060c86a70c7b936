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
  expect(log.heldUp).toEqual([1]);
  await log.seal();
  expect((await sealed()).at(-1)).toEqual(['slow', 'quick']);
});

/** A seal after the newest one over the newest row, but for what is changed. */
const sealWith = (changed: Readonly<Record<string, string>> = {}): string => {
  const columns = {
    ...{ number: 's.number + 1', first_id: 'a.id', last_id: 'a.id', row_count: '1' },
    ...{ previous_hash: 's.hash', hash: 's.hash', mac: 's.mac', sealed_at: 'now()' },
    ...changed,
  };
  return `INSERT INTO audit_seals (${Object.keys(columns).join(', ')})
    SELECT ${Object.values(columns).join(', ')}
    FROM (SELECT * FROM audit_seals ORDER BY number DESC LIMIT 1) s,
      (SELECT max(id) AS id FROM audit_log) a`;
};

it('only the worker’s role seals', async () => {
  await log.act('last');
  expect(await as.eachRole(sealWith())).toEqual({
    ...{ app: 'permission denied', system: 1, dashboard: 'permission denied' },
    console: 'row-level security',
  });
});

it.each([
  ['with a number that leaves some out', { number: 's.number + 2' }],
  ['with the largest number', { number: '9223372036854775807' }],
  ['over rows that are sealed', { first_id: '1' }],
  ['up to a row that is not there', { last_id: '9223372036854775806' }],
  ['from a row that is not there', { first_id: 'a.id - 1000000000', last_id: 'a.id' }],
  ['after another hash', { previous_hash: 'sha256(s.hash)' }],
] as const)('nobody seals %s, which would stop the seals after it', async (_what, changed) => {
  await log.act('next');
  const inserted = superuser.query(sealWith(changed));
  await expect(inserted).rejects.toThrow('it does not follow the newest seal');
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
