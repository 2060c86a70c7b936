import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockSealedValues, storeResealed } from '../../../src/db/operations/reseal-store.ts';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { lockHashes, storeHashes } from '../../../src/db/operations/keyed-hash-store.ts';
import { HASH_COLUMNS } from '../../../src/modules/operations/resealing/hash-columns.ts';
import {
  countByPepper,
  raiseAllHashes,
} from '../../../src/modules/operations/resealing/raise-hashes.ts';
import { countByKey, resealAll } from '../../../src/modules/operations/resealing/reseal.ts';
import { SEALED_COLUMNS } from '../../../src/modules/operations/resealing/sealed-columns.ts';
import { createVault, type Vault } from '../../../src/vault/vault.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { hashedText, storeSealedRows } from '../../support/operations/sealed-rows.ts';
import { peppersOf, samplePepper, TEST_PEPPERS } from '../../support/test-vault.ts';

const [OLD, NEW] = [samplePepper(2), `1:${samplePepper(3)}`];
const MIXED = `${OLD},${NEW}`;

/** With one encryption key. */
const pepperedVault = (peppers: string): Vault =>
  createVault({
    ...{ encryption: new Map([[1, Buffer.alloc(32, 1)]]), currentKeyId: 1 },
    peppers: peppersOf(peppers),
  });

/** Keys by their numbers; the last one seals. */
function vaultOf(...ids: readonly number[]): Vault {
  return vaultWith(ids.map((id) => [id, id]));
}

/** The same of keys that are made of what each number names. */
function vaultWith(keys: readonly (readonly [id: number, madeOf: number])[]): Vault {
  return createVault({
    encryption: new Map(keys.map(([id, madeOf]) => [id, Buffer.alloc(32, madeOf)])),
    currentKeyId: keys.at(-1)?.[0] ?? 0,
    peppers: TEST_PEPPERS,
  });
}

/** Columns of bytes that hold neither what the vault has sealed nor a keyed hash that outlives a session. */
const NEITHER = [
  'access_counters.key',
  'approval_signatures.authenticator_data',
  'approval_signatures.client_data',
  'approval_signatures.credential_id',
  'approval_signatures.signature',
  'approvals.content_hash',
  'audit_seals.hash',
  'audit_seals.mac',
  'audit_seals.previous_hash',
  'booked_returns.key',
  'booking_references.key',
  'chain_nonces.mark',
  'chain_transactions.raw',
  'chain_transactions.unsigned',
  'chain_transfers.body',
  'credit_reversals.booking_key',
  'form_uses.form_id',
  'incoming_credits.booking_key',
  'login_challenges.address_hash',
  'login_challenges.browser_hash',
  'login_challenges.code_hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'sessions.token_hash',
  'statement_lines.booking_key',
];

let database: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await admin.query<Row & pg.QueryResultRow>(sql, values)).rows as Row[];

const places = [...SEALED_COLUMNS, ...HASH_COLUMNS].map((one) => `${one.table}.${one.column}`);
const tables = [...new Set([...SEALED_COLUMNS, ...HASH_COLUMNS].map(({ table }) => table))];
const inListOrder = (place: string): number =>
  SEALED_COLUMNS.findIndex(({ table, column }) => `${table}.${column}` === place);

const depsWith = (vault: Vault) => ({
  ...{ db: database.resealing, vault, showProgress: () => undefined },
});

describe('the lists of sealed columns and of keyed hashes', () => {
  it('name every column of bytes that holds one', async () => {
    const stored = await rows<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'public' AND (data_type = 'bytea' OR udt_name = '_bytea') ORDER BY 1`,
    );
    expect(stored.map(({ place }) => place)).toEqual([...places, ...NEITHER].toSorted());
  });

  it('are what the role may change, and the keys are those of the tables', async () => {
    const granted = await rows<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.column_privileges
       WHERE grantee = 'causeway_resealer' AND privilege_type = 'UPDATE'`,
    );
    expect(granted.map(({ place }) => place).toSorted()).toEqual(places.toSorted());
    for (const { table, key } of [...SEALED_COLUMNS, ...HASH_COLUMNS]) {
      const [primary] = await rows<{ columns: string[] }>(
        `SELECT array_agg(a.attname::text ORDER BY k.turn) AS columns FROM pg_constraint c,
           unnest(c.conkey) WITH ORDINALITY AS k (number, turn)
           JOIN pg_attribute a ON a.attnum = k.number
         WHERE c.conrelid = $1::regclass AND c.contype = 'p' AND a.attrelid = c.conrelid`,
        [table],
      );
      expect(Object.keys(key), table).toEqual(primary?.columns);
    }
  });
});

