import { UNSIGNED_COUNTS } from '../../support/unsigned-counts.ts';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { withinTransaction } from '../../../src/modules/approvals/within-transaction.ts';
import { createApiKey, type KeyOrder } from '../../../src/modules/customers/create-api-key.ts';
import { approveAddress, proposeAddress } from '../../../src/modules/customers/decide-address.ts';
import { issueApiKey } from '../../../src/modules/customers/issue-api-key.ts';
import { KeyRefused } from '../../../src/modules/customers/key-refused.ts';
import { removeAddress } from '../../../src/modules/customers/remove-address.ts';
import { rotateApiKey } from '../../../src/modules/customers/rotate-api-key.ts';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer, setLiveAccess } from '../../support/test-customer.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

const DAY_MS = 86_400_000;
const vault = createTestVault();
const clock = createTestClock();
const deps = {
  vault,
  clock,
  dashboardUrl: 'http://dashboard.localhost',
  apiUrl: 'http://localhost:8080',
};
const by = { kind: 'USER', id: 'usr_test' } as const;
const RANGE = '203.0.113.0/24';

let database: TestDatabase;
let superuser: pg.Client;
let live: Scope;
let test: Scope;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.close();
});
beforeEach(async () => {
  const customerId = await database.db.system((tx) => addCustomer(tx));
  live = { customerId, environment: 'live' };
  test = { customerId, environment: 'test' };
});

const random = () => ({ publicId: randomBytes(9), secret: randomBytes(32) });
const create = (scope: Scope, order: Partial<KeyOrder> = {}) =>
  database.people.write(scope, (tx) =>
    createApiKey(deps, tx, scope, { name: 'one', random: random(), by, ...order }),
  );
const rotate = (scope: Scope, keyId: string, overlapHours = 24) =>
  database.people.write(scope, (tx) =>
    rotateApiKey(deps, tx, scope, { keyId, random: random(), overlapHours, by }),
  );
const rows = async (sql: string, values: unknown[] = []) =>
  (await superuser.query<Record<string, unknown>>(sql, values)).rows;
const addressOf = async (keyId: string) =>
  (await rows('SELECT * FROM api_key_addresses WHERE api_key_id = $1', [keyId]))[0]!;
const compliance = async () =>
  (await addTestOperator({ people: database.people, vault, clock }, 'COMPLIANCE')).id;
const system = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
  database.people.system(work);
const act = (operator: string) => ({ operator, reason: 'looked at' });

/** What two operators do, the second in one transaction. */
async function approve(addressId: string, first: string, second: string) {
  const approvalId = await system((tx) => proposeAddress(deps, tx, addressId, act(first)));
  return system(async (tx) => {
    const deciding = { db: withinTransaction(tx), clock, operatorKeys: UNSIGNED_COUNTS };
    const approval = await decideApproval(deciding, approvalId ?? '', 'APPROVED', act(second));
    return approveAddress(deps, tx, approval);
  });
}

describe('private ranges on the list of a live key', () => {
  const RANGES = [
    '10.0.0.0/16',
    '127.0.0.1',
    '169.254.0.1',
    '100.64.0.0/16',
    '192.168.1.0/24',
    'fd00::/48',
  ];
  const order = (range: string) => ({ name: 'one', random: random(), ranges: [range], by });
  const createAt = (apiUrl: string, scope: Scope, range: string) =>
    database.people.write(scope, (tx) =>
      createApiKey({ ...deps, apiUrl }, tx, scope, order(range)),
    );

  it.each(RANGES)('%s is refused, for its field', async (range) => {
    await expect(createAt('https://pay.example', live, range)).rejects.toMatchObject({
      name: 'KeyRefused',
      field: 'range',
      message: expect.stringContaining('is not a public range') as string,
    });
    expect(await rows('SELECT FROM api_keys WHERE customer_id = $1', [live.customerId])).toEqual(
      [],
    );
  });

  it('are let on the list of a test key, and of an API that is on this machine', async () => {
    await createAt('https://pay.example', test, '10.0.0.0/16');
    for (const apiUrl of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']) {
      await createAt(apiUrl, live, '127.0.0.1');
    }
    await expect(createAt('http://localhost.example', live, '127.0.0.1')).rejects.toThrow();
    await createAt('https://pay.example', live, '203.0.113.0/24');
  });
});

