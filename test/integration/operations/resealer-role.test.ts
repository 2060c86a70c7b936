import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLoginPeople } from '../../../src/db/customers/login-store.ts';
import { findPerson, openSession } from '../../../src/modules/customers/access/sessions.ts';
import { HASH_COLUMNS } from '../../../src/modules/operations/resealing/hash-columns.ts';
import { raiseAllHashes } from '../../../src/modules/operations/resealing/raise-hashes.ts';
import { createVault, type Vault } from '../../../src/vault/vault.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { storeSealedRows } from '../../support/operations/sealed-rows.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { peppersOf, samplePepper } from '../../support/test-vault.ts';

const vaultOf = (peppers: string): Vault =>
  createVault({
    ...{ encryption: new Map([[1, Buffer.alloc(32, 1)]]), currentKeyId: 1 },
    peppers: peppersOf(peppers),
  });
const before = vaultOf(samplePepper(2));
const rotating = vaultOf(`${samplePepper(2)},1:${samplePepper(3)}`);
const clock = createTestClock();

let database: TestDatabase;
let admin: pg.Client;
let role: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  role = new pg.Client({
    ...{ connectionString: database.url, options: '-c role=causeway_resealer' },
  });
  await Promise.all([admin.connect(), role.connect()]);
});
afterAll(async () => {
  await Promise.all([admin.end(), role.end()]);
  await database.close();
});

/** How many rows the role has changed, or why it may not. */
const outcome = (sql: string, values: readonly unknown[] = []) =>
  role.query(sql, [...values]).then(
    ({ rowCount }) => rowCount,
    (error: unknown) => (error as Error).message,
  );

describe('who has the role causeway_resealer and no pepper', () => {
  it('gets into no session of another person', async () => {
    const people = { people: database.people, vault: rotating, clock };
    const own = await addTestOperator(people, 'SUPPORT');
    const other = await addTestOperator(people, 'ADMIN');
    const open = ({ id: personId }: { readonly id: string }) =>
      database.people.system((tx) =>
        openSession(people, tx, { surface: 'console', personId, browser: 'Firefox' }),
      );
    const token = (await open(own)) ?? '';
    await open(other);
    const { rows } = await admin.query<{ hash: Buffer }>(
      'SELECT token_hash AS hash FROM sessions WHERE operator_id = $1',
      [own.id],
    );
    const update = 'UPDATE sessions SET token_hash = $1';
    expect(await outcome(update, [randomBytes(32)])).toContain('permission denied');
    expect(await outcome(update, [rows[0]?.hash])).toContain('permission denied');
    const deps = { vault: rotating, clock, operatorsNeedPasskeys: false };
    const person = await findPerson(deps, database.people, 'console', token, true);
    expect(person?.id).toBe(own.id);
  });

  it('reaches no account of another person under their own address', async () => {
    const people = { people: database.people, vault: rotating, clock };
    const [one, two] = await Promise.all(
      ['one', 'two'].map(() => database.db.system((tx) => addCustomer(tx))),
    );
    const own = await addTestUser(people, one ?? '', 'VIEWER');
    const other = await addTestUser(people, two ?? '', 'OWNER');
    const hash = rotating.keyedHash('mail-address', own.address);
    const taken = await outcome('UPDATE users SET address_hash = $1 WHERE id = $2', [
      ...[hash, other.id],
    ]);
    expect(taken).toContain('users.address_hash: a hash moves to a later pepper');
    const found = await database.people.system((tx) =>
      findLoginPeople(tx, 'dashboard', rotating.keyedHashes('mail-address', own.address)),
    );
    expect(found.map(({ id }) => id)).toEqual([own.id]);
  });

  describe('moves hashes to a later pepper, and does nothing else to', () => {
    beforeAll(async () => {
      await storeSealedRows(database.url, before);
      const deps = { db: database.resealing, vault: rotating, showProgress: () => undefined };
      expect((await raiseAllHashes(deps)).count).toBe(HASH_COLUMNS.length);
    });

    /** A hash under a pepper, as PostgreSQL reads it. */
    const hashUnder = (number: number): string =>
      `'\\x${number === 0 ? '' : number.toString(16).padStart(2, '0')}${'ab'.repeat(32)}'::bytea`;

    it.each(HASH_COLUMNS.map((one) => [`${one.table}.${one.column}`, one] as const))(
      '%s',
      async (place, { table, column, type }) => {
        const set = (value: string) => outcome(`UPDATE ${table} SET ${column} = ${value}`);
        const [same, earlier] = [1, 0].map(hashUnder);
        const [none, short] = [`''::bytea`, `'\\x0201'::bytea`];
        const values =
          type === 'bytea'
            ? [same, earlier, none, short]
            : [
                ...['{}', `{"\\\\x"}`].map((text) => `'${text}'`),
                `ARRAY[${column}[1]]`,
                `ARRAY[${column}[2], ${column}[1]]`,
                `${column} || ${hashUnder(2)}`,
                ...[same, earlier, none, short, 'NULL'].map(
                  (value) => `ARRAY[${value ?? ''}, ${column}[2]]`,
                ),
              ];
        for (const value of values) {
          expect(await set(value ?? ''), value).toContain(`${place}: a hash moves to a later`);
        }
        await role.query('BEGIN');
        const later = (of: string) => `'\\x02'::bytea || sha256(${of})`;
        const moved =
          type === 'bytea' ? later(column) : `ARRAY[${later(`${column}[1]`)}, ${column}[2]]`;
        expect(await set(moved)).toBeGreaterThan(0);
        await role.query('ROLLBACK');
      },
    );
  });

  it('puts no hash where there is none', async () => {
    await admin.query('BEGIN; SET LOCAL session_replication_role = replica');
    await admin.query('UPDATE address_changes SET cancel_hash = NULL');
    await admin.query('COMMIT');
    const put = `UPDATE address_changes SET cancel_hash = '\\x02'::bytea || sha256('any')`;
    expect(await outcome(put)).toContain('address_changes.cancel_hash: a hash moves to a later');
  });

  it('is named where it has put the hash of an address in the place of one that had not moved', async () => {
    const people = { people: database.people, clock };
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const own = await addTestUser({ ...people, vault: rotating }, customerId, 'VIEWER');
    const elsewhere = await database.db.system((tx) => addCustomer(tx));
    const other = await addTestUser({ ...people, vault: before }, elsewhere, 'OWNER');
    const commands = createOpsCommands(database.commands, clock, {
      ...{ vault: rotating, resealing: database.resealing },
    });
    const isForeign = 'is not the hash of the address of that account';
    expect((await commands('secrets', 'status')).printed).not.toContain(isForeign);
    const hash = rotating.keyedHash('mail-address', own.address);
    expect(
      await outcome('UPDATE users SET address_hash = $1 WHERE id = $2', [hash, other.id]),
    ).toBe(1);
    const { code, printed } = await commands('secrets', 'status');
    expect(printed).toContain(`users.address_hash of ${other.id} ${isForeign}`);
    expect(printed).toContain('Nothing is hashed under another pepper than 1.');
    expect(code).toBe(1);
  });
});