describe('sealing stored values anew', () => {
  beforeEach(() => storeSealedRows(database.url, vaultOf(1)));
  afterEach(async () => {
    await admin.query(`SET session_replication_role = 'replica'`);
    for (const table of tables) await admin.query(`DELETE FROM ${table}`);
    await admin.query(`SET session_replication_role = 'origin'`);
  });

  /** Every row without the columns that are to change. */
  async function others(changing: readonly string[] = SEALED_COLUMNS.map(({ column }) => column)) {
    const found: object[][] = [];
    for (const table of tables) {
      const names = [...changing];
      found.push(
        await rows(`SELECT to_jsonb(t) - $1::text[] AS row FROM ${table} t ORDER BY t::text`, [
          names,
        ]),
      );
    }
    return found;
  }

  const valuesOf = (table: string, column: string, key: readonly string[]) =>
    rows<{ key: string[]; sealed: Buffer }>(
      `SELECT ARRAY[${key.map((name) => `${name}::text`).join(', ')}] AS key, ${column} AS sealed FROM ${table}`,
    );

  it('moves every column to the new key, whatever guards its row, and changes nothing else', async () => {
    const before = await others();
    const { count, unopened } = await resealAll(depsWith(vaultOf(1, 2)));
    expect(unopened).toEqual([]);
    expect(count).toBe(SEALED_COLUMNS.length);
    expect(await others()).toEqual(before);
    const onlyNew = vaultOf(2);
    for (const { table, column, key, rowOf } of SEALED_COLUMNS) {
      for (const one of await valuesOf(table, column, Object.keys(key))) {
        const plain = onlyNew.open(one.sealed, rowOf(one.key)).toString();
        expect(plain).toBe(`${table}.${column}`);
      }
    }
    for (const { place, byKey } of await countByKey(depsWith(onlyNew))) {
      expect([...byKey], place).toEqual([[2, 1]]);
    }
  });

  it('leaves what is sealed under an end-user’s key, which the new key opens afterwards', async () => {
    const [old, both] = [vaultOf(1), vaultOf(1, 2)];
    const ownerKey = old.newOwnerKey('eu_owner');
    const owner = { endUserId: 'eu_owner', ownerKey };
    const [account] = await rows<{ id: string }>('SELECT id FROM bank_accounts');
    const row = `bank_accounts/${account?.id ?? ''}`;
    const personal = old.of(owner).seal(Buffer.from('theirs'), row);
    await admin.query(`SET session_replication_role = 'replica'`);
    await admin.query('UPDATE bank_accounts SET personal = $1', [personal]);
    await admin.query(
      `INSERT INTO end_user_keys (end_user_id, customer_id, environment, wrapped_key)
       VALUES ('eu_owner', 'cus_one', 'test', $1)`,
      [ownerKey],
    );
    await admin.query(`SET session_replication_role = 'origin'`);

    await resealAll(depsWith(both));
    const [kept] = await rows<{ personal: Buffer }>('SELECT personal FROM bank_accounts');
    expect(kept?.personal.equals(personal)).toBe(true);
    const [wrapped] = await rows<{ key: Buffer }>(
      `SELECT wrapped_key AS key FROM end_user_keys WHERE end_user_id = 'eu_owner'`,
    );
    const rewrapped = { endUserId: 'eu_owner', ownerKey: wrapped?.key ?? null };
    expect(vaultOf(2).of(rewrapped).open(personal, row).toString()).toBe('theirs');
  });

  it('keeps a value that a process has changed meanwhile', async () => {
    const users = SEALED_COLUMNS[inListOrder('users.name')]!;
    const [stored] = await valuesOf('users', 'name', ['id']);
    const row = users.rowOf(stored!.key);
    const changed = vaultOf(2).seal(Buffer.from('another name'), row);
    const both = vaultOf(1, 2);
    const count = await database.resealing.system(async (tx) => {
      const [value] = await lockSealedValues(tx, users, [stored!.key]);
      const { key, sealed } = value!;
      const resealed = both.seal(both.open(sealed, row), row);
      // Not what is stored, as after a change.
      return storeResealed(tx, users, [{ key, sealed: changed, resealed }]);
    });
    expect(count).toBe(0);
    expect((await valuesOf('users', 'name', ['id']))[0]?.sealed.equals(stored!.sealed)).toBe(true);
  });

  it('waits for no row that a process has locked: another run seals it', async () => {
    await admin.query('BEGIN');
    await admin.query('SELECT FROM webhook_endpoints FOR UPDATE');
    const first = await resealAll(depsWith(vaultOf(1, 2)));
    expect(first.count).toBe(SEALED_COLUMNS.length - 2);
    await admin.query('COMMIT');
    const second = await resealAll(depsWith(vaultOf(1, 2)));
    expect(second.count).toBe(2);
  });

  it('names values that no key opens and values that were changed, and seals all others', async () => {
    await admin.query(`SET session_replication_role = 'replica'`);
    await admin.query('UPDATE users SET name = $1', [
      vaultOf(3).seal(Buffer.from('lost'), 'users/lost'),
    ]);
    await admin.query('UPDATE operators SET name = set_byte(name, 40, 255 - get_byte(name, 40))');
    await admin.query(`SET session_replication_role = 'origin'`);
    const { count, unopened } = await resealAll(depsWith(vaultOf(1, 2)));
    expect(count).toBe(SEALED_COLUMNS.length - 2);
    expect(unopened.map(({ place, why }) => [place, why])).toEqual([
      ['users.name', 'KEY_MISSING'],
      ['operators.name', 'NOT_INTACT'],
    ]);
  });

  describe('and keyed hashes', () => {
    const hashOf = async (table: string, column: string): Promise<Buffer> => {
      const [row] = await rows<{ hash: Buffer | Buffer[] }>(
        `SELECT ${column} AS hash FROM ${table}`,
      );
      return [row?.hash ?? []].flat()[0] ?? Buffer.alloc(0);
    };

    it('move to the new pepper in every table, whatever guards its row, and nothing else changes', async () => {
      const [rotating, after] = [pepperedVault(MIXED), pepperedVault(`${OLD}:retired,${NEW}`)];
      const hashes = HASH_COLUMNS.map(({ column }) => column);
      const before = await others(hashes);
      expect(await raiseAllHashes(depsWith(rotating))).toEqual({
        ...{ count: HASH_COLUMNS.length, taken: [] },
      });
      expect(await others(hashes)).toEqual(before);
      for (const { table, column } of HASH_COLUMNS) {
        const hash = await hashOf(table, column);
        const of = hashedText(table, column);
        expect(after.isKeyedHash(hash, ...of), `${table}.${column}`).toBe(true);
      }
      for (const { place, byKey } of await countByPepper(depsWith(after))) {
        expect([...byKey], place).toEqual([[1, 1]]);
      }
      expect((await raiseAllHashes(depsWith(rotating))).count).toBe(0);
    });

    it('stay where a process has changed them meanwhile', async () => {
      const column = HASH_COLUMNS.find(({ table }) => table === 'invitations')!;
      const stored = await hashOf('invitations', 'token_hash');
      const count = await database.resealing.system(async (tx) => {
        const [row] = await rows<{ id: string }>('SELECT id FROM invitations');
        const [one] = await lockHashes(tx, column, [[row?.id ?? '']]);
        const other = `\\x${'ab'.repeat(32)}`;
        return storeHashes(tx, column, [{ ...one!, value: other, raised: other }]);
      });
      expect(count).toBe(0);
      expect(await hashOf('invitations', 'token_hash')).toEqual(stored);
    });

    it('move in another run where a process had locked their row, and none is waited for', async () => {
      await admin.query('BEGIN');
      await admin.query('SELECT FROM api_keys FOR UPDATE');
      const first = await raiseAllHashes(depsWith(pepperedVault(MIXED)));
      await admin.query('COMMIT');
      const second = await raiseAllHashes(depsWith(pepperedVault(MIXED)));
      expect([first.count, second.count]).toEqual([HASH_COLUMNS.length - 1, 1]);
    });

    it('are named where another row has the same one under the new pepper, and all others move', async () => {
      await admin.query(`SET session_replication_role = 'replica'`);
      await admin.query(
        `INSERT INTO operators (id, address_hash, address, name, role, created_at)
         SELECT $1, $2, address, name, role, created_at FROM operators`,
        [newId('opr'), pepperedVault(MIXED).keyedHash(...hashedText('operators', 'address_hash'))],
      );
      await admin.query(`SET session_replication_role = 'origin'`);
      const { count, taken } = await raiseAllHashes(depsWith(pepperedVault(MIXED)));
      expect(count).toBe(HASH_COLUMNS.length - 1);
      expect(taken).toEqual([expect.stringMatching(/^operators\.address_hash of opr_/)]);
    });

    it('are not named where that other row is gone by the next pass', async () => {
      const moved = pepperedVault(MIXED).keyedHash(...hashedText('operators', 'address_hash'));
      const others = [moved, pepperedVault(OLD).keyedHash('sample', 'a third one')];
      const remove = 'DELETE FROM operators WHERE address_hash = $1';
      await admin.query(`SET session_replication_role = 'replica'`);
      for (const hash of others) {
        await admin.query(
          `INSERT INTO operators (id, address_hash, address, name, role, created_at)
           SELECT $1, $2, address, name, role, created_at FROM operators LIMIT 1`,
          [newId('opr'), hash],
        );
      }
      await admin.query(`SET session_replication_role = 'origin'`);
      // The batch is refused, then the row alone; then the other row goes.
      let refused = 0;
      const system = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
        database.resealing.system(work).catch(async (error: unknown) => {
          refused += 1;
          if (refused === 2) await admin.query(remove, [moved]);
          throw error;
        });
      const deps = { ...depsWith(pepperedVault(MIXED)), db: { system } };
      expect(await raiseAllHashes(deps)).toEqual({ count: HASH_COLUMNS.length + 1, taken: [] });
      expect(refused).toBe(2);
    });

    it('are counted by command, which ends with 0 only where none is left under an old pepper', async () => {
      const commands = (peppers: string) =>
        createOpsCommands(
          database.commands,
          { now: () => new Date() },
          { vault: pepperedVault(peppers), resealing: database.resealing },
        );
      const order = ['secrets', 'reseal', '--operator', 'ada'] as const;
      const before = await commands(MIXED)('secrets', 'status');
      expect(before.code).toBe(1);
      expect(before.printed).toContain(
        `${String(HASH_COLUMNS.length)} values are hashed under pepper 0.`,
      );
      const unused = await commands(MIXED)(...order);
      expect(unused.printed).toContain('No process has hashed an address under pepper 1');
      const mistyped = await commands(`${samplePepper(8)},${NEW}`)(...order, '--unused-key');
      expect(mistyped.printed).toContain('do not make the hash of a stored address');
      expect((await commands(MIXED)('secrets', 'status')).printed).toBe(before.printed);
      const done = await commands(MIXED)(...order, '--unused-key');
      expect(done.printed).toContain(`${String(HASH_COLUMNS.length)} hashes are moved.`);
      expect(done.printed).toContain('Nothing is hashed under another pepper than 1.');
      expect(done.code).toBe(0);
      const other = await commands(`${OLD},1:${samplePepper(9)}`)('secrets', 'status');
      expect(other.printed).toContain('do not make the hash of a stored address');
      expect((await commands(`${OLD}:retired,${NEW}`)('secrets', 'status')).code).toBe(0);
    });

    it('under a later pepper than PEPPER has are not moved, and the command says so', async () => {
      const later = `2:${samplePepper(5)}`;
      const hash = pepperedVault(`${MIXED},${later}`).keyedHash('sample', 'one');
      await admin.query(`SET session_replication_role = 'replica'`);
      await admin.query('UPDATE api_keys SET token_hmac = $1', [hash]);
      await admin.query(`SET session_replication_role = 'origin'`);
      const commands = createOpsCommands(
        database.commands,
        { now: () => new Date() },
        { vault: pepperedVault(MIXED), resealing: database.resealing },
      );
      const order = ['secrets', 'reseal', '--operator', 'ada', '--unused-key'] as const;
      const { code, printed } = await commands(...order);
      expect(printed).toContain(`${String(HASH_COLUMNS.length - 1)} hashes are moved.`);
      expect(printed).toContain('1 values are hashed under pepper 2. The last one of PEPPER');
      expect(printed).not.toContain('Run secrets reseal again');
      expect(code).toBe(1);
    });
  });

  describe('by command', () => {
    const commands = (...ids: number[]) =>
      createOpsCommands(
        database.commands,
        { now: () => new Date() },
        { vault: vaultOf(...ids), resealing: database.resealing },
      );

    it('ends with 0 only where nothing is left under an old key, and writes who did it down', async () => {
      const before = await commands(1, 2)('secrets', 'status');
      expect(before.code).toBe(1);
      expect(before.printed).toContain(
        `${String(SEALED_COLUMNS.length)} values are sealed under key 1.`,
      );
      const unused = await commands(1, 2)('secrets', 'reseal', '--operator', 'ada');
      expect(unused.code).not.toBe(0);
      expect(unused.printed).toContain('No process has sealed anything under key 2');
      const done = await commands(1, 2)('secrets', 'reseal', '--operator', 'ada', '--unused-key');
      expect(done.printed).toContain('Nothing is sealed under another key than 2.');
      expect(done.code).toBe(0);
      expect((await commands(2)('secrets', 'status')).code).toBe(0);
      const audited = await rows(
        `SELECT actor, subject FROM audit_log WHERE subject = 'encryption_key/2'`,
      );
      expect(audited).toEqual([{ actor: 'operator:ada', subject: 'encryption_key/2' }]);
    });

    it('says what it cannot seal, and ends with 1', async () => {
      const order = ['secrets', 'reseal', '--operator', 'ada', '--unused-key'];
      const { code, printed } = await commands(3, 2)(...order);
      expect(code).toBe(1);
      expect(printed).toContain('ENCRYPTION_KEYS has no key that opens it');
    });

    it('refuses another key under the number that the processes use, and changes nothing', async () => {
      const users = SEALED_COLUMNS[inListOrder('users.name')]!;
      const [stored] = await valuesOf('users', 'name', ['id']);
      const sealed = vaultOf(2).seal(Buffer.from('a name'), users.rowOf(stored!.key));
      await admin.query(`SET session_replication_role = 'replica'`);
      await admin.query('UPDATE users SET name = $1', [sealed]);
      await admin.query(`SET session_replication_role = 'origin'`);
      const mistyped = createOpsCommands(
        database.commands,
        { now: () => new Date() },
        {
          vault: vaultWith([
            [1, 1],
            [2, 9],
          ]),
          resealing: database.resealing,
        },
      );
      for (const act of ['reseal', 'status']) {
        const order = act === 'reseal' ? ['--operator', 'ada', '--unused-key'] : [];
        const { code, printed } = await mistyped('secrets', act, ...order);
        expect(code, act).not.toBe(0);
        expect(printed, act).toContain('does not open what key 2 has sealed in users.name');
      }
      const kept = await valuesOf('operators', 'name', ['id']);
      expect(kept[0]?.sealed[0]).toBe(1);
    });
  });

  it('is all that its role may do', async () => {
    const as = new pg.Client({
      connectionString: database.url,
      options: '-c role=causeway_resealer',
    });
    await as.connect();
    const outcome = (sql: string, values: unknown[] = []) =>
      as.query(sql, values).then(
        ({ rowCount }) => rowCount,
        (error: unknown) =>
          /permission denied|row-level security/.exec((error as Error).message)?.[0] ?? 'refused',
      );
    try {
      expect(await outcome('SELECT role FROM users')).toBe('permission denied');
      expect(await outcome(`UPDATE users SET role = 'OWNER'`)).toBe('permission denied');
      expect(await outcome('DELETE FROM users')).toBe('permission denied');
      expect(await outcome('SELECT FROM audit_log')).toBe('permission denied');
      for (const { table, column } of SEALED_COLUMNS) {
        for (const value of ["''", String.raw`'\xff00'`]) {
          const sql = `UPDATE ${table} SET ${column} = ${value}`;
          // A check of the table may come first.
          expect(typeof (await outcome(sql)), sql).toBe('string');
        }
      }
      // Under an end-user's key: it is not changed.
      const owned = Buffer.concat([Buffer.from([255]), Buffer.alloc(40)]);
      await admin.query('UPDATE bank_accounts SET personal = $1', [owned]);
      expect(await outcome(`UPDATE bank_accounts SET personal = '\\x01'`)).toBe(0);
      expect(await outcome(`UPDATE bank_accounts SET fingerprint = 'x'`)).toBe('permission denied');
      expect(await outcome(`UPDATE api_keys SET scopes = '{}'`)).toBe('permission denied');
    } finally {
      await as.end();
    }
  });
});
