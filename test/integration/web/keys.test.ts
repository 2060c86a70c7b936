import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyFinder } from '../../../src/api/find-key.ts';
import { identifyKey, judgeKey } from '../../../src/api/judge-key.ts';
import { parseApiKeyToken } from '../../../src/modules/customers/api-key-token.ts';
import { writeApiRequests } from '../../../src/db/customers/api-request-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { Environment } from '../../../src/domain/scope.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let customerId: string;
let owner: string;
beforeAll(async () => {
  site = await startSite('dashboard');
});
afterAll(() => site.close());
beforeEach(async () => {
  customerId = await site.database.db.system((tx) => addCustomer(tx));
  owner = await site.logIn((await addTestUser(site.people, customerId, 'OWNER')).id);
});

const logInAs = async (role: 'DEVELOPER' | 'FINANCE' | 'VIEWER') =>
  site.logIn((await addTestUser(site.people, customerId, role)).id);
const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
  site.database.people.system((tx) => tx.query<Row>(sql, values));
const TOKEN = /cw_(?:test|live)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/;

/** A form sent and proven. */
async function prove(page: string, action: string, fields: Record<string, string | string[]>) {
  const second = await site.submit(page, action, fields, owner);
  expect([second.status, second.body.includes('Confirm with a code')]).toEqual([200, true]);
  return site.confirm(second, action, owner);
}

async function createByForm(env: Environment, fields: Record<string, string | string[]> = {}) {
  const path = `/${env}/keys`;
  const days = env === 'live' ? '365' : '';
  const given = { name: 'deploy', access: 'all', days, ...fields };
  const answer = await prove(`${path}/new`, path, given);
  expect(answer.status, answer.body).toBe(201);
  const token = TOKEN.exec(answer.body)?.[0] ?? '';
  const id = /key_[0-9a-z]{26}/.exec(answer.body)?.[0] ?? '';
  return { token, id, answer };
}

/** Whether the API lets the token in, asked afresh as each of its processes does. */
async function isLetIn(token: string, address = '127.0.0.1'): Promise<string> {
  const find = createKeyFinder(site.database.db);
  const question = { address, permission: 'any-key', now: site.clock.now() } as const;
  try {
    const found = await find(parseApiKeyToken(token)?.publicId ?? '');
    judgeKey(identifyKey(site.vault, found, token), question);
    return 'in';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a new key', () => {
  it('is shown once, in the answer to its form: asked for again there is nothing of it', async () => {
    const second = await site.submit(
      '/test/keys/new',
      '/test/keys',
      { name: 'deploy', access: 'read-only', days: '30' },
      owner,
    );
    const fields = site.hiddenFields(second.body, '/test/keys');
    fields.append('proof', (await site.lastMail()).code);
    const created = await site.post('/test/keys', fields, owner);
    expect([created.status, created.headers['cache-control']]).toEqual([201, 'no-store']);
    expect((await site.lastMail()).kind).toBe('KEY_CREATED');
    const token = TOKEN.exec(created.body)?.[0] ?? '';
    expect(await isLetIn(token)).toBe('in');
    const again = await site.post('/test/keys', fields, owner);
    expect(again.body).not.toContain(token);
    expect(again.status).toBeGreaterThanOrEqual(409);
    const list = await site.get('/test/keys', owner);
    expect(list.body).toContain('Read only');
    expect(list.body).not.toMatch(TOKEN);
    expect(await rows('SELECT FROM api_keys WHERE customer_id = $1', [customerId])).toHaveLength(1);
    const [audit] = await rows<{ actor: string }>(
      `SELECT actor FROM audit_log WHERE action = 'api_key.created' AND customer_id = $1`,
      [customerId],
    );
    expect(audit?.actor).toMatch(/^user:usr_/);
  });

  it.each<[string, Record<string, string | string[]>]>([
    ['no name', { name: ' ', access: 'all', days: '' }],
    ['a name of two lines', { name: 'a\u2028b', access: 'all', days: '' }],
    ['a long name', { name: 'x'.repeat(101), access: 'all', days: '' }],
    ['nothing picked', { name: 'x', access: 'picked', days: '' }],
    ['a scope that is none', { name: 'x', access: 'picked', scopes: ['*'], days: '' }],
    ['too many days', { name: 'x', access: 'all', days: '731' }],
    ['half days', { name: 'x', access: 'all', days: '1.5' }],
    ['days below one', { name: 'x', access: 'all', days: '0' }],
  ])(
    'with %s is answered 422 with the form as filled, and no code is mailed',
    async (_, fields) => {
      const before = site.mailIds.length;
      const answer = await site.submit('/test/keys/new', '/test/keys', fields, owner);
      expect([answer.status, answer.body.includes('role="alert"')]).toEqual([422, true]);
      expect(site.mailIds).toHaveLength(before);
      expect(await rows('SELECT FROM api_keys WHERE customer_id = $1', [customerId])).toEqual([]);
    },
  );

  it('of live needs an end, and live access', async () => {
    const endless = { name: 'x', access: 'all', days: '' };
    expect((await site.submit('/live/keys/new', '/live/keys', endless, owner)).status).toBe(422);
    const form = await site.get('/live/keys/new', owner);
    await rows('UPDATE customers SET live_access = false WHERE id = $1', [customerId]);
    expect((await site.get('/live/keys', owner)).body).not.toContain('/live/keys/new');
    expect((await site.get('/live/keys/new', owner)).body).toContain('You do not have live access');
    const fields = site.hiddenFields(form.body, '/live/keys');
    for (const [name, text] of Object.entries({ ...endless, days: '365' }))
      fields.append(name, text);
    expect((await site.post('/live/keys', fields, owner)).status).toBe(404);
  });
});

