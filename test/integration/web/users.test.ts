import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { USER_ROLES } from '../../../src/domain/customers/access/user-rights.ts';
import { issueFormToken } from '../../../src/web/kit/forms/form-token.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const HOUR_MS = 3_600_000;

let site: Site;
let customerId: string;
let owner: { id: string; address: string };
let cookie: string;
beforeAll(async () => {
  site = await startSite('dashboard');
});
afterAll(() => site.close());
beforeEach(async () => {
  site.clock.advance(HOUR_MS);
  customerId = await site.database.db.system((tx) => addCustomer(tx));
  owner = await addTestUser(site.people, customerId, 'OWNER');
  cookie = await site.logIn(owner.id);
});

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  site.database.people.system((tx) => tx.query<Row>(text, values));
const userOf = async (id: string) =>
  (
    await sql<{ role: string; status: string; version: number }>(
      'SELECT role, status, version FROM users WHERE id = $1',
      [id],
    )
  )[0];
const actsOf = async (id: string) =>
  (
    await sql<{ actor: string; action: string; environment: string | null }>(
      'SELECT actor, action, environment FROM audit_log WHERE subject = $1 ORDER BY id',
      [id],
    )
  ).map(({ action }) => action);

const fieldsOf = (act: string): Record<string, string> => ({
  ...(act === 'role' ? { role: 'VIEWER' } : {}),
  version: '1',
});

/** Posts with a token of the owner's session for a form that no page offers. */
async function postAsOurs(path: string, fields: Record<string, string>) {
  const [session] = await sql<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
    owner.id,
  ]);
  const binding = { surface: 'dashboard', session: `session:${session?.id ?? ''}`, path };
  const form = issueFormToken(site.vault, binding, site.clock.now());
  return site.post(path, new URLSearchParams({ form, ...fields }), cookie);
}

/** Opens a page, sends its form for `action`, and confirms it with the code. */
async function act(
  page: string,
  action: string,
  fields: Record<string, string> = {},
  who = cookie,
) {
  const second = await site.submit(page, action, fields, who);
  return second.status === 200 ? site.confirm(second, action, who) : second;
}
async function invite(address = 'grace@sample.example', role = 'DEVELOPER') {
  const answer = await act('/users/invite', '/users/invite', {
    name: 'Grace Sample',
    address,
    role,
  });
  const [user] = await sql<{ id: string }>(
    `SELECT id FROM users WHERE customer_id = $1 AND status = 'INVITED' ORDER BY id DESC LIMIT 1`,
    [customerId],
  );
  return { answer, id: user?.id ?? '' };
}
const lastLink = async () => /\/verify\/[\w-]{43}/.exec((await site.lastMail()).text)?.[0] ?? '';
const accept = async (path: string) => {
  const opened = await site.get(path);
  const visitor = (opened.headers['set-cookie'] ?? [''])[0]?.split(';', 1)[0] ?? '';
  return site.post(path, site.hiddenFields(opened.body, path), visitor);
};

