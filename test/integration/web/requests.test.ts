import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestWeb, type TestWeb } from '../../support/web/web-harness.tsx';

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());
beforeEach(() => {
  web.notes.length = 0;
});

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types causeway",
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin',
};

/** Sends bytes as they are and answers the head of what comes back. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(web.port, '127.0.0.1');
  socket.end(text);
  let heard = '';
  for await (const chunk of socket) heard += String(chunk);
  return heard;
}

describe('every answer', () => {
  it('has the headers of a browser’s defence, refusals included', async () => {
    const refused = [
      await web.ask({ path: '/nowhere' }),
      await web.ask({ headers: { host: 'evil.example' } }),
      await web.ask({ path: '/broken' }),
      await web.ask({ path: '/%ff' }),
      await web.ask({ method: 'POST', path: '/notes' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 421, 500, 404, 403]);
    for (const answer of [await web.ask(), ...refused]) {
      expect(answer.headers).toMatchObject({ ...HEADERS, 'cache-control': 'no-store' });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    }
  });

  it('names its style and script by their content, and lets only them be kept', async () => {
    const { body } = await web.ask();
    const urls = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    expect(urls).toHaveLength(3);
    for (const path of urls) {
      const asset = await web.ask({ path });
      expect(asset.status).toBe(200);
      expect(asset.headers).toMatchObject({
        ...HEADERS,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(asset.headers['content-type']).toMatch(/; charset=utf-8$/);
      const stale = path.replace(/\/[0-9a-f]{16}\//, '/0000000000000000/');
      expect((await web.ask({ path: stale })).status).toBe(404);
    }
  });

  it('a first page with its style and script is under 100 kB', async () => {
    const { body } = await web.ask({ path: '/payment' });
    const urls = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    const assets = await Promise.all(urls.map((path) => web.ask({ path })));
    const bytes = [body, ...assets.map((asset) => asset.body)].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    );
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(100_000);
  });

  it('has one script, of fewer than 200 lines', async () => {
    const { body } = await web.ask({ path: '/payment' });
    const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toHaveLength(1);
    const script = await web.ask({ path: /src="([^"]+)"/.exec(scripts[0] ?? '')?.[1] ?? '' });
    const lines = script.body.split('\n').length;
    expect(lines).toBeGreaterThan(20);
    expect(lines).toBeLessThan(200);
    expect(body).not.toMatch(/ style=| on[a-z]+=|javascript:/);
  });

  it('shows what others wrote as text', async () => {
    const { body } = await web.ask({ path: '/payments' });
    expect(body).toContain('&lt;script>alert(1)&lt;/script>');
    expect(body).not.toContain('<script>alert');
  });
});

describe('the name a request was sent to', () => {
  it.each(['evil.example', '127.0.0.1', 'dashboard.localhost', 'ops.localhost:8082', ''])(
    'is ours or refused with 421: %s',
    async (host) => {
      expect((await web.ask({ headers: { host } })).status).toBe(421);
    },
  );

  it('is not taken from headers that a proxy or an attacker adds', async () => {
    const forwarded = { 'x-forwarded-host': web.host, forwarded: `host=${web.host}` };
    expect((await web.ask({ headers: { host: 'evil.example', ...forwarded } })).status).toBe(421);
    const foreign = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const answer = await web.ask({ headers: foreign });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain('evil.example');
  });

  it('is refused where it comes twice, is missing, or stands in the request line', async () => {
    const twice = `GET /home HTTP/1.1\r\nHost: ${web.host}\r\nHost: evil.example\r\n\r\n`;
    expect(await sendRaw(twice)).toMatch(/^HTTP\/1\.1 4(00|21) /);
    expect(await sendRaw('GET /home HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    const absolute = `GET http://evil.example/home HTTP/1.1\r\nHost: ${web.host}\r\n\r\n`;
    expect(await sendRaw(absolute)).toMatch(/^HTTP\/1\.1 4(04|21) /);
    expect(await sendRaw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is the same in capitals', async () => {
    expect((await web.ask({ headers: { host: web.host.toUpperCase() } })).status).toBe(200);
  });
});

describe('pages that are not there', () => {
  it('are one page, byte for byte, whatever was asked for', async () => {
    const bodies = new Set<string>();
    for (const path of ['/nowhere', '/items', '/home/', '/assets/x', '/%ff', '/..%2f..%2fetc']) {
      const answer = await web.ask({ path });
      expect(answer.status, path).toBe(404);
      bodies.add(answer.body);
    }
    for (const method of ['DELETE', 'TRACE']) {
      bodies.add((await web.ask({ method, path: '/home' })).body);
    }
    expect(bodies.size).toBe(1);
  });
});

describe('a form', () => {
  it('does what it says, once: sent again it is refused and changes nothing', async () => {
    const { cookie, token } = await web.openForm();
    const first = await web.post('/notes', `form=${token}&note=one`, { cookie });
    expect([first.status, first.headers.location]).toEqual([303, '/home']);
    const again = await web.post('/notes', `form=${token}&note=one`, { cookie });
    expect(again.status).toBe(409);
    expect(web.notes).toEqual(['one']);
  });

  it('sent 50 times at once is used by one', async () => {
    const { cookie, token } = await web.openForm();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => web.post('/notes', `form=${token}&note=x`, { cookie })),
    );
    const counts = answers.filter(({ status }) => status === 303).length;
    expect([counts, web.notes.length]).toEqual([1, 1]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 409]));
  });

  it('is refused from another site, and where a browser does not say whence it comes', async () => {
    const { cookie, token } = await web.openForm();
    const fields = `form=${token}&note=forged`;
    const forged: Record<string, string | undefined>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      { 'sec-fetch-site': undefined, origin: 'null' },
      { 'sec-fetch-site': undefined, origin: undefined },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      { 'sec-fetch-site': undefined, origin: `${web.origin}.evil.example` },
      { 'sec-fetch-site': undefined, origin: web.origin.replace('dashboard', 'ops') },
    ];
    for (const headers of forged) {
      const answer = await web.ask({
        ...{ method: 'POST', path: '/notes', body: fields },
        headers: Object.fromEntries(
          Object.entries({
            ...{ cookie, 'content-type': 'application/x-www-form-urlencoded' },
            ...{ 'sec-fetch-site': 'same-origin', origin: web.origin },
            ...headers,
          }).filter(([, value]) => value !== undefined),
        ),
      });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
    }
    expect(web.notes).toEqual([]);
    // An older browser, which knows no Sec-Fetch-Site.
    const old = await web.ask({
      ...{ method: 'POST', path: '/notes', body: fields },
      headers: {
        ...{ cookie, origin: web.origin, 'content-type': 'application/x-www-form-urlencoded' },
      },
    });
    expect(old.status).toBe(303);
  });

  it('is refused with the token of another browser, path, or surface, a changed one, or none', async () => {
    const mine = await web.openForm();
    const other = await web.openForm();
    const elsewhere = await web.openForm('/forgets', mine.cookie);
    const [id = '', until = '', mac = ''] = mine.token.split('.');
    const longer = [id, (Number.parseInt(until, 36) + 1).toString(36), mac].join('.');
    const tokens = [other.token, elsewhere.token, longer, `${mine.token}A`, '', 'null', '..'];
    for (const token of tokens) {
      const answer = await web.post('/notes', `form=${token}&note=x`, { cookie: mine.cookie });
      expect(answer.status, token).toBe(403);
    }
    const strangers = ['', '__Host-visitor=short', other.cookie];
    for (const cookie of strangers) {
      expect((await web.post('/notes', `form=${mine.token}&note=x`, { cookie })).status).toBe(403);
    }
    expect((await web.post('/notes', 'note=x', { cookie: mine.cookie })).status).toBe(403);
    expect(web.notes).toEqual([]);
    const right = await web.post('/notes', `form=${mine.token}&note=x`, { cookie: mine.cookie });
    expect(right.status).toBe(303);
  });

  it('that was open for longer than a session is refused', async () => {
    const { cookie, token } = await web.openForm();
    web.clock.advance(12 * 3_600_000);
    const answer = await web.post('/notes', `form=${token}&note=late`, { cookie });
    expect(answer.status).toBe(409);
    expect(answer.body).toContain('This form expired');
    expect(web.notes).toEqual([]);
  });

  it.each([
    ['an unknown field', 'note=x&admin=1'],
    ['__proto__', 'note=x&__proto__=1'],
    ['a field twice', 'note=x&note=y'],
    ['its token twice', 'note=x&form=y'],
    ['bytes that are not UTF-8', 'note=%ff'],
    ['half a percent-encoding', 'note=%4'],
    ['raw bytes', 'note=é'],
    ['a NUL', 'note=a%00b'],
    ['too many fields', `note=x${'&tag=a'.repeat(300)}`],
  ])('with %s is refused whole', async (_name, fields) => {
    const { cookie, token } = await web.openForm();
    const answer = await web.post('/notes', `form=${token}&${fields}`, { cookie });
    expect(answer.status).toBe(400);
    expect(web.notes).toEqual([]);
  });

  it('is taken as urlencoded only, and up to 64 KiB', async () => {
    const { cookie, token } = await web.openForm();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      const headers = { cookie, 'content-type': type };
      const answer = await web.post('/notes', `form=${token}&note=x`, headers);
      expect(answer.status, type).toBe(415);
    }
    const long = await web.post('/notes', `form=${token}&note=${'x'.repeat(70_000)}`, { cookie });
    expect(long.status).toBe(413);
    expect(web.notes).toEqual([]);
  });

  it('filled in wrongly comes back as it was, with a summary that links each field', async () => {
    const { cookie, token } = await web.openForm();
    const text = '"><b>far too long a note</b>';
    const answer = await web.post('/notes', `form=${token}&note=${encodeURIComponent(text)}`, {
      cookie,
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('value="&quot;>&lt;b>far too long a note&lt;/b>"');
    expect(answer.body).toContain('<a href="#note">Enter a note of at most 20 characters.</a>');
    expect(answer.body).toContain('aria-invalid="true"');
    const empty = await web.post('/notes', `form=${token}&note=+`, { cookie });
    expect([empty.status, web.notes]).toEqual([422, []]);
    expect(empty.body).toContain('<a href="#note">Enter a note.</a>');
    // The refusals used nothing up.
    expect((await web.post('/notes', `form=${token}&note=ok`, { cookie })).status).toBe(303);
  });

  it('that a page acts upon without using it is a fault, seen at the first try', async () => {
    const { cookie, token } = await web.openForm('/forgets');
    expect((await web.post('/forgets', `form=${token}`, { cookie })).status).toBe(500);
  });

  it('is bound to a browser by a cookie that no script, no other host and no plain request has', async () => {
    const { setCookie } = await web.openForm();
    expect(setCookie).toMatch(
      /^__Host-visitor=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

describe('a use of a form', () => {
  it('is forgotten once it has expired, and not before', async () => {
    const count = async () => {
      const [row] = await web.database.people.system((tx) =>
        tx.query<{ count: bigint }>('SELECT count(*) AS count FROM form_uses'),
      );
      return Number(row?.count);
    };
    const use = async () => {
      const { cookie, token } = await web.openForm();
      expect((await web.post('/notes', `form=${token}&note=x`, { cookie })).status).toBe(303);
    };
    await use();
    const before = await count();
    await web.database.people.system((tx) =>
      tx.query('DELETE FROM form_uses WHERE expires_at > now()'),
    );
    expect(await count()).toBe(before);
    expect(before).toBeGreaterThan(0);
  });
});

describe('what goes wrong', () => {
  it('is said without what it was about, and when to come again', async () => {
    const broken = await web.ask({ path: '/broken' });
    expect(broken.status).toBe(500);
    expect(broken.body).not.toMatch(/Ada|DE89/);
    const slow = await web.ask({ path: '/slow-down' });
    expect([slow.status, slow.headers['retry-after']]).toEqual([429, '240']);
    expect(slow.body).toContain('4 minutes');
    for (const path of ['/outage', '/busy', '/locked']) {
      const outage = await web.ask({ path });
      expect([outage.status, outage.headers['retry-after']], path).toEqual([503, '5']);
      expect(outage.body).toContain('Nothing was changed. Try again');
    }
  });
});
