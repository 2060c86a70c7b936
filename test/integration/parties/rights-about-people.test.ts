import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { connectAsRoles, type AsRoles } from '../../support/as-roles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

const DENIED = 'permission denied';
const ALL_DENIED = { app: DENIED, system: DENIED, dashboard: DENIED, console: DENIED };
const CONSOLE_ALONE = { app: DENIED, system: DENIED, dashboard: DENIED };

let database: TestDatabase;
let as: AsRoles;
let customerId: string;
let userId: string;
let operatorId: string;
const people = () => ({
  ...{ people: database.people, vault: createTestVault(), clock: createTestClock() },
});
beforeAll(async () => {
  database = await createTestDatabase();
  as = await connectAsRoles(database, () => customerId);
});
afterAll(async () => {
  await as.close();
  await database.close();
});
beforeEach(async () => {
  customerId = await database.db.system((tx) => addCustomer(tx));
  userId = (await addTestUser(people(), customerId, 'OWNER', undefined, 'INVITED')).id;
  operatorId = (await addTestOperator(people(), 'SUPPORT')).id;
});

describe('sessions and codes', () => {
  const OPEN = `SELECT open_session($1, $2, $3, $4, 'Firefox on Linux', '30 minutes', now(),
    now() + interval '1 hour', 5)`;

  it('are opened and judged by the console’s role alone, whatever surface they are for', async () => {
    for (const surface of ['console', 'dashboard']) {
      const session = () => [newId('ses'), randomBytes(32), surface, operatorId];
      expect(await as.eachRole(OPEN, session)).toEqual({ ...CONSOLE_ALONE, console: 1 });
    }
    for (const call of [
      `judge_login_code('console', sha256('x'), sha256('x'), sha256('x'), now())`,
      `open_login_challenge('console', sha256('x'), sha256('x'), sha256('x'), now(), now())`,
      `find_login_people('console', sha256('x'))`,
      `is_known_device('console', sha256('x'), sha256('x'), now())`,
    ]) {
      const outcomes = await as.eachRole(`SELECT ${call}`);
      expect(outcomes, call).toMatchObject(CONSOLE_ALONE);
      expect(outcomes['console'], call).not.toBe(DENIED);
    }
  });

  it('are stored, and found, by no statement beside the functions', async () => {
    expect(await as.eachRole('SELECT token_hash FROM sessions')).toEqual(ALL_DENIED);
    const forged = `INSERT INTO sessions (id, token_hash, surface, operator_id, browser, idle, created_at,
      last_used_at, expires_at) VALUES ($1, $2, 'console', $3, 'x', '1 hour', now(), now(), now())`;
    expect(await as.eachRole(forged, () => [newId('ses'), randomBytes(32), operatorId])).toEqual(
      ALL_DENIED,
    );
    expect(await as.eachRole('SELECT code_hash FROM login_challenges')).toEqual(ALL_DENIED);
    expect(await as.eachRole('DELETE FROM access_counters')).toEqual(ALL_DENIED);
  });
});

