import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approveAccessRequest } from '../../../src/modules/customers/access/decide-access-request.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const HOUR_MS = 3_600_000;
const PATH = '/request-access';

let site: Site;
const woken: string[] = [];
const lines: string[] = [];
beforeAll(async () => {
  site = await startSite('dashboard', {
    onLogLine: (line) => lines.push(line),
    trustedProxies: ['127.0.0.1/32'],
    workflows: {
      wakeOnboarding: async ({ requestId }) => {
        woken.push(requestId);
      },
    },
  });
});
afterAll(() => site.close());
beforeEach(() => {
  // Every test has the budgets of an hour.
  site.clock.advance(HOUR_MS);
});

const ASKED = {
  company: 'Sample Ltd',
  name: 'Wilhelmina Sample',
  address: 'wilhelmina@sample.example',
  purpose: 'Salaries in three countries',
};
const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  site.database.people.system((tx) => tx.query<Row>(text, values));
const countRequests = async () =>
  Number((await sql<{ count: bigint }>('SELECT count(*) AS count FROM access_requests'))[0]?.count);

/** Opens the form as a new browser from a network, and sends it. */
async function ask(fields: Partial<typeof ASKED> = {}, network = '203.0.113.7') {
  const opened = await site.get(PATH);
  const cookie = (opened.headers['set-cookie'] ?? [''])[0]?.split(';', 1)[0] ?? '';
  const sent = site.hiddenFields(opened.body, PATH);
  for (const [name, text] of Object.entries({ ...ASKED, ...fields })) sent.append(name, text);
  const send = () =>
    site.ask(
      PATH,
      {
        ...{ cookie, origin: site.origin, 'sec-fetch-site': 'same-origin' },
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': network,
      },
      sent.toString(),
    );
  return { answer: await send(), send };
}

describe('/request-access', () => {
  it('stores what was told sealed, wakes its workflow, and leads to a page that says nothing', async () => {
    const before = await countRequests();
    const { answer } = await ask();
    expect([answer.status, answer.headers['location']]).toEqual([303, `${PATH}/sent`]);
    expect(await countRequests()).toBe(before + 1);
    const [row] = await sql<{ id: string; row: string }>(
      'SELECT id, a::text AS row FROM access_requests a ORDER BY seq DESC LIMIT 1',
    );
    expect(woken.at(-1)).toBe(row?.id);
    for (const plain of Object.values(ASKED)) expect(row?.row).not.toContain(plain);
    expect((await site.get(`${PATH}/sent`)).body).toContain('Request sent');
  });

  it('names every field that is wrong, and shows the form as it was filled in', async () => {
    const before = await countRequests();
    const { answer } = await ask({ company: ' ', address: 'sample', purpose: 'x'.repeat(2_001) });
    expect(answer.status).toBe(422);
    for (const field of ['company', 'address', 'purpose']) {
      expect(answer.body).toContain(`href="#${field}"`);
    }
    expect(answer.body).not.toContain('href="#name"');
    expect(answer.body).toContain('value="Wilhelmina Sample"');
    expect(await countRequests()).toBe(before);
  });

  it.each([
    ['a second line', 'Sample\nLtd'],
    ['text turned around', 'Sample \u202eLtd'],
    ['a hidden character', 'Sam\u200bple'],
  ])('takes no company whose name has %s', async (_name, company) => {
    const { answer } = await ask({ company });
    expect([answer.status, answer.body.includes('href="#company"')]).toEqual([422, true]);
  });

  it('takes names as people spell them', async () => {
    const { answer } = await ask({ company: 'نمی\u200cخواهم', name: "Zoë O'Neill-Łukasz" });
    expect(answer.status).toBe(303);
  });

  it.each([
    ['a lone surrogate', 'company=%ED%A0%80'],
    ['no UTF-8', 'company=%ff'],
    ['a field of its own', 'role=OWNER'],
    ['a field twice', 'name=a&name=b'],
  ])('refuses a form with %s', async (_name, more) => {
    const before = await countRequests();
    const opened = await site.get(PATH);
    const cookie = (opened.headers['set-cookie'] ?? [''])[0]?.split(';', 1)[0] ?? '';
    const form = site.hiddenFields(opened.body, PATH).toString();
    const answer = await site.ask(
      PATH,
      {
        ...{ cookie, origin: site.origin },
        'content-type': 'application/x-www-form-urlencoded',
      },
      `${form}&${more}`,
    );
    expect(answer.status).toBe(400);
    expect(await countRequests()).toBe(before);
  });

  it('counts a form that is sent twice once', async () => {
    const before = await countRequests();
    const { send } = await ask();
    expect((await send()).status).toBe(409);
    expect(await countRequests()).toBe(before + 1);
  });

  it('answers a user’s address as one that no user has, to the byte', async () => {
    const [customer] = await sql<{ id: string }>(
      `INSERT INTO customers (id, name, live_access, created_at)
       VALUES ('cus_01m7000000000000000000000k', 'Known', false, now()) RETURNING id`,
    );
    await addTestUser(site.people, customer?.id ?? '', 'OWNER', 'known@sample.example');
    const seen = [];
    for (const address of ['known@sample.example', 'unknown@sample.example']) {
      const { answer } = await ask({ address }, `203.0.113.${String(100 + seen.length)}`);
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
      seen.push({ status: answer.status, headers, body: answer.body });
    }
    expect(seen[0]).toEqual(seen[1]);
  });

  it('takes three an hour for an address and ten from a network, from all callers together', async () => {
    const statuses = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const { answer } = await ask({}, `198.51.${String(100 + asked)}.1`);
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([303, 303, 303, 429]);
    const ofNetwork = [];
    for (let asked = 0; asked < 11; asked += 1) {
      const address = `person${String(asked)}@sample.example`;
      ofNetwork.push((await ask({ address }, '192.0.2.9')).answer.status);
    }
    expect(ofNetwork).toEqual([...Array<number>(10).fill(303), 429]);
    expect((await ask({ address: 'next@sample.example' }, '192.0.3.10')).answer.status).toBe(303);
  });
});