describe('an address of a live key', () => {
  it('holds once two operators have approved it, and not before', async () => {
    const { id } = await create(live, { ranges: [RANGE] });
    expect(await addressOf(id)).toMatchObject({ status: 'PENDING', range: RANGE });
    const [first, second] = [await compliance(), await compliance()];
    await approve((await addressOf(id))['id'] as string, first, second);
    expect(await addressOf(id)).toMatchObject({
      ...{ status: 'APPROVED', version: 2, decided_by: `operator:${second}` },
      approval_id: expect.stringMatching(/^apr_/),
    });
  });

  it.each([
    ['an UPDATE', `UPDATE api_key_addresses SET status = 'APPROVED' WHERE id = $1`],
    [
      'an UPDATE that looks like a decision',
      `UPDATE api_key_addresses SET status = 'APPROVED', decided_by = 'x', decided_at = now(),
         version = version + 1 WHERE id = $1`,
    ],
    [
      'an INSERT',
      `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, status, created_at)
       SELECT customer_id, environment, api_key_id, '198.51.100.7/32', 'APPROVED', now()
       FROM api_key_addresses WHERE id = $1`,
    ],
    [
      'an INSERT that says it is a copy',
      `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, copied_from, created_at)
       SELECT customer_id, environment, api_key_id, '198.51.100.7/32', id, now()
       FROM api_key_addresses WHERE id = $1`,
    ],
    [
      'another range',
      `UPDATE api_key_addresses SET range = '198.51.100.7/32', version = version + 1 WHERE id = $1`,
    ],
    [
      'another environment',
      `UPDATE api_key_addresses SET environment = 'test', version = version + 1 WHERE id = $1`,
    ],
    ['a DELETE', 'DELETE FROM api_key_addresses WHERE id = $1'],
  ])('is refused to every role, a superuser too, by %s', async (_what, sql) => {
    const { id } = await create(live, { ranges: [RANGE] });
    const before = await addressOf(id);
    const { customerId } = live;
    for (const role of ['causeway_console', 'causeway_dashboard', 'causeway_system', 'NONE']) {
      await superuser.query('BEGIN');
      await superuser.query(`SET LOCAL ROLE ${role}`);
      await superuser.query(
        `SELECT set_config('causeway.customer', $1, true),
           set_config('causeway.environment', 'live', true)`,
        [customerId],
      );
      const outcome = await superuser.query(sql, [before['id']]).catch((error: unknown) => error);
      await superuser.query('ROLLBACK');
      expect(outcome, role).toBeInstanceOf(Error);
    }
    expect(await rows('SELECT * FROM api_key_addresses WHERE api_key_id = $1', [id])).toEqual([
      before,
    ]);
  });

  it('is refused to one operator who is both', async () => {
    const { id } = await create(live, { ranges: [RANGE] });
    const one = await compliance();
    const { id: address } = await addressOf(id);
    await expect(approve(address as string, one, one)).rejects.toThrow('cannot approve it');
    expect(await addressOf(id)).toMatchObject({ status: 'PENDING' });
  });

  it.each(['disabled', 'of another role', 'a name that was typed'])(
    'is refused where one of the two is %s',
    async (what) => {
      const { id } = await create(live, { ranges: [RANGE] });
      const [first, other] = [await compliance(), await compliance()];
      const { id: address } = await addressOf(id);
      if (what === 'disabled') {
        await rows(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [first]);
      }
      if (what === 'of another role') {
        await rows(`UPDATE operators SET role = 'SUPPORT' WHERE id = $1`, [first]);
      }
      const proposer = what === 'a name that was typed' ? 'ada' : first;
      await expect(approve(address as string, proposer, other)).rejects.toThrow();
      expect(await addressOf(id)).toMatchObject({ status: 'PENDING' });
    },
  );

  it('is refused by an approval that speaks of another range or key', async () => {
    const { id } = await create(live, { ranges: [RANGE] });
    const { id: other } = await create(live);
    const { id: address } = await addressOf(id);
    const [first, second] = [await compliance(), await compliance()];
    for (const content of [
      { apiKeyId: id, range: '198.51.100.0/24' },
      { apiKeyId: other, range: RANGE },
    ]) {
      const approvalId = newId('apr');
      await superuser.query('BEGIN');
      await superuser.query(
        `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version,
           content, content_hash, proposed_by, proposed_at, reason, expires_at)
         VALUES ($1, $2, 'live', 'ADDRESS', $3, 1, $4, '', $5, now(), 'x', now() + interval '1 day')`,
        [approvalId, live.customerId, address, content, first],
      );
      await superuser.query(
        `UPDATE approvals SET decision = 'APPROVED', decided_by = $2, decided_at = now(),
           decision_reason = 'x' WHERE id = $1`,
        [approvalId, second],
      );
      await superuser.query(
        `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
         VALUES ($1, $2, 'live', now())`,
        [approvalId, live.customerId],
      );
      const update = superuser.query(
        `UPDATE api_key_addresses SET status = 'APPROVED', decided_by = 'x', decided_at = now(),
           version = 2 WHERE id = $1`,
        [address],
      );
      await expect(update).rejects.toThrow('takes two operators');
      await superuser.query('ROLLBACK');
    }
  });

  it('that was taken back between the two is not approved', async () => {
    const { id } = await create(live, { ranges: [RANGE] });
    const address = (await addressOf(id))['id'] as string;
    const [first, second] = [await compliance(), await compliance()];
    const approvalId = await system((tx) => proposeAddress(deps, tx, address, act(first)));
    await database.people.write(live, (tx) =>
      removeAddress(deps, tx, live, { apiKeyId: id, id: address, by }),
    );
    const late = system(async (tx) => {
      const deciding = { db: withinTransaction(tx), clock, operatorKeys: UNSIGNED_COUNTS };
      return approveAddress(
        deps,
        tx,
        await decideApproval(deciding, approvalId ?? '', 'APPROVED', act(second)),
      );
    });
    await expect(late).rejects.toThrow('is no longer pending');
    expect(await addressOf(id)).toMatchObject({ status: 'REMOVED' });
  });
});

