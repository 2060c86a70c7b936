import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockSealedValues, storeResealed } from '../../../src/db/operations/reseal-store.ts';
import { countByKey, resealAll } from '../../../src/modules/operations/resealing/reseal.ts';
import { SEALED_COLUMNS } from '../../../src/modules/operations/resealing/sealed-columns.ts';
import { createVault, type Vault } from '../../../src/vault/vault.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { storeSealedRows } from '../../support/operations/sealed-rows.ts';

/** Keys by their numbers; the last one seals. */
function vaultOf(...ids: readonly number[]): Vault {
  return vaultWith(ids.map((id) => [id, id]));
}

/** The same of keys that are made of what each number names. */
function vaultWith(keys: readonly (readonly [id: number, madeOf: number])[]): Vault {
  return createVault({
    encryption: new Map(keys.map(([id, madeOf]) => [id, Buffer.alloc(32, madeOf)])),
    currentKeyId: keys.at(-1)?.[0] ?? 0,
    pepper: Buffer.alloc(32, 9),
  });
}

/** Columns of bytes that the vault has not sealed: hashes, ids, signatures, and what goes to a chain. */
const NOT_SEALED = [
  'access_counters.key',
  'access_requests.address_hash',
  'address_changes.address_hash',
  'address_changes.cancel_hash',
  'address_changes.token_hash',
  'api_keys.token_hmac',
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
  'devices.device_hash',
  'form_uses.form_id',
  'idempotency_keys.request_mac',
  'incoming_credits.booking_key',
  'invitations.token_hash',
  'kyc_checks.link_token_hmac',
  'kyc_documents.fingerprint',
  'kyc_uploads.fingerprint',
  'login_challenges.address_hash',
  'login_challenges.browser_hash',
  'login_challenges.code_hash',
  'mails.address_hash',
  'operators.address_hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'screening_cases.entry_hashes',
  'screening_cases.names_hash',
  'sessions.token_hash',
  'statement_lines.booking_key',
  'users.address_hash',
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

const tables = [...new Set(SEALED_COLUMNS.map(({ table }) => table))];
const inListOrder = (place: string): number =>
  SEALED_COLUMNS.findIndex(({ table, column }) => `${table}.${column}` === place);

const depsWith = (vault: Vault) => ({
  ...{ db: database.resealing, vault, showProgress: () => undefined },
});

describe('the list of sealed columns', () => {
  it('names every column of bytes that holds what the vault sealed', async () => {
    const stored = await rows<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'public' AND (data_type = 'bytea' OR udt_name = '_bytea') ORDER BY 1`,
    );
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(stored.map(({ place }) => place)).toEqual([...listed, ...NOT_SEALED].toSorted());
  });

  it('is what the role may change, and the keys are those of the tables', async () => {
    const granted = await rows<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.column_privileges
       WHERE grantee = 'causeway_resealer' AND privilege_type = 'UPDATE'`,
    );
    expect(granted.map(({ place }) => inListOrder(place)).toSorted((a, b) => a - b)).toEqual(
      SEALED_COLUMNS.map((_one, at) => at),
    );
    for (const { table, key } of SEALED_COLUMNS) {
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

  /** Every row without its sealed columns. */
  async function others() {
    const found: object[][] = [];
    for (const table of tables) {
      const sealed = SEALED_COLUMNS.filter((one) => one.table === table);
      const names = sealed.map(({ column }) => column);
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
        `SELECT actor, subject FROM audit_log WHERE action = 'encryption_key.reseal'`,
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
    } finally {
      await as.end();
    }
  });
});
