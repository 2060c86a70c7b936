import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { searchDatabase } from '../../support/search-database.ts';
import { FORM_FIELD, issueFormToken } from '../../../src/web/kit/forms/form-token.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import type { SiteAnswer } from '../../support/web/site-client.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const HOUR = 3_600_000;

/** What is said of an answer but for what is drawn at random. */
function bare({ status, headers, body }: SiteAnswer) {
  const { date: _date, 'x-request-id': _id, 'set-cookie': cookies = [], ...others } = headers;
  const tokens = /[A-Za-z0-9_-]{22}\.[0-9a-z]{6,8}\.[A-Za-z0-9_-]{43}/g;
  const named = cookies.map((line) => line.replace(/=[^;]*/, '='));
  return { status, headers: others, named, body: body.replace(tokens, 'TOKEN') };
}

describe.each(['dashboard', 'console'] as const)('logging in to the %s', (surface) => {
  let site: Site;
  let customerId: string;
  let lines: string[];
  beforeAll(async () => {
    lines = [];
    site = await startSite(surface, {
      onLogLine: (line) => void lines.push(line),
      trustedProxies: ['127.0.0.1/32'],
    });
    customerId = await site.database.db.system((tx) => addCustomer(tx));
  });
  afterAll(() => site.close());
  beforeEach(() => {
    // Budgets are those of an hour.
    site.clock.advance(HOUR);
    site.mailIds.length = 0;
  });

  const add = (address?: string) =>
    surface === 'dashboard'
      ? addTestUser(site.people, customerId, 'OWNER', address)
      : addTestOperator(site.people, 'OPERATIONS', address);
  let networks = 0;
  /** A browser in a network of its own. */
  const open = (network = `10.${String((networks += 1))}.0.1`) =>
    createSiteBrowser(site, { 'x-forwarded-for': network });
  const setStatus = (id: string, status: string) =>
    site.database.people.system((tx) =>
      tx.query(
        `UPDATE ${surface === 'dashboard' ? 'users' : 'operators'} SET status = $2 WHERE id = $1`,
        [id, status],
      ),
    );
  const sessionsOf = async (id: string) =>
    site.database.people.system((tx) =>
      tx.query<{ id: string }>(
        'SELECT id FROM sessions WHERE (user_id = $1 OR operator_id = $1) AND ended_at IS NULL',
        [id],
      ),
    );
  /** Where texts stand in the database as it is dumped, without a key. */
  async function findInColumns(planted: Readonly<Record<string, string>>): Promise<string[]> {
    const client = new pg.Client({ connectionString: site.database.url });
    await client.connect();
    const query = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
    const open = (): never => {
      throw new Error('there is no key');
    };
    const keyless = { ...site.vault, open, openJson: open, of: open };
    return searchDatabase({ query, vault: keyless }, planted).finally(() => client.end());
  }
  const isIn = async (browser: ReturnType<typeof open>) =>
    (await browser.get('/settings')).status === 200;

  it('goes from the address by the code to the page that was asked for', async () => {
    const { address } = await add();
    const browser = open();
    const first = await browser.get('/settings');
    expect([first.status, first.headers.location]).toEqual([303, '/login?next=%2Fsettings']);
    const asked = await browser.askForCode(` ${address.toUpperCase()} `, first.headers.location);
    expect([asked.status, asked.headers.location]).toEqual([303, '/login/code']);
    const { kind, text, code } = await site.lastMail();
    expect([kind, text.includes(site.host)]).toEqual(['LOGIN_CODE', true]);
    // A phone that went to its mails loads the page again.
    await browser.get('/login/code');
    const done = await browser.sendCode(code);
    expect([done.status, done.headers.location]).toEqual([303, '/settings']);
    const cookie = done.headers['set-cookie']?.find((line) =>
      line.startsWith(SESSION_COOKIES[surface]),
    );
    expect(cookie).toMatch(/^__Host-[a-z]+=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(await isIn(browser)).toBe(true);
    expect([...browser.cookies.keys()].sort()).toEqual(
      [SESSION_COOKIES[surface], '__Host-device'].sort(),
    );
  });

  it('says and does the same for known, unknown, unverified and disabled addresses', async () => {
    const known = await add();
    const disabled = await add();
    await setStatus(disabled.id, 'DISABLED');
    const addresses = [known.address, 'nobody@unknown.example', disabled.address];
    if (surface === 'dashboard') {
      const invited = await addTestUser(site.people, customerId, 'OWNER', undefined, 'INVITED');
      addresses.push(invited.address);
    }
    // The other surface's people are strangers here.
    const other =
      surface === 'dashboard'
        ? await addTestOperator(site.people, 'ADMIN')
        : await addTestUser(site.people, customerId, 'OWNER');
    addresses.push(other.address);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const seen = [];
    for (const address of addresses) {
      const browser = open();
      const form = await browser.get('/login');
      query.mockClear();
      const asked = await browser.send(form, '/login', { address });
      const askedWith = query.mock.calls.length;
      const page = await browser.get('/login/code');
      query.mockClear();
      const wrong = await browser.send(page, '/login/code', { code: '0000 0000' });
      const judgedWith = query.mock.calls.length;
      seen.push({
        asked: bare(asked),
        page: bare(page),
        wrong: bare(wrong),
        askedWith,
        judgedWith,
      });
    }
    query.mockRestore();
    expect(seen[0]?.asked).toMatchObject({ status: 303 });
    expect(seen[0]?.wrong).toMatchObject({ status: 422 });
    expect(seen[0]?.askedWith).toBeGreaterThan(5);
    for (const one of seen.slice(1)) expect(one).toEqual(seen[0]);
    expect(site.mailIds).toHaveLength(1);
  });

  it('takes a code only in the browser that asked, once, and only the last one', async () => {
    const { address } = await add();
    const [mine, theirs] = [open(), open()];
    await mine.askForCode(address);
    const first = (await site.lastMail()).code;
    await theirs.askForCode(address);
    expect((await theirs.sendCode(first)).status).toBe(422);
    await mine.send(await mine.get('/login/code'), '/login/another', {});
    const { code } = await site.lastMail();
    if (code !== first) expect((await mine.sendCode(first)).status).toBe(422);
    expect((await mine.sendCode(code)).status).toBe(303);
    const again = open();
    for (const [name, value] of mine.cookies) again.cookies.set(name, value);
    again.cookies.delete(SESSION_COOKIES[surface]);
    expect((await again.get('/login/code')).headers.location).toBe('/login');
  });

  it('opens one session, of twenty posts of one right code at once', async () => {
    const { id, address } = await add();
    const browser = open();
    await browser.askForCode(address);
    const { code } = await site.lastMail();
    const page = await browser.get('/login/code');
    const ends = await Promise.all(
      Array.from({ length: 20 }, () => browser.send(page, '/login/code', { code })),
    );
    expect(ends.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  it('judges five of sixty wrong codes at once, and the right one no more', async () => {
    const { id, address } = await add();
    const browser = open();
    await browser.askForCode(address);
    const { code } = await site.lastMail();
    await browser.get('/login/code');
    const wrong = code.startsWith('1') ? '20000000' : '10000000';
    const visitor = /__Host-visitor=([\w-]{43})/.exec(browser.cookie())?.[1] ?? '';
    const binding = { surface, session: `visitor:${visitor}`, path: '/login/code' };
    // A form is good for one try: each has its own.
    const newFields = () =>
      new URLSearchParams({
        [FORM_FIELD]: issueFormToken(site.vault, binding, site.clock.now()),
        code: wrong,
      });
    const ends = await Promise.all(
      Array.from({ length: 60 }, () => browser.post('/login/code', newFields())),
    );
    const left = ends.flatMap(({ body }) => /(\d) (?:try is|tries are) left/.exec(body)?.[1] ?? []);
    // The fifth says that the code is over, as all behind it do.
    expect(left.sort()).toEqual(['1', '2', '3', '4']);
    expect((await browser.sendCode(code)).status).toBe(422);
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('does not spend a right code where the session cannot be opened', async () => {
    const { address } = await add();
    const browser = open();
    await browser.askForCode(address);
    const { code } = await site.lastMail();
    const admin = new pg.Client({ connectionString: site.database.url });
    await admin.connect();
    await admin.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
    await admin.query(
      'CREATE TRIGGER fail BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    expect((await browser.sendCode(code)).status).toBe(500);
    await admin.query('DROP FUNCTION fail CASCADE');
    await admin.end();
    expect((await browser.sendCode(code)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
  });

  it('keeps no owner out whose address a stranger has spent the codes of', async () => {
    const { address } = await add();
    const owner = open();
    await owner.askForCode(address);
    await owner.sendCode((await site.lastMail()).code);
    await owner.send(await owner.get('/settings'), '/log-out', {});
    const strangers = [];
    for (let asked = 0; asked < 21; asked += 1) strangers.push(await open().askForCode(address));
    // One of the twenty was the owner's own, before the browser was known.
    const asked = [...Array.from({ length: 19 }, () => 303), 429, 429];
    expect(strangers.map(({ status }) => status)).toEqual(asked);
    expect(Number(strangers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    await owner.askForCode(address);
    expect((await owner.sendCode((await site.lastMail()).code)).status).toBe(303);
    // The known device is known for its own address and for no other one.
    const { address: other } = await add();
    for (let asked = 0; asked < 20; asked += 1) await open().askForCode(other);
    owner.cookies.delete(SESSION_COOKIES[surface]);
    expect((await owner.askForCode(other)).status).toBe(429);
  });

  it('lets one network spend only its own share of an address', async () => {
    const { address } = await add();
    const flooding = [];
    for (let asked = 0; asked < 7; asked += 1) {
      flooding.push((await open('192.0.2.1').askForCode(address)).status);
    }
    expect(flooding).toEqual([303, 303, 303, 303, 303, 429, 429]);
    const owner = open();
    await owner.askForCode(address);
    expect((await owner.sendCode((await site.lastMail()).code)).status).toBe(303);
  });

  it('judges thirty wrong codes of strangers a day for an address, and lets a known device in', async () => {
    const { id, address } = await add();
    const owner = open();
    await owner.askForCode(address);
    await owner.sendCode((await site.lastMail()).code);
    owner.cookies.delete(SESSION_COOKIES[surface]);
    let judged = 0;
    const refused = [];
    for (let network = 0; network < 5; network += 1) {
      const from = `172.16.${String(network)}.1`;
      for (let code = 0; code < 3; code += 1) {
        const stranger = open(from);
        const asked = await stranger.askForCode(address);
        if (asked.status === 429) refused.push(network);
        else {
          const right = (await site.lastMail()).code.replace(' ', '');
          for (let tried = 0; tried < 5; tried += 1) {
            await stranger.sendCode(right.startsWith('1') ? '20000000' : '10000000');
            judged += 1;
          }
        }
        // Codes are those of an hour, and wrong ones those of a day.
        site.clock.advance(HOUR);
      }
    }
    expect([judged, refused]).toEqual([30, [0, 1, 2, 3, 3, 3, 4, 4, 4]]);
    await owner.askForCode(address);
    expect((await owner.sendCode((await site.lastMail()).code)).status).toBe(303);
    const rows = await site.database.db.system((tx) =>
      tx.query<{ action: string; count: bigint }>(
        `SELECT action, count(*) FROM audit_log WHERE subject = $1 AND actor = 'system:login'
         GROUP BY action ORDER BY action`,
        [id],
      ),
    );
    // One an hour in which there was one, and one for the limit of each network.
    expect(rows).toEqual([
      { action: 'login.failed', count: 6n },
      { action: 'login.limit_reached', count: 3n },
    ]);
    site.clock.advance(24 * HOUR);
    expect((await open().askForCode(address)).status).toBe(303);
  });

  it('writes one row for the failures of an hour, and none of an address that nobody has', async () => {
    const { id, address } = await add();
    const failures = async () => {
      const [row] = await site.database.db.system((tx) =>
        tx.query<{ all: bigint; own: bigint }>(
          `SELECT count(*) AS all, count(*) FILTER (WHERE subject = $1) AS own FROM audit_log
           WHERE actor = 'system:login'`,
          [id],
        ),
      );
      return row ?? { all: 0n, own: 0n };
    };
    const { all } = await failures();
    for (const asked of [address, address, 'nobody@unknown.example']) {
      const browser = open();
      await browser.askForCode(asked);
      for (let tried = 0; tried < 3; tried += 1) await browser.sendCode('00000001');
    }
    expect(await failures()).toEqual({ all: all + 1n, own: 1n });
  });

  it('counts codes by network: a /24, and a /64 of IPv6, whatever a stranger writes before it', async () => {
    const statuses = async (networkOf: (index: number) => string) => {
      const answers = [];
      for (let asked = 0; asked < 22; asked += 1) {
        const address = `n${String(asked)}-${String((networks += 1))}@unknown.example`;
        answers.push((await open(networkOf(asked)).askForCode(address)).status);
      }
      return answers.filter((status) => status === 429).length;
    };
    expect(await statuses((index) => `1.2.3.4, 203.0.113.${String(index)}`)).toBe(2);
    expect(await statuses((index) => `2001:db8:1:2:${String(index)}::1`)).toBe(2);
    expect(await statuses((index) => `198.51.${String(index)}.1`)).toBe(0);
  });

  it('mails a new device to its person, and a known one no more', async () => {
    const { address } = await add();
    const browser = open();
    for (const kinds of [['LOGIN_CODE', 'NEW_DEVICE'], ['LOGIN_CODE']]) {
      site.mailIds.length = 0;
      await browser.askForCode(address);
      await browser.sendCode((await site.lastMail()).code);
      const rows = await site.database.people.system((tx) =>
        tx.query<{ kind: string }>('SELECT kind FROM mails WHERE id = ANY ($1) ORDER BY id', [
          site.mailIds,
        ]),
      );
      expect(rows.map(({ kind }) => kind)).toEqual(kinds);
      browser.cookies.delete(SESSION_COOKIES[surface]);
    }
    site.clock.advance(91 * 24 * HOUR);
    await browser.askForCode(address);
    await browser.sendCode((await site.lastMail()).code);
    expect((await site.lastMail()).kind).toBe('NEW_DEVICE');
  });

  it('leads to pages of this site alone', async () => {
    const { address } = await add();
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/login']) {
      site.clock.advance(HOUR);
      const browser = open();
      await browser.askForCode(address, `/login?next=${encodeURIComponent(next)}`);
      const done = await browser.sendCode((await site.lastMail()).code);
      expect([done.status, done.headers.location], next).toEqual([303, '/']);
    }
  });

  it('shows a wrong address and a wrong code with what is to be done', async () => {
    const browser = open();
    const answer = await browser.askForCode('not an address');
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('value="not an address"');
    expect(answer.body).toContain('href="#address"');
    await browser.askForCode('nobody@unknown.example');
    const none = await browser.sendCode('12ab');
    expect([none.status, none.body.includes('Enter the 8 digits')]).toEqual([422, true]);
    const wrong = await browser.sendCode('12345678');
    expect(wrong.body).toContain('4 tries are left.');
  });

  it('ends with logging out, at once and for a copied cookie as well', async () => {
    const { id, address } = await add();
    const browser = open();
    await browser.askForCode(address);
    await browser.sendCode((await site.lastMail()).code);
    const thief = open();
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await isIn(thief)).toBe(true);
    const out = await browser.send(await browser.get('/settings'), '/log-out', {});
    expect([out.status, out.headers.location]).toEqual([303, '/login']);
    expect(await isIn(thief)).toBe(false);
    expect(await sessionsOf(id)).toEqual([]);
    const acts = await site.database.db.system((tx) =>
      tx.query<{ action: string }>('SELECT action FROM audit_log WHERE actor LIKE $1 ORDER BY id', [
        `%:${id}`,
      ]),
    );
    expect(acts.map(({ action }) => action)).toEqual(['session.open', 'session.end']);
  });

  it('leaves no address, code or token in the log, or in a column that is not sealed', async () => {
    const { address } = await add('planted-address@partner.example');
    const browser = open();
    await browser.askForCode(address);
    const { code } = await site.lastMail();
    await browser.sendCode(code);
    const planted = [address, 'planted-address', code, code.replace(' ', '')];
    for (const value of browser.cookies.values()) planted.push(value);
    expect(lines.join('')).toContain('"route":"/login/code"');
    for (const text of planted) expect(lines.join('')).not.toContain(text);
    expect(await findInColumns(Object.fromEntries(planted.map((text) => [text, text])))).toEqual(
      [],
    );
    // The search does find what is there.
    expect(await findInColumns({ session: 'session.open' })).toContain(
      'session in audit_log.action',
    );
  });
});

describe('an address of several users', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite('dashboard');
  });
  afterAll(() => site.close());

  it('opens the account that is chosen after the code, and no other one', async () => {
    const address = 'both@partner.example';
    const customers = await site.database.db.system(async (tx) => [
      await addCustomer(tx),
      await addCustomer(tx),
    ]);
    const [one, two] = await Promise.all(
      customers.map((id) => addTestUser(site.people, id, 'VIEWER', address)),
    );
    const foreign = await addTestUser(site.people, customers[0] ?? '', 'OWNER');
    const browser = createSiteBrowser(site);
    await browser.askForCode(address);
    expect(site.mailIds).toHaveLength(1);
    const { code } = await site.lastMail();
    const choice = await browser.sendCode(code);
    expect(choice.status).toBe(200);
    for (const user of [one, two]) expect(choice.body).toContain(`value="${user?.id ?? ''}"`);
    const forged = await browser.send(choice, '/login/code', { user: foreign.id });
    expect(forged.status).toBe(200);
    expect(browser.cookies.has('__Host-dashboard')).toBe(false);
    const done = await browser.send(forged, '/login/code', { user: two?.id ?? '' });
    expect(done.status).toBe(303);
    const [session] = await site.database.people.system((tx) =>
      tx.query<{ userId: string }>('SELECT user_id AS "userId" FROM sessions'),
    );
    expect(session?.userId).toBe(two?.id);
  });
});