describe('the link of an invitation', () => {
  let path: string;
  let mailId: string;
  beforeEach(async () => {
    const operator = await addTestOperator(site.people, 'COMPLIANCE');
    await ask({ address: `owner${String(woken.length)}@sample.example` });
    const requestId = woken.at(-1) ?? '';
    const deps = { ...site.people, dashboardUrl: site.origin };
    mailId =
      (await site.people.people.system((tx) =>
        approveAccessRequest(deps, tx, { requestId, operatorId: operator.id }),
      )) ?? '';
    site.mailIds.push(mailId);
    const { text } = await site.lastMail();
    path = /\/verify\/[A-Za-z0-9_-]{43}/.exec(text)?.[0] ?? '';
  });
  const statuses = async () =>
    (await sql<{ status: string }>('SELECT status FROM users ORDER BY id DESC LIMIT 1'))[0]?.status;
  const visit = async () => {
    const opened = await site.get(path);
    const cookie = (opened.headers['set-cookie'] ?? [''])[0]?.split(';', 1)[0] ?? '';
    return { opened, cookie };
  };

  it('is shown by GET as often as scanners like, and used by POST once', async () => {
    for (let looks = 0; looks < 3; looks += 1) expect((await visit()).opened.status).toBe(200);
    expect(await statuses()).toBe('INVITED');
    const { opened, cookie } = await visit();
    expect(opened.body).toContain('Sample Ltd');
    const sent = () => site.post(path, site.hiddenFields(opened.body, path), cookie);
    const answer = await sent();
    expect([answer.status, answer.headers['location']]).toEqual([303, '/login']);
    expect(await statuses()).toBe('ACTIVE');
    expect((await visit()).opened.status).toBe(404);
    const [act] = await sql<{ actor: string }>(
      `SELECT actor FROM audit_log WHERE action = 'user.verified' ORDER BY id DESC LIMIT 1`,
    );
    expect(act?.actor).toMatch(/^user:usr_/);
  });

  it('makes the browser known that used it, so that a flood of strangers keeps its person out of nothing', async () => {
    const { opened, cookie } = await visit();
    const used = await site.post(path, site.hiddenFields(opened.body, path), cookie);
    const device =
      /__Host-device=[\w-]{43}\.[\w-]{43}/.exec(used.headers['set-cookie']?.join() ?? '')?.[0] ??
      '';
    const [user] = await sql<{ known: bigint }>(
      'SELECT count(*) AS known FROM devices WHERE person_id = (SELECT id FROM users ORDER BY id DESC LIMIT 1)',
    );
    expect(user?.known).toBe(1n);
    const address = `owner${String(woken.length - 1)}@sample.example`;
    const askFrom = (more: string, network: string) => {
      const browser = createSiteBrowser(site, { 'x-forwarded-for': network });
      const [name = '', value = ''] = more.split('=');
      if (more !== '') browser.cookies.set(name, value);
      return browser.askForCode(address);
    };
    const strangers = [];
    for (let asked = 0; asked < 21; asked += 1) {
      strangers.push((await askFrom('', `203.0.${String(asked)}.1`)).status);
    }
    expect(strangers).toEqual([...Array<number>(20).fill(303), 429]);
    expect((await askFrom(device, '203.0.200.1')).status).toBe(303);
  });

  it('is used once by ten browsers at the same time', async () => {
    const visits = await Promise.all(Array.from({ length: 10 }, visit));
    const ends = await Promise.all(
      visits.map(({ opened, cookie }) =>
        site.post(path, site.hiddenFields(opened.body, path), cookie),
      ),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(404)]);
  });

  it('cannot be told from a foreign one once it is used, or too old', async () => {
    const { opened, cookie } = await visit();
    await site.post(path, site.hiddenFields(opened.body, path), cookie);
    const same = ({
      headers: { 'x-request-id': _id, date: _date, ...headers },
      ...rest
    }: {
      headers: Record<string, unknown>;
      status: number;
      body: string;
    }) => ({ ...rest, headers });
    const used = same(await site.get(path));
    expect(used.status).toBe(404);
    expect(same(await site.get(`/verify/${'A'.repeat(43)}`))).toEqual(used);
    expect(same(await site.get('/verify/short'))).toEqual(used);
  });

  it('is good for seven days and no longer', async () => {
    const { opened, cookie } = await visit();
    site.clock.advance(7 * 24 * HOUR_MS);
    expect((await site.get(path)).status).toBe(404);
    const late = await site.post(path, site.hiddenFields(opened.body, path), cookie);
    // The form is older than forms get; a new one is not to be had.
    expect(late.status).toBe(409);
    expect(await statuses()).toBe('INVITED');
  });

  it("is not used by another browser's form, nor from another site", async () => {
    const { opened, cookie } = await visit();
    const fields = site.hiddenFields(opened.body, path);
    expect((await site.post(path, fields)).status).toBe(403);
    const type = 'application/x-www-form-urlencoded';
    const headers = { cookie, origin: 'http://evil.example', 'content-type': type };
    expect((await site.ask(path, headers, fields.toString())).status).toBe(403);
    expect(await statuses()).toBe('INVITED');
  });

  it('sends browsers that follow it no address of itself: Referer names the host alone', async () => {
    const { opened } = await visit();
    expect(opened.headers['referrer-policy']).toBe('strict-origin');
    expect(opened.body).not.toMatch(/https?:\/\/(?!dashboard\.localhost)/);
  });
});

it('keeps what was told, and every link, out of the log', async () => {
  await ask();
  await site.get('/verify/PlantedLink');
  const told = lines.join('');
  expect(told).toContain('/verify/:token');
  expect(told).toContain(PATH);
  for (const plain of [...Object.values(ASKED), 'PlantedLink', 'sample.example']) {
    expect(told).not.toContain(plain);
  }
  expect(told).not.toMatch(/verify\/[\w-]{20}/);
});
