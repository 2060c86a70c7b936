import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { until } from '../../support/until.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const HOUR = 3_600_000;

describe.each(['dashboard', 'console'] as const)('settings of the %s', (surface) => {
  let site: Site;
  let customerId: string;
  let person: { readonly id: string; readonly address: string };
  let cookie: string;
  beforeAll(async () => {
    site = await startSite(surface);
    customerId = await site.database.db.system((tx) => addCustomer(tx));
  });
  afterAll(() => site.close());
  const add = () =>
    surface === 'dashboard'
      ? addTestUser(site.people, customerId, 'VIEWER')
      : addTestOperator(site.people, 'SUPPORT');
  beforeEach(async () => {
    site.clock.advance(HOUR);
    person = await add();
    cookie = await site.logIn(person.id);
  });

  const sessions = (html: string) => [
    ...new Set(html.match(/(?<=\/settings\/sessions\/)ses_\w+(?=\/end")/g)),
  ];
  const actsOf = (id: string) =>
    site.database.db.system(async (tx) => {
      const sql = 'SELECT action FROM audit_log WHERE actor LIKE $1 ORDER BY id';
      const rows = await tx.query<{ action: string }>(sql, [`%:${id}`]);
      return rows.map(({ action }) => action);
    });

  it('takes at most twelve statements', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await site.get('/settings', cookie);
    const statements = query.mock.calls.length;
    query.mockRestore();
    expect(statements).toBeGreaterThan(3);
    expect(statements).toBeLessThanOrEqual(12);
  });

  it('ends one other session, and all others, at once', async () => {
    const others = [await site.logIn(person.id), await site.logIn(person.id)];
    const page = await site.get('/settings', cookie);
    const [first = '', second = '', ...more] = sessions(page.body);
    expect([first, second].every((id) => id.startsWith('ses_')) && more.length === 0).toBe(true);
    const path = `/settings/sessions/${first}/end`;
    const ended = await site.submit('/settings', path, {}, cookie);
    expect([ended.status, ended.headers.location]).toEqual([303, '/settings']);
    const statuses = async () =>
      (await Promise.all(others.map((one) => site.get('/settings', one)))).map((a) => a.status);
    expect((await statuses()).sort()).toEqual([200, 303]);
    await site.submit('/settings', '/settings/sessions/end-others', {}, cookie);
    expect(await statuses()).toEqual([303, 303]);
    expect((await site.get('/settings', cookie)).status).toBe(200);
    expect(await actsOf(person.id)).toEqual(['session.end', 'session.end_others']);
  });

  it('ends no session of another person, and says the same of one that there is not', async () => {
    const other = await add();
    const theirs = await site.logIn(other.id);
    await site.logIn(other.id);
    const [session = ''] = sessions((await site.get('/settings', theirs)).body);
    expect(session).toMatch(/^ses_/);
    const missing = `${session.slice(0, -4)}0000`;
    const bodies = [];
    for (const id of [session, missing]) {
      const path = `/settings/sessions/${id}/end`;
      // The person's own page has no such form: a token of another path does not help either.
      await site.logIn(person.id);
      const page = await site.get('/settings', cookie);
      const [own = ''] = sessions(page.body);
      const fields = site.hiddenFields(page.body, `/settings/sessions/${own}/end`);
      expect((await site.post(path, fields, cookie)).status).toBe(403);
      bodies.push((await site.get(path, cookie)).body);
    }
    expect(bodies[0]).toBe(bodies[1]);
    expect((await site.get('/settings', theirs)).status).toBe(200);
  });

  it('shows times and theme as they were chosen, and refuses what is not to be chosen', async () => {
    const send = (fields: Record<string, string>) =>
      site.submit('/settings', '/settings/display', fields, cookie);
    expect((await send({ timeZone: 'Asia/Tokyo', theme: 'dark' })).status).toBe(303);
    const page = await site.get('/settings', cookie);
    expect(page.body).toContain('data-theme="dark"');
    expect(page.body).toMatch(/value="Asia\/Tokyo" selected/);
    const wrong = await send({ timeZone: 'Mars/Olympus', theme: 'pink' });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain('href="#timeZone"');
    expect((await site.get('/settings', cookie)).body).toContain('data-theme="dark"');
    expect(await actsOf(person.id)).toEqual(['person.set_display']);
  });

  it('changes an address once the new one has answered, and tells the old one', async () => {
    const address = `new-${person.id.slice(-8)}@example.com`;
    const second = await site.submit('/settings', '/settings/address', { address }, cookie);
    expect([second.status, (await site.lastMail()).kind]).toEqual([200, 'STEP_UP_CODE']);
    expect(second.body).not.toContain(`to ${address}`);
    expect((await site.confirm(second, '/settings/address', cookie)).status).toBe(303);
    const { kind, text } = await site.lastMail();
    expect(kind).toBe('ADDRESS_TO_VERIFY');
    const path = /\/confirm-address\/[\w-]{43}/.exec(text)?.[0] ?? '';
    const hash = async () => {
      const table = surface === 'dashboard' ? 'users' : 'operators';
      const [row] = await site.database.people.system((tx) =>
        tx.query<{ hash: string }>(
          `SELECT encode(address_hash, 'hex') AS hash FROM ${table} WHERE id = $1`,
          [person.id],
        ),
      );
      return row?.hash;
    };
    const before = await hash();
    // Mail scanners follow links: looking does not use it.
    for (let looks = 0; looks < 2; looks += 1) expect((await site.get(path)).status).toBe(200);
    expect(await hash()).toBe(before);
    const page = await site.get(path);
    const visitor = page.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const fields = site.hiddenFields(page.body, path);
    const done = await Promise.all([1, 2].map(() => site.post(path, fields, visitor)));
    expect(done.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await hash()).toBe(site.vault.keyedHash('mail-address', address).toString('hex'));
    expect((await site.lastMail()).kind).toBe('ADDRESS_CHANGED');
    expect((await site.get(path)).status).toBe(404);
    expect((await site.get('/settings', cookie)).status).toBe(303);
    expect(await actsOf(person.id)).toEqual(['person.ask_for_address', 'person.change_address']);
  });

  it('gives no person an address that another one of the surface has, and a link is over after 7 days', async () => {
    const other = await add();
    const link = async (address: string) => {
      const second = await site.submit('/settings', '/settings/address', { address }, cookie);
      await site.confirm(second, '/settings/address', cookie);
      return /\/confirm-address\/[\w-]{43}/.exec((await site.lastMail()).text)?.[0] ?? '';
    };
    const use = async (path: string) => {
      const page = await site.get(path);
      if (page.status !== 200) return page.status;
      const visitor = page.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
      return (await site.post(path, site.hiddenFields(page.body, path), visitor)).status;
    };
    expect(await use(await link(other.address))).toBe(404);
    const first = await link(`first-${other.address}`);
    const second = await link(`second-${other.address}`);
    expect(await use(first)).toBe(404);
    site.clock.advance(7 * 24 * HOUR);
    expect(await use(second)).toBe(404);
    expect(await use(`/confirm-address/${'A'.repeat(43)}`)).toBe(404);
    expect(await use('/confirm-address/x')).toBe(404);
  });

  it('gives one address to one of two who take it at once, and the other one keeps theirs', async () => {
    const address = `both-${person.id.slice(-8)}@example.com`;
    const two = [person, await add()];
    const links = [];
    for (const one of two) {
      const who = await site.logIn(one.id);
      const second = await site.submit('/settings', '/settings/address', { address }, who);
      expect((await site.confirm(second, '/settings/address', who)).status).toBe(303);
      const path = /\/confirm-address\/[\w-]{43}/.exec((await site.lastMail()).text)?.[0] ?? '';
      const page = await site.get(path);
      const visitor = page.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
      links.push({ path, fields: site.hiddenFields(page.body, path), visitor });
    }
    const table = surface === 'dashboard' ? 'users' : 'operators';
    const connect = () => new pg.Client({ connectionString: site.database.url });
    const [blocker, looker] = [connect(), connect()];
    await Promise.all([blocker.connect(), looker.connect()]);
    try {
      // Both are under way before either has the address.
      await blocker.query('BEGIN');
      await blocker.query(`SELECT FROM ${table} WHERE id = ANY ($1) FOR UPDATE`, [
        two.map(({ id }) => id),
      ]);
      const posts = links.map(({ path, fields, visitor }) => site.post(path, fields, visitor));
      await until('both wait', async () => {
        const { rows } = await looker.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
               AND wait_event_type = 'Lock'`,
        );
        return rows.length === 2 || null;
      });
      await blocker.query('COMMIT');
      const answers = await Promise.all(posts);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    } finally {
      await Promise.all([blocker.end(), looker.end()]);
    }
  });

  it('takes a new address in no form that is none', async () => {
    const wrong = await site.submit('/settings', '/settings/address', { address: 'nope' }, cookie);
    expect([wrong.status, wrong.body.includes('href="#address"')]).toEqual([422, true]);
    expect(wrong.body).toContain('value="nope"');
    expect(site.mailIds).toEqual(site.mailIds.filter((id) => id.startsWith('mai_')));
  });

  it('ends a session with disabling, and refuses its cookie on the other surface', async () => {
    const token = cookie.split('=')[1] ?? '';
    const other = surface === 'dashboard' ? 'console' : 'dashboard';
    expect((await site.get('/settings', `${SESSION_COOKIES[other]}=${token}`)).status).toBe(303);
    const table = surface === 'dashboard' ? 'users' : 'operators';
    await site.database.people.system((tx) =>
      tx.query(`UPDATE ${table} SET status = 'DISABLED' WHERE id = $1`, [person.id]),
    );
    expect((await site.get('/settings', cookie)).status).toBe(303);
  });
});