describe('who may', () => {
  it('owners and developers make keys, finance revokes as well, viewers look', async () => {
    const { id } = await createByForm('test');
    for (const role of ['DEVELOPER', 'FINANCE', 'VIEWER'] as const) {
      const cookie = await logInAs(role);
      const status = async (path: string) => (await site.get(path, cookie)).status;
      expect([
        await status('/test/keys'),
        await status(`/test/keys/${id}`),
        await status('/test/keys/new'),
        await status(`/test/keys/${id}/rotate`),
        await status(`/test/keys/${id}/addresses/new`),
        await status(`/test/keys/${id}/revoke`),
      ]).toEqual(
        {
          DEVELOPER: [200, 200, 200, 200, 200, 200],
          FINANCE: [200, 200, 403, 403, 403, 200],
          VIEWER: [200, 200, 403, 403, 403, 403],
        }[role],
      );
    }
  });

  it('another customer’s keys, the other environment’s and missing ones are one 404', async () => {
    const { id } = await createByForm('test');
    const stranger = await site.database.db.system((tx) => addCustomer(tx));
    const cookie = await site.logIn((await addTestUser(site.people, stranger, 'OWNER')).id);
    const missing = 'key_01k6b7q0e8f1htx9n3r5p7v2ab';
    for (const rest of ['', '/rotate', '/revoke', '/addresses/new', '/addresses/alw_1/remove']) {
      const foreign = await site.get(`/test/keys/${id}${rest}`, cookie);
      const elsewhere = await site.get(`/live/keys/${id}${rest}`, owner);
      const none = await site.get(`/test/keys/${missing}${rest}`, owner);
      expect([foreign.status, elsewhere.status, none.status]).toEqual([404, 404, 404]);
      expect([foreign.body, elsewhere.body]).toEqual([none.body, none.body]);
    }
    expect((await site.get('/prod/keys', owner)).status).toBe(404);
  });
});

describe('rotation and revocation', () => {
  it('both keys work for the overlap, then the new one alone', async () => {
    const { id, token } = await createByForm('test');
    const path = `/test/keys/${id}/rotate`;
    for (const overlap of ['169', '-1', '1.5', '']) {
      expect((await site.submit(path, path, { overlap }, owner)).status).toBe(422);
    }
    const rotated = await prove(path, path, { overlap: '2' });
    expect(rotated.status).toBe(201);
    const next = TOKEN.exec(rotated.body)?.[0] ?? '';
    expect([await isLetIn(token), await isLetIn(next)]).toEqual(['in', 'in']);
    expect((await site.lastMail()).kind).toBe('KEY_ROTATED');
    expect((await site.submit(path, path, { overlap: '2' }, owner)).status).toBe(409);
    site.clock.advance(2 * 3_600_000);
    expect([await isLetIn(token), await isLetIn(next)]).toEqual(['api_key_expired', 'in']);
    site.clock.advance(-2 * 3_600_000);
  });

  it('a revoked key is refused from the next request on, and its owners are told once', async () => {
    const { id, token } = await createByForm('test');
    const path = `/test/keys/${id}/revoke`;
    const cookie = await logInAs('FINANCE');
    const answer = await site.submit(path, path, {}, cookie);
    expect([answer.status, answer.headers.location]).toEqual([303, `/test/keys/${id}`]);
    expect(await isLetIn(token)).toBe('api_key_revoked');
    expect((await site.lastMail()).kind).toBe('KEY_REVOKED');
    const mails = site.mailIds.length;
    expect((await site.submit(path, path, {}, cookie)).status).toBe(303);
    expect(site.mailIds).toHaveLength(mails);
    expect((await site.get(`/test/keys/${id}`, owner)).body).toContain('Revoked');
  });
});