describe('keys', () => {
  it('ten work at once, however many are made at the same time', async () => {
    const ends = await Promise.allSettled(Array.from({ length: 30 }, () => create(test)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const end of ends) {
      if (end.status === 'rejected') expect(String(end.reason)).toContain('10 keys work already');
    }
    expect(
      await rows('SELECT FROM api_keys WHERE customer_id = $1', [test.customerId]),
    ).toHaveLength(10);
    // The other environment has places of its own.
    await create(live);
  });

  it('ten that work can all be rotated, and a key that was revoked or has expired leaves its place', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create(test, { days: 1 })));
    const next = await rotate(test, made[0]!.id);
    await expect(create(test)).rejects.toThrow('10 keys');
    await rows('UPDATE api_keys SET revoked_at = $2 WHERE id = $1', [next.id, clock.now()]);
    await create(test, { days: 2 });
    await expect(create(test)).rejects.toThrow('10 keys');
    clock.advance(1.5 * DAY_MS);
    await create(test);
  });

  it('rotated again and again leave ten that work on beside their successors, and no more', async () => {
    let { id } = await create(test);
    const replaced: string[] = [];
    for (let times = 0; times < 10; times += 1) {
      replaced.push(id);
      ({ id } = await rotate(test, id, 168));
    }
    const refused = await rotate(test, id, 168).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(KeyRefused);
    expect(String(refused)).toContain('10 keys that were rotated work still');
    const works = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)';
    const working = () =>
      rows(`SELECT FROM api_keys WHERE customer_id = $1 AND ${works}`, [
        test.customerId,
        clock.now(),
      ]);
    expect(await working()).toHaveLength(11);
    // Without an overlap, and once one of them is revoked or has ended, there is room.
    ({ id } = await rotate(test, id, 0));
    await rows('UPDATE api_keys SET revoked_at = $2 WHERE id = $1', [replaced[0], clock.now()]);
    ({ id } = await rotate(test, id, 168));
    await expect(rotate(test, id, 1)).rejects.toThrow('10 keys that were rotated');
    clock.advance(7 * DAY_MS);
    await rotate(test, id, 168);
    expect(await working()).toHaveLength(2);
  });

  it('of live from before that were to live longer are rotated for 730 days', async () => {
    const { id } = await create(live);
    await superuser.query('SET session_replication_role = replica');
    await superuser.query(
      `UPDATE api_keys SET expires_at = created_at + interval '4000 days' WHERE id = $1`,
      [id],
    );
    await superuser.query('SET session_replication_role = origin');
    const next = await rotate(live, id);
    const [key] = await rows('SELECT expires_at AS end FROM api_keys WHERE id = $1', [next.id]);
    expect(key?.['end']).toEqual(new Date(clock.now().getTime() + 730 * DAY_MS));
  });

  it('whose end the database refuses are refused in words', async () => {
    const late = {
      ...{ name: 'one', random: random(), scopes: ['*'], by, isOpenToAnyAddress: false },
      expiresAt: new Date(clock.now().getTime() + 731 * DAY_MS),
    };
    const issued = database.people.write(live, (tx) => issueApiKey(deps, tx, live, late));
    await expect(issued).rejects.toThrow(KeyRefused);
    await expect(issued).rejects.toThrow('after 1 to 730 days');
  });

  it('rotated twice at once: one takes its place', async () => {
    const { id } = await create(test);
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => rotate(test, id)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      await rows('SELECT FROM api_keys WHERE customer_id = $1', [test.customerId]),
    ).toHaveLength(2);
  });

  it('take approved addresses and scopes with them, and nothing that waits', async () => {
    const scopes = ['payments:read'] as const;
    const { id } = await create(live, { ranges: [RANGE], scopes, days: 100 });
    await approve((await addressOf(id))['id'] as string, await compliance(), await compliance());
    await superuser.query(
      `INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, created_at)
       VALUES ($1, 'live', $2, '198.51.100.0/24', now())`,
      [live.customerId, id],
    );
    const next = await rotate(live, id, 168);
    expect(
      await rows('SELECT range::text, status FROM api_key_addresses WHERE api_key_id = $1', [
        next.id,
      ]),
    ).toEqual([{ range: RANGE, status: 'APPROVED' }]);
    const [key] = await rows('SELECT scopes, expires_at FROM api_keys WHERE id = $1', [next.id]);
    const end = new Date(clock.now().getTime() + 100 * DAY_MS);
    expect(key).toEqual({ scopes: [...scopes], expires_at: end });
    const [old] = await rows('SELECT replaced_by, expires_at FROM api_keys WHERE id = $1', [id]);
    expect(old).toEqual({
      replaced_by: next.id,
      expires_at: new Date(clock.now().getTime() + 7 * DAY_MS),
    });
  });

  it('cannot be handed the addresses of another one that is there', async () => {
    const { id } = await create(live, { ranges: [RANGE] });
    const { id: other } = await create(live);
    const claim = rows('UPDATE api_keys SET replaced_by = $2 WHERE id = $1', [id, other]);
    await expect(claim).rejects.toThrow('only ever narrowed');
  });

  it.each([
    ['a revocation taken back', 'revoked_at = NULL'],
    ['a revocation put off', "revoked_at = revoked_at + interval '1 day'"],
    ['a later end', "expires_at = expires_at + interval '1 day'"],
    ['no end', 'expires_at = NULL'],
    ['other scopes', "scopes = '{payments:write}'"],
    ['another secret', "token_hmac = sha256('other')"],
    ['another customer', "customer_id = 'cus_other'"],
    ['openness', 'open_to_any_address = true'],
  ])('are only ever narrowed, by a superuser too: %s is refused', async (_what, change) => {
    const { id } = await create(live, { scopes: ['payments:read'] });
    await rows('UPDATE api_keys SET revoked_at = $2 WHERE id = $1', [id, clock.now()]);
    await expect(rows(`UPDATE api_keys SET ${change} WHERE id = $1`, [id])).rejects.toThrow(
      'only ever narrowed',
    );
    await expect(rows('DELETE FROM api_keys WHERE id = $1', [id])).rejects.toThrow();
  });

  it('of live take live access and an end within 730 days', async () => {
    const setLive = (isLive: boolean) =>
      database.db.system((tx) => setLiveAccess(tx, live.customerId, isLive));
    await setLive(false);
    await expect(create(live)).rejects.toThrow('live access');
    await create(test);
    await setLive(true);
    await create(live, { days: 730 });
    for (const days of [731, 0, -1, 1.5, null, Number.NaN]) {
      await expect(create(live, { days })).rejects.toThrow('1 to 730 days');
    }
    const late = `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac, last4,
      scopes, expires_at, created_at) VALUES ('key_x', $1, 'live', 'abcdefabcdef', 'x', sha256('x'),
      'abcd', '{*}', $2, now())`;
    for (const end of [null, new Date(Date.now() + 731 * DAY_MS)]) {
      await expect(rows(late, [live.customerId, end])).rejects.toThrow('730 days');
    }
  });
});
