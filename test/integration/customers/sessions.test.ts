import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPerson, openSession } from '../../../src/modules/customers/access/sessions.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser, logIn } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

const MINUTE = 60_000;

describe('a session', () => {
  let database: TestDatabase;
  const clock = createTestClock();
  const vault = createTestVault();
  const deps = { vault, clock, operatorsNeedPasskeys: false };
  let customerId: string;
  let userId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  const people = () => ({ ...deps, people: database.people });
  beforeEach(async () => {
    customerId = await database.db.system((tx) => addCustomer(tx));
    userId = (await addTestUser(people(), customerId, 'OWNER')).id;
  });

  const open = async (personId = userId) =>
    (await database.people.system((tx) =>
      openSession(deps, tx, { surface: 'dashboard', personId, browser: 'Firefox on Linux' }),
    )) ?? '';
  const find = (token: string, isUse = true) =>
    findPerson(deps, database.people, 'dashboard', token, isUse);

  it('tells who is logged in, by its token on its surface alone', async () => {
    const token = await open();
    expect(await find(token)).toMatchObject({
      ...{ kind: 'USER', id: userId, role: 'OWNER', name: 'Sample OWNER' },
      customer: { id: customerId, name: 'Sample Ltd', isSuspended: false },
    });
    expect(await findPerson(deps, database.people, 'console', token, true)).toBeNull();
    expect(await find(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
  });

  it('has a hash of its own on each surface: one of the dashboard’s opens nothing in the console', async () => {
    const operatorId = (await addTestOperator(people(), 'ADMIN')).id;
    const token = await open();
    const superuser = new pg.Client({ connectionString: database.url });
    await superuser.connect();
    const { rows } = await superuser.query<{ hash: Buffer }>(
      'DELETE FROM sessions WHERE user_id = $1 RETURNING token_hash AS hash',
      [userId],
    );
    await superuser.query(
      `SELECT open_session($1, $2, 'console', $3, 'Firefox on Linux', '15 minutes', $4, $5, 5)`,
      [newId('ses'), rows[0]?.hash, operatorId, clock.now(), new Date('2126-01-01T00:00:00Z')],
    );
    await superuser.end();
    expect(await findPerson(deps, database.people, 'console', token, true)).toBeNull();
  });

  it('ends 30 minutes after its last use, and a page that refreshes itself is no use', async () => {
    const token = await open();
    clock.advance(29 * MINUTE);
    expect(await find(token, false)).not.toBeNull();
    clock.advance(2 * MINUTE);
    expect(await find(token)).toBeNull();
    const used = await open();
    clock.advance(29 * MINUTE);
    expect(await find(used)).not.toBeNull();
    clock.advance(29 * MINUTE);
    expect(await find(used)).not.toBeNull();
  });

  it('ends after 12 hours however much it is used', async () => {
    const token = await open();
    for (let used = 0; used < 12 * 60 - 20; used += 20) {
      clock.advance(20 * MINUTE);
      expect(await find(token), String(used)).not.toBeNull();
    }
    clock.advance(20 * MINUTE);
    expect(await find(token)).toBeNull();
  });

  it('is one of five at most: the oldest goes, also where ten are opened at once', async () => {
    const first = await open();
    clock.advance(1);
    const later = await Promise.all(Array.from({ length: 10 }, () => open()));
    const found = await Promise.all([first, ...later].map((token) => find(token)));
    expect(found[0]).toBeNull();
    expect(found.filter((person) => person !== null)).toHaveLength(5);
  });

  it('ends with a change of role and with disabling, and a disabled person opens none', async () => {
    const { id } = await addTestUser(people(), customerId, 'FINANCE');
    const change = (set: string) =>
      database.people.system((tx) => tx.query(`UPDATE users SET ${set} WHERE id = $1`, [id]));
    const token = await open(id);
    await change(`role = 'VIEWER'`);
    expect(await find(token)).toBeNull();
    const again = await open(id);
    expect(await find(again)).toMatchObject({ role: 'VIEWER' });
    await change(`status = 'DISABLED'`);
    expect(await find(again)).toBeNull();
    expect(await open(id)).toBe('');
  });

  it('once ended stays ended, for the owner of the table as well', async () => {
    const token = await open();
    await database.people.system((tx) =>
      tx.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [userId]),
    );
    expect(await find(token)).toBeNull();
    await expect(
      database.people.system((tx) =>
        tx.query('UPDATE sessions SET ended_at = NULL WHERE user_id = $1', [userId]),
      ),
    ).rejects.toThrow('it is over');
  });

  it('of an operator is of the console alone', async () => {
    const operator = await addTestOperator(people(), 'SUPPORT');
    const cookie = await logIn(people(), 'console', operator.id);
    const token = cookie.replace('__Host-console=', '');
    expect(await findPerson(deps, database.people, 'console', token, true)).toMatchObject({
      ...{ kind: 'OPERATOR', id: operator.id, role: 'SUPPORT' },
    });
    expect(await find(token)).toBeNull();
    expect(await open(operator.id)).toBe('');
  });
});

describe('people', () => {
  let database: TestDatabase;
  const deps = { vault: createTestVault(), clock: createTestClock() };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  it('are written by neither API nor worker', async () => {
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const { id } = await addTestUser({ ...deps, people: database.people }, customerId, 'OWNER');
    const scope = { customerId, environment: 'test' } as const;
    for (const sql of [
      `UPDATE users SET role = 'OWNER' WHERE id = '${id}'`,
      `INSERT INTO operators SELECT id, address_hash, address, name, 'ADMIN' FROM users`,
      `UPDATE sessions SET ended_at = NULL`,
      `SELECT find_session('dashboard', '\\x00', now(), true)`,
      `DELETE FROM users`,
    ]) {
      await expect(
        database.db.write(scope, (tx) => tx.query(sql)),
        sql,
      ).rejects.toThrow('permission denied');
      await expect(
        database.db.system((tx) => tx.query(sql)),
        sql,
      ).rejects.toThrow('permission denied');
    }
  });

  it('keep an owner: of two who step down at once one is refused', async () => {
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const owners = await Promise.all(
      [1, 2].map(() => addTestUser({ ...deps, people: database.people }, customerId, 'OWNER')),
    );
    const scope = { customerId, environment: 'test' } as const;
    const ends = await Promise.allSettled(
      owners.map(({ id }) =>
        database.people.write(scope, (tx) =>
          tx.query(`UPDATE users SET role = 'VIEWER' WHERE id = $1`, [id]),
        ),
      ),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