describe('addresses', () => {
  it('of a test key hold at once, and removed they do not', async () => {
    const { id, token } = await createByForm('test');
    const form = `/test/keys/${id}/addresses`;
    const added = await prove(`${form}/new`, form, { range: '203.0.113.0/24', label: 'office' });
    expect(added.status).toBe(303);
    expect([await isLetIn(token), await isLetIn(token, '203.0.113.9')]).toEqual([
      ...['ip_not_allowed', 'in'],
    ]);
    const again = await prove(`${form}/new`, form, { range: '203.0.113.0/24', label: '' });
    expect([again.status, again.body.includes('is on the list')]).toEqual([422, true]);
    const [row] = await rows<{ id: string }>(
      'SELECT id FROM api_key_addresses WHERE api_key_id = $1',
      [id],
    );
    const remove = `${form}/${row?.id ?? ''}/remove`;
    expect((await site.submit(remove, remove, {}, owner)).status).toBe(303);
    expect(await isLetIn(token, '203.0.113.9')).toBe('in');
    expect((await site.submit(remove, remove, {}, owner)).status).toBe(409);
  });

  it('of a live key wait, and let no caller in meanwhile', async () => {
    const { id, token } = await createByForm('live');
    const form = `/live/keys/${id}/addresses`;
    expect((await prove(`${form}/new`, form, { range: '127.0.0.1', label: '' })).status).toBe(303);
    expect(await isLetIn(token)).toBe('ip_not_allowed');
    expect((await site.get(`/live/keys/${id}`, owner)).body).toContain('Needs approval');
  });

  it('the key was refused from are offered on its page until they are on its list, to who may add them', async () => {
    const { id } = await createByForm('live');
    const { db } = site.database;
    const refused = (address: string | null) => ({
      ...{ apiKeyId: id, requestId: newId('req'), at: site.clock.now(), method: 'GET' },
      ...{ route: '/api/v1/balances', status: 403, errorCode: 'ip_not_allowed', durationMs: 1 },
      ...{ address, paymentId: null },
    });
    const path = `/live/keys/${id}`;
    expect((await site.get(path, owner)).body).not.toContain('Refused from');
    const requests = ['203.0.113.7', '2001:db8::9', '203.0.113.7', null].map(refused);
    await writeApiRequests(db, requests, site.clock.now());
    const page = (await site.get(path, owner)).body;
    expect(page).toContain('Refused from');
    const offered = `${path}/addresses/new?range=203.0.113.7`;
    expect(page).toContain(`href="${offered}"`);
    expect(page).toContain(`href="${path}/addresses/new?range=2001%3Adb8%3A%3A9"`);
    expect((await site.get(offered, owner)).body).toContain('value="203.0.113.7"');
    const seen = (await site.get(path, await logInAs('VIEWER'))).body;
    expect([seen.includes('203.0.113.7'), seen.includes('addresses/new')]).toEqual([true, false]);
    const form = `${path}/addresses`;
    const proposed = await prove(`${form}/new`, form, { range: '203.0.113.0/24', label: '' });
    expect(proposed.status).toBe(303);
    const after = (await site.get(path, owner)).body;
    expect(after).not.toContain('range=203.0.113.7');
    expect(after).toContain('range=2001%3Adb8%3A%3A9');
  });

  it('of the last use is on the key’s page, with the way to its requests', async () => {
    const { id } = await createByForm('test');
    const path = `/test/keys/${id}`;
    expect((await site.get(path, owner)).body).not.toContain('Last used from');
    const at = site.clock.now().toISOString();
    await rows('SELECT note_api_key_uses($1)', [
      JSON.stringify({ [id]: { at, address: '198.51.100.23' } }),
    ]);
    const page = (await site.get(path, owner)).body;
    expect(page).toContain('198.51.100.23');
    expect(page).toContain(`href="/test/requests?key=${id}"`);
    await rows('SELECT note_api_key_uses($1)', [JSON.stringify({ [id]: { at, address: null } })]);
    expect((await site.get(path, owner)).body).toMatch(/Last used from.{0,60}unknown/s);
  });

  it.each([
    ['0.0.0.0/0', 'too wide'],
    ['10.0.0.0/8', 'too wide'],
    ['::/0', 'too wide'],
    ['203.0.113.7/24', 'Write 203.0.113.0/24'],
    ['::ffff:203.0.113.7', 'Write it as an IPv4 address: 203.0.113.7'],
    ['127.1', 'Enter an IP address'],
    ['203.0.113.0/33', 'Enter an IP address'],
    ['example.com', 'Enter an IP address'],
    ['fe80::1%eth0', 'Enter an IP address'],
  ])('%s is refused in words that say what to write', async (range, words) => {
    const { id } = await createByForm('test');
    const form = `/test/keys/${id}/addresses`;
    const answer = await site.submit(`${form}/new`, form, { range, label: '' }, owner);
    expect([answer.status, answer.body.includes(words)]).toEqual([422, true]);
  });
});
