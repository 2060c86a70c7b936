import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { connectAsRoles, type AsRoles } from '../../support/as-roles.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestVault } from '../../support/test-vault.ts';

let database: TestDatabase;
let customerId: string;
let strangerId: string;
let keyId: string;
let as: AsRoles;

beforeAll(async () => {
  database = await createTestDatabase();
  const { system } = database.db;
  customerId = await system((tx) => addCustomer(tx));
  strangerId = await system((tx) => addCustomer(tx));
  keyId = (await system((tx) => addApiKey(tx, createTestVault(), { customerId }))).id;
  as = await connectAsRoles(database, () => customerId);
});
afterAll(async () => {
  await as.close();
  await database.close();
});

const eachRole: AsRoles['eachRole'] = (...given) => as.eachRole(...given);
const attempt: AsRoles['attempt'] = (...given) => as.attempt(...given);
const DENIED = 'permission denied';

describe('who may write keys and addresses', () => {
  const INSERT_KEY = `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac,
      last4, scopes, created_at)
    VALUES ($1, $2, 'test', $3, 'one', $4, 'abcd', '{*}', now())`;
  const key = (owner: string) => () => [
    ...[newId('key'), owner, randomBytes(6).toString('hex'), randomBytes(32)],
  ];

  it('neither API nor worker can make a key, widen one, or take its revocation back', async () => {
    expect(await eachRole(INSERT_KEY, key(customerId))).toEqual({
      ...{ app: DENIED, system: DENIED, dashboard: 1, console: 1 },
    });
    for (const change of ["scopes = '{*}'", 'open_to_any_address = true']) {
      const update = `UPDATE api_keys SET ${change} WHERE id = $1`;
      expect(await eachRole(update, () => [keyId])).toEqual({
        ...{ app: DENIED, system: DENIED, dashboard: DENIED, console: 1 },
      });
    }
    // Revoking is the dashboard's too; that no role takes it back is said in key-guards.test.ts.
    const revoke = 'UPDATE api_keys SET revoked_at = now() WHERE id = $1';
    expect(await eachRole(revoke, () => [keyId])).toEqual({
      ...{ app: DENIED, system: DENIED, dashboard: 1, console: 1 },
    });
  });

  it('the dashboard makes keys of its own customer alone, and only open ones count as such', async () => {
    expect(await attempt('causeway_dashboard', INSERT_KEY, key(strangerId)())).toBe(
      'row-level security',
    );
    const revived = INSERT_KEY.replace('created_at)', 'created_at, last_used_at)').replace(
      'now())',
      'now(), now())',
    );
    expect(await attempt('causeway_dashboard', revived, key(customerId)())).toBe(DENIED);
  });

  it('an address from the dashboard is PENDING, whatever it says', async () => {
    const propose = `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, created_at)
      VALUES ($1, 'test', $2, '203.0.113.0/24', now())`;
    expect(await eachRole(propose, () => [customerId, keyId])).toEqual({
      ...{ app: DENIED, system: DENIED, dashboard: 1, console: 1 },
    });
    const approve = propose
      .replace('created_at)', 'created_at, status)')
      .replace('now())', "now(), 'APPROVED')");
    expect(await attempt('causeway_dashboard', approve, [customerId, keyId])).toBe(DENIED);
    const update = `UPDATE api_key_addresses SET status = 'APPROVED'`;
    expect(await attempt('causeway_dashboard', update)).toBe(DENIED);
    expect(await attempt('causeway_system', update)).toBe(DENIED);
  });

  it('the API still notes when a key was used', async () => {
    const at = '2026-11-22T00:00:00Z';
    const marks = JSON.stringify({ [keyId]: { at, address: '198.51.100.7' } });
    await database.db.query('SELECT note_api_key_uses($1)', [marks]);
    const [row] = await database.db.system((tx) =>
      tx.query<{ at: Date }>('SELECT last_used_at AS at FROM api_keys WHERE id = $1', [keyId]),
    );
    expect(row?.at).toEqual(new Date(at));
  });
});

describe('what the two roles inherit', () => {
  it('the dashboard is bound to its scope, the console sees every one', async () => {
    const outcomes = await eachRole('SELECT FROM customers WHERE id = ANY ($1)', () => [
      [customerId, strangerId],
    ]);
    expect(outcomes).toEqual({ app: 1, system: 2, dashboard: 1, console: 2 });
  });

  it('neither can put on another role, though it inherits from one', async () => {
    for (const [role, other] of [
      ['causeway_dashboard', 'causeway_app'],
      ['causeway_console', 'causeway_system'],
      ['causeway_dashboard', 'causeway_console'],
    ]) {
      const [row] = await database.people.system((tx) =>
        tx.query<{ may: boolean }>(`SELECT pg_has_role($1, $2, 'SET') AS may`, [role, other]),
      );
      expect(row?.may, `${role ?? ''} ${other ?? ''}`).toBe(false);
    }
  });
});

describe('forms that were sent', () => {
  const USE = 'INSERT INTO form_uses (form_id, expires_at) VALUES ($1, $2)';

  it('are written by people’s roles alone, and cannot be made unsent', async () => {
    expect(await eachRole(USE, () => [randomBytes(16), new Date()])).toEqual({
      ...{ app: DENIED, system: DENIED, dashboard: 1, console: 1 },
    });
    const later = new Date('2126-01-01T00:00:00Z');
    await database.people.system((tx) => tx.query(USE, [randomBytes(16), later]));
    const outcomes = await eachRole('DELETE FROM form_uses');
    expect(outcomes).toEqual({ app: DENIED, system: DENIED, dashboard: 0, console: 0 });
    // Of those who may forget what has expired, none finds a row to change.
    expect(await eachRole('UPDATE form_uses SET expires_at = now()')).toEqual({
      ...{ app: DENIED, system: DENIED, dashboard: 0, console: 0 },
    });
  });
});
