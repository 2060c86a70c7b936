import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPerson } from '../../../../src/modules/customers/access/sessions.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { readOperatorKeys } from '../../../../src/server/runtime/open-operator-keys.ts';
import { logIn } from '../../../support/test-people.ts';
import { createTestVault } from '../../../support/test-vault.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

const vault = createTestVault();
const clock = { now: () => NOW };

describe('operators', () => {
  let ops: OpsHarness;
  beforeAll(async () => {
    ops = await createOpsHarness();
  });
  afterAll(() => ops.close());

  const add = (address: string, role = 'compliance') =>
    ops.run(
      ...['operators', 'add', '--address', address, '--name', 'Ada Planted'],
      ...['--role', role, '--operator', 'root'],
    );

  it('are none until one is added, who can log in then', async () => {
    expect((await ops.run('operators', 'list')).printed).toContain('There is no operator');
    const { code, printed } = await add('Ada@Platform.Example');
    expect(code).toBe(0);
    const id = /opr_\w+/.exec(printed)?.[0] ?? '';
    const deps = { people: ops.database.people, vault, clock };
    const cookie = await logIn(deps, 'console', id);
    const token = cookie.split('=')[1] ?? '';
    const find = () =>
      findPerson(
        { vault, clock, operatorsNeedPasskeys: true },
        ops.database.people,
        'console',
        token,
        true,
      );
    expect(await find()).toMatchObject({
      ...{ id, role: 'COMPLIANCE', name: 'Ada Planted' },
      passkey: { isRequired: true, hasOne: false },
    });
    const disabled = await ops.run(
      ...['operators', 'disable', id, '--reason', 'left', '--operator', 'root'],
    );
    expect([disabled.code, await find()]).toEqual([0, null]);
    const again = await ops.run(
      ...['operators', 'disable', id, '--reason', 'left', '--operator', 'root'],
    );
    expect(again).toMatchObject({ code: 1, error: `There is no active operator ${id}.` });
    const acts = await ops.database.db.system((tx) =>
      tx.query<{ action: string; actor: string }>(
        'SELECT action, actor FROM audit_log WHERE subject = $1 ORDER BY id',
        [id],
      ),
    );
    expect(acts).toEqual([
      { action: 'operator.add', actor: 'operator:root' },
      { action: 'operator.disable', actor: 'operator:root' },
    ]);
  });

  it('keep an admin who is confirmed: the last one is not disabled, and nothing is changed', async () => {
    const { printed } = await add('first@platform.example', 'admin');
    const first = /opr_\w+/.exec(printed)?.[0] ?? '';
    // There is an admin by now: this one is not confirmed, and so confirms no one.
    const second =
      /opr_\w+/.exec((await add('second@platform.example', 'admin')).printed)?.[0] ?? '';
    const disable = (id: string) =>
      ops.run('operators', 'disable', id, '--reason', 'left', '--operator', 'root');
    const refused = await disable(first);
    expect([refused.code, refused.error.includes('is the last admin')]).toEqual([1, true]);
    const kept = await ops.database.db.system((tx) =>
      tx.query<{ status: string; acts: bigint }>(
        `SELECT status, (SELECT count(*) FROM audit_log WHERE subject = $1
           AND action = 'operator.disable') AS acts FROM operators WHERE id = $1`,
        [first],
      ),
    );
    expect(kept).toEqual([{ status: 'ACTIVE', acts: 0n }]);
    expect((await disable(second)).code).toBe(0);
  });

  it('have an address each, and neither it nor the name is listed', async () => {
    await add('bob@platform.example');
    expect(await add('BOB@platform.example')).toMatchObject({ code: 1 });
    expect((await add('bob')).code).toBe(2);
    expect((await add('eve@platform.example', 'root')).code).toBe(2);
    const { printed } = await ops.run('operators', 'list');
    expect(printed).toMatch(/opr_\w+ +compliance +ACTIVE +0 /);
    expect(printed).not.toMatch(/platform\.example|Planted/i);
  });
});

describe('operators init', () => {
  let ops: OpsHarness;
  beforeAll(async () => {
    ops = await createOpsHarness();
  });
  afterAll(() => ops.close());

  it('lists approvals that took effect unsigned only where that is asked for', async () => {
    const owner = new pg.Client({ connectionString: ops.database.url });
    await owner.connect();
    const [approval, customer] = [newId('apr'), newId('cus')];
    await owner.query(`SET session_replication_role = 'replica'`);
    await owner.query(
      `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version, content, content_hash,
         proposed_by, proposed_at, reason, expires_at)
       VALUES ($1, $2, 'live', 'LIVE_ADDRESS', 'alw_one', 1, '{}', sha256(''), 'opr_one', now(), 'forged', now())`,
      [approval, customer],
    );
    await owner.query(
      `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at) VALUES ($1, $2, 'live', now())`,
      [approval, customer],
    );
    await owner.end();
    const folder = mkdtempSync(join(tmpdir(), 'operator-keys-'));
    try {
      const written = async (...more: string[]) => {
        const path = join(folder, `${String(more.length)}.json`);
        await ops.run('operators', 'init', '--file', path, ...more);
        return JSON.parse(readFileSync(path, 'utf8')) as {
          before?: { approval: string; customer: string; contentHash: string }[];
        };
      };
      expect((await written()).before).toBeUndefined();
      const first = await written('--with-unsigned');
      // Of the content, whatever the column of the row says.
      const text = '["LIVE_ADDRESS", "alw_one", 1, {}]';
      const contentHash = createHash('sha256').update(text).digest('hex');
      expect(first.before).toEqual([
        { ...{ approval, customer, environment: 'live' }, contentHash },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names the passkeys of confirmed operators in a new file that a process takes', async () => {
    const operator = (address: string) =>
      ops.run(
        ...['operators', 'add', '--address', address, '--name', 'Planted'],
        ...['--role', 'compliance', '--operator', 'root'],
      );
    const idOf = ({ printed }: { readonly printed: string }) => /opr_\w+/.exec(printed)?.[0] ?? '';
    const first = idOf(await operator('one@platform.example'));
    await ops.database.people.system((tx) =>
      tx.query(
        `INSERT INTO passkeys (id, credential_id, public_key, counter, transports, operator_id, browser, created_at)
         VALUES ($1, '\\x0102', '\\x0304', 0, '{}', $2, 'x', now())`,
        [newId('psk'), first],
      ),
    );
    const folder = mkdtempSync(join(tmpdir(), 'operator-keys-'));
    try {
      const path = join(folder, 'keys.json');
      const { code, printed } = await ops.run('operators', 'init', '--file', path);
      expect([code, printed]).toEqual([0, expect.stringContaining('1 passkeys of 1 operators')]);
      const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
      expect(file).toEqual({
        origin: 'http://ops.localhost:8082',
        keys: [{ operator: first, role: 'COMPLIANCE', credentialId: 'AQI', publicKey: 'AwQ' }],
      });
      const keys = await readOperatorKeys({ OPERATOR_KEYS_FILE: path });
      expect(keys?.find(first, Buffer.from([1, 2]))?.role).toBe('COMPLIANCE');
      expect(await ops.run('operators', 'init', '--file', path)).toMatchObject({
        ...{ code: 1, error: `--file ${path} cannot be written (EEXIST). It must be a new file.` },
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