describe('/users', () => {
  it('shows owners every address, and the others masked ones beside their own', async () => {
    const viewer = await addTestUser(site.people, customerId, 'VIEWER');
    const own = await site.get('/users', cookie);
    expect(own.body).toContain(viewer.address);
    expect(own.body).toContain('/users/invite');
    const seen = await site.get('/users', await site.logIn(viewer.id));
    expect(seen.body).toContain(viewer.address);
    expect(seen.body).not.toContain(owner.address);
    expect(seen.body).toContain('o***@example.com');
    expect(seen.body).not.toContain('/users/invite');
  });

  it('shows no user of another customer: a foreign id is as one that is not there', async () => {
    const foreignId = await site.database.db.system((tx) => addCustomer(tx));
    const foreign = await addTestUser(site.people, foreignId, 'VIEWER');
    expect((await site.get('/users', cookie)).body).not.toContain(foreign.address);
    const answers = [
      await site.get(`/users/${foreign.id}`, cookie),
      await site.get(`/users/usr_${'0'.repeat(26)}`, cookie),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
    for (const act of ['role', 'disable', 'invite', 'restore']) {
      const path = `/users/${foreign.id}/${act}`;
      expect((await postAsOurs(path, fieldsOf(act))).status, act).toBe(404);
    }
    expect(await userOf(foreign.id)).toMatchObject({ status: 'ACTIVE', version: 1 });
  });

  it.each(USER_ROLES.filter((role) => role !== 'OWNER'))(
    'lets no %s change a user',
    async (role) => {
      const other = await addTestUser(site.people, customerId, role);
      const who = await site.logIn(other.id);
      const target = await addTestUser(site.people, customerId, 'VIEWER');
      expect((await site.get('/users/invite', who)).status).toBe(403);
      for (const path of [
        '/users/invite',
        ...['role', 'disable', 'invite', 'restore'].map((one) => `/users/${target.id}/${one}`),
      ]) {
        expect((await site.post(path, new URLSearchParams(), who)).status, path).toBe(403);
      }
      expect((await site.get(`/users/${target.id}`, who)).body).not.toContain('action="/users/');
    },
  );
});

describe('an invitation', () => {
  it('brings a link by mail, good for one use, and makes no user active before that', async () => {
    const { answer, id } = await invite();
    expect([answer.status, answer.headers['location']]).toEqual([303, '/users']);
    expect(await userOf(id)).toMatchObject({ role: 'DEVELOPER', status: 'INVITED' });
    expect((await site.lastMail()).kind).toBe('INVITATION');
    expect((await accept(await lastLink())).status).toBe(303);
    expect(await userOf(id)).toMatchObject({ status: 'ACTIVE' });
    expect(await actsOf(id)).toEqual(['user.invited', 'user.verified']);
  });

  it('that is sent again ends the link of before', async () => {
    const { id } = await invite();
    const first = await lastLink();
    expect((await act(`/users/${id}`, `/users/${id}/invite`)).status).toBe(303);
    const second = await lastLink();
    expect((await site.get(first)).status).toBe(404);
    expect((await site.get(second)).status).toBe(200);
  });

  it('that is withdrawn is good for nothing, until the user is invited again', async () => {
    const { id } = await invite();
    const link = await lastLink();
    expect((await act(`/users/${id}`, `/users/${id}/disable`)).status).toBe(303);
    expect((await site.get(link)).status).toBe(404);
    expect(await userOf(id)).toMatchObject({ status: 'DISABLED' });
    expect((await act(`/users/${id}`, `/users/${id}/restore`)).status).toBe(303);
    expect((await accept(await lastLink())).status).toBe(303);
    expect(await userOf(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('names what is wrong with it, and an address that is taken', async () => {
    const wrong = await site.submit(
      '/users/invite',
      '/users/invite',
      { name: '', address: 'x', role: 'KING' },
      cookie,
    );
    expect(wrong.status).toBe(422);
    for (const field of ['name', 'address', 'role'])
      expect(wrong.body).toContain(`href="#${field}"`);
    const { answer } = await invite(owner.address.toUpperCase());
    expect([answer.status, answer.body.includes('href="#address"')]).toEqual([422, true]);
  });

  it('goes to an address three times an hour and no more, whichever customer sends it', async () => {
    const statuses = [];
    for (let sent = 0; sent < 4; sent += 1) {
      customerId = await site.database.db.system((tx) => addCustomer(tx));
      cookie = await site.logIn((await addTestUser(site.people, customerId, 'OWNER')).id);
      statuses.push((await invite('victim@sample.example')).answer.status);
    }
    expect(statuses).toEqual([303, 303, 303, 429]);
  });

  it('is made once by ten posts of one proven form', async () => {
    const fields = { name: 'Grace', address: 'ten@sample.example', role: 'VIEWER' };
    const second = await site.submit('/users/invite', '/users/invite', fields, cookie);
    const sent = site.hiddenFields(second.body, '/users/invite');
    sent.append('proof', (await site.lastMail()).code);
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => site.post('/users/invite', sent, cookie)),
    );
    // The first one's proof renewed the session: the others come with the token of before.
    const done = ends.filter(({ headers }) => headers.location?.startsWith('/users') === true);
    expect(done).toHaveLength(1);
    const links = await sql(`SELECT FROM invitations WHERE customer_id = $1`, [customerId]);
    expect(links).toHaveLength(1);
  });
});

describe('a role', () => {
  it('that is changed logs the user out at once and is told by mail', async () => {
    const user = await addTestUser(site.people, customerId, 'DEVELOPER');
    const who = await site.logIn(user.id);
    const path = `/users/${user.id}`;
    expect((await site.get('/users', who)).status).toBe(200);
    expect((await act(path, `${path}/role`, { role: 'VIEWER' })).status).toBe(303);
    expect((await site.get('/users', who)).status).toBe(303);
    expect(await userOf(user.id)).toMatchObject({ role: 'VIEWER', version: 2 });
    const { kind, text } = await site.lastMail();
    expect([kind, text.includes('viewer')]).toEqual(['ROLE_CHANGED', true]);
    expect(await actsOf(user.id)).toEqual(['user.role_changed']);
  });

  it('of an invited user is changed without a mail to an address that is not verified', async () => {
    const { id } = await invite();
    const before = site.mailIds.length;
    expect((await act(`/users/${id}`, `/users/${id}/role`, { role: 'OWNER' })).status).toBe(303);
    // The code of the owner's own second step alone.
    expect(site.mailIds).toHaveLength(before + 1);
    expect((await site.get(await invitationOf(before))).body).toContain('owner');
  });
  const invitationOf = async (index: number) => {
    const id = site.mailIds[index - 1] ?? '';
    site.mailIds.push(id);
    return lastLink();
  };

  it('of an owner is not theirs to change, nor may they disable themselves', async () => {
    const other = await addTestUser(site.people, customerId, 'OWNER');
    const page = await site.get(`/users/${owner.id}`, cookie);
    expect(page.body).not.toContain('action="/users/');
    for (const act of ['role', 'disable', 'invite', 'restore']) {
      const path = `/users/${owner.id}/${act}`;
      expect((await postAsOurs(path, fieldsOf(act))).status, act).toBe(403);
    }
    expect(await userOf(other.id)).toMatchObject({ role: 'OWNER', status: 'ACTIVE' });
    expect(await userOf(owner.id)).toMatchObject({ role: 'OWNER', status: 'ACTIVE' });
  });

  it('of the last owner stays, though two owners lower each other at the same time', async () => {
    const other = await addTestUser(site.people, customerId, 'OWNER');
    const otherCookie = await site.logIn(other.id);
    const sends = [];
    for (const [who, target] of [
      [cookie, other.id],
      [otherCookie, owner.id],
    ] as const) {
      const action = `/users/${target}/role`;
      const second = await site.submit(`/users/${target}`, action, { role: 'VIEWER' }, who);
      const fields = site.hiddenFields(second.body, action);
      fields.append('proof', (await site.lastMail()).code);
      sends.push(() => site.post(action, fields, who));
    }
    const ends = await Promise.all(sends.map((send) => send()));
    expect(ends.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
    const owners = await sql(
      `SELECT FROM users WHERE customer_id = $1 AND role = 'OWNER' AND status = 'ACTIVE'`,
      [customerId],
    );
    expect(owners).toHaveLength(1);
  });

  it('is not changed by a page that is older than another change', async () => {
    const user = await addTestUser(site.people, customerId, 'VIEWER');
    const action = `/users/${user.id}/role`;
    const stale = await site.submit(`/users/${user.id}`, action, { role: 'OWNER' }, cookie);
    await sql(`UPDATE users SET role = 'FINANCE', version = version + 1 WHERE id = $1`, [user.id]);
    const answer = await site.confirm(stale, action, cookie);
    expect([answer.status, answer.body.includes('finance')]).toEqual([409, true]);
    expect(await userOf(user.id)).toMatchObject({ role: 'FINANCE' });
  });
});

describe('a user who is disabled', () => {
  it('is brought back by no form that was opened while they were invited', async () => {
    const { id } = await invite('late@sample.example');
    const again = `/users/${id}/invite`;
    const stale = site.hiddenFields((await site.get(`/users/${id}`, cookie)).body, again);
    expect((await act(`/users/${id}`, `/users/${id}/disable`)).status).toBe(303);
    const second = await site.post(again, stale, cookie);
    expect((await site.confirm(second, again, cookie)).status).toBe(409);
    expect(await userOf(id)).toMatchObject({ status: 'DISABLED' });
    // Nor by one that names the version of now: inviting again is of those who are invited.
    const { version } = (await userOf(id)) ?? { version: 0 };
    const forged = await postAsOurs(again, { version: String(version) });
    expect(forged.status).toBe(200);
    expect((await site.confirm(forged, again, cookie)).status).toBe(409);
    expect(await userOf(id)).toMatchObject({ status: 'DISABLED' });
    expect((await postAsOurs(again, {})).status).toBe(400);
  });

  it('is invited by one form, and by its double not again', async () => {
    const { id } = await invite('double@sample.example');
    const again = `/users/${id}/invite`;
    const stale = site.hiddenFields((await site.get(`/users/${id}`, cookie)).body, again);
    expect((await act(`/users/${id}`, `/users/${id}/role`, { role: 'VIEWER' })).status).toBe(303);
    const second = await site.post(again, stale, cookie);
    expect((await site.confirm(second, again, cookie)).status).toBe(409);
  });

  it('is out at once, and comes back by a new link alone', async () => {
    const user = await addTestUser(site.people, customerId, 'FINANCE');
    const who = await site.logIn(user.id);
    expect((await act(`/users/${user.id}`, `/users/${user.id}/disable`)).status).toBe(303);
    expect((await site.get('/users', who)).headers['location']).toContain('/login');
    await expect(site.logIn(user.id)).rejects.toThrow('cannot log in');
    expect((await act(`/users/${user.id}`, `/users/${user.id}/restore`)).status).toBe(303);
    await expect(site.logIn(user.id)).rejects.toThrow('cannot log in');
    expect((await accept(await lastLink())).status).toBe(303);
    expect(await site.logIn(user.id)).not.toBe('');
    expect(await actsOf(user.id)).toEqual([...['user.disabled', 'user.restored', 'user.verified']]);
  });
});