describe('a user whose address is not verified', () => {
  const NOT_VERIFIED = /not verified|new user is invited|permission denied/;
  const invite = (
    link: string = newId('link'),
  ) => `INSERT INTO invitations (id, customer_id, user_id, token_hash, created_at, expires_at)
    VALUES ('${newId('inv')}', $1, $2, sha256('${link}'), now(), now() + interval '1 day')`;
  const USE = 'UPDATE invitations SET used_at = now() WHERE customer_id = $1 AND user_id = $2';
  const ACTIVATE = `UPDATE users SET status = 'ACTIVE' WHERE customer_id = $1 AND id = $2`;
  const ids = () => [customerId, userId];
  const asSuperuser = async (...statements: string[]) => {
    const superuser = new pg.Client({ connectionString: database.url });
    await superuser.connect();
    try {
      for (const one of statements) {
        await superuser.query(one, one.includes('$1') ? ids() : []);
      }
    } finally {
      await superuser.end();
    }
  };

  it('is never stored as ACTIVE, nor as DISABLED: by no role, the tables’ owner neither', async () => {
    for (const status of ['ACTIVE', 'DISABLED']) {
      const insert = `INSERT INTO users (id, customer_id, address_hash, address, name, role, status, created_at)
        VALUES ('${newId('usr')}', $1, sha256($2::bytea), 'x', 'x', 'OWNER', '${status}', now())`;
      for (const outcome of Object.values(await as.eachRole(insert, ids))) {
        expect(outcome).toMatch(NOT_VERIFIED);
      }
      await expect(asSuperuser(insert)).rejects.toThrow('a new user is invited');
    }
  });

  it('becomes ACTIVE in the transaction that uses a link, which customers’ users cannot', async () => {
    expect(await as.eachRole([invite(), USE, ACTIVATE], ids)).toEqual({
      ...CONSOLE_ALONE,
      console: 1,
    });
    for (const outcome of Object.values(await as.eachRole([invite(), ACTIVATE], ids))) {
      expect(outcome).toMatch(NOT_VERIFIED);
    }
    const used = invite()
      .replace('expires_at)', 'expires_at, used_at)')
      .replace("day')", "day', now())");
    expect(await as.eachRole([used, ACTIVATE], ids)).toEqual({
      ...{ app: DENIED, system: DENIED, dashboard: DENIED },
      console: expect.stringContaining('it begins unused'),
    });
    expect(await as.eachRole('SELECT token_hash FROM invitations')).toMatchObject(CONSOLE_ALONE);
  });

  it('becomes ACTIVE by no link of an earlier time', async () => {
    await asSuperuser(invite(), 'BEGIN', USE, ACTIVATE, 'COMMIT');
    const change = (status: string) =>
      `UPDATE users SET status = '${status}' WHERE id = $2 AND customer_id = $1`;
    const second = (await addTestUser(people(), customerId, 'OWNER')).id;
    expect(second).not.toBe(userId);
    await asSuperuser(change('DISABLED'), change('INVITED'));
    // The link of before was used, and the new one is withdrawn.
    await asSuperuser(
      invite('another link'),
      `UPDATE invitations SET ended_at = now() WHERE customer_id = $1 AND user_id = $2 AND used_at IS NULL`,
    );
    await expect(asSuperuser(ACTIVATE)).rejects.toThrow('not verified');
    for (const role of ['causeway_dashboard', 'causeway_console'] as const) {
      expect(await as.attempt(role, ACTIVATE, ids())).toMatch('not verified');
    }
  });

  it('has the address that the link goes to', async () => {
    const other = `UPDATE users SET address_hash = sha256('other') WHERE customer_id = $1 AND id = $2`;
    for (const role of ['causeway_dashboard', 'causeway_console'] as const) {
      expect(await as.attempt(role, other, ids())).toMatch('only who is ACTIVE');
    }
    await asSuperuser(invite(), 'BEGIN', USE, ACTIVATE, 'COMMIT');
    for (const role of ['causeway_dashboard', 'causeway_console'] as const) {
      expect(await as.attempt(role, other, ids())).toBe(1);
    }
  });
});

describe('a customer', () => {
  it.each([
    ["status = 'SUSPENDED'", 1],
    ['live_access = false', 1],
    ['requires_passkeys = true', 1],
    ['status_version = status_version + 1', DENIED],
    ["name = 'Other Ltd'", DENIED],
    ["id = 'cus_other'", DENIED],
  ])('is changed by the console alone: %s', async (change, console) => {
    const update = `UPDATE customers SET ${change} WHERE id = $1`;
    const outcomes = await as.eachRole(update, () => [customerId]);
    expect(outcomes).toMatchObject({ system: DENIED, console });
    for (const role of ['app', 'dashboard']) {
      // They may lock the row, which asks for a right to change it; the policy lets no change pass.
      expect(outcomes[role], role).toMatch(/permission denied|row-level security/);
    }
  });

  it('is locked by the roles that accept its payments, as before', async () => {
    const lock = 'SELECT FROM customers WHERE id = $1 FOR SHARE';
    const outcomes = await as.eachRole(lock, () => [customerId]);
    expect(outcomes).toEqual({ app: 1, system: DENIED, dashboard: 1, console: 1 });
  });
});
