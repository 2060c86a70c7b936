import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKycPage } from '../../../src/modules/parties/kyc/kyc-page.ts';
import { COMPANIES, startCompanyCheck } from '../../../src/modules/customers/live/company.ts';
import { saveKycOpening } from '../../../src/db/parties/kyc-check-store.ts';
import { kycCheckRow } from '../../../src/modules/parties/kyc/kyc-link.ts';
import { viewKycCheck } from '../../../src/modules/parties/kyc/kyc-view.ts';
import { createGoingLive, SAMPLE_COMPANY } from '../../support/going-live.ts';
import { ASSETS } from '../../../src/web/kit/assets/asset.ts';
import { createCountedDatabase } from '../../support/payments/counted-database.ts';
import { jpeg, pdf, png } from '../../support/kyc-files.ts';
import { until } from '../../support/until.ts';
import {
  FORM_TYPE,
  startKycVisits,
  writeForm,
  type KycVisits,
} from '../../support/parties/kyc-page-visitor.ts';

let visits: KycVisits;
beforeAll(async () => {
  visits = await startKycVisits();
});
afterAll(() => visits.close());

const PROTECTION = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'/),
  // Of the origin alone: no token stands in a Referer, and forms say where they come from.
  'referrer-policy': 'strict-origin',
  'strict-transport-security': expect.stringContaining('max-age='),
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
};
const MIB = 1024 * 1024;

describe('GET /kyc/{token}, the page for the end-user', () => {
  it('names a company on its way to live as what it is, never as the platform account', async () => {
    const { harness, origin } = visits;
    const { people } = harness.database;
    const going = createGoingLive(people, harness.clock, harness.vault);
    const { customerId, ownerId } = await going.newCustomer();
    await going.say(customerId, ownerId, SAMPLE_COMPANY);
    const act = { customerId, userId: ownerId };
    const { check } = await people.write(COMPANIES, (tx) =>
      startCompanyCheck(going.deps, tx, act, 'http://dashboard.localhost/going-live'),
    );
    const url = harness.vault.seal(Buffer.from('https://kyc.example/1'), kycCheckRow(check.id));
    await harness.database.db.write(COMPANIES, (tx) =>
      saveKycOpening(tx, COMPANIES, check.id, { providerUrl: url, documentsAsked: ['IDENTITY'] }),
    );
    const { link } = viewKycCheck(check, { vault: harness.vault, publicUrl: origin });
    const { status, body } = await visits.ask('GET', new URL(link?.url ?? '').pathname);
    expect([status, body.includes('Platform account')]).toEqual([200, false]);
    expect(body).toContain('Your company is checked before it goes live.');
    expect(body).toContain('given on the dashboard');
  });

  it('says what is asked for and which facts are there, and none of what they are', async () => {
    const { path } = await visits.newLink();
    const answer = await visits.ask('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(PROTECTION);
    expect(answer.headers['set-cookie']).toBeUndefined();
    for (const text of ['Proof of identity', 'Proof of address', 'Your name', 'This is a test']) {
      expect(answer.body).toContain(text);
    }
    expect(answer.body).not.toContain('Company register');
    expect(answer.body).not.toMatch(/Planted|Ada/);
  });

  it('loads what it needs from here, to be kept for ever', async () => {
    const { path } = await visits.newLink();
    const { body } = await visits.ask('GET', path);
    for (const { url, type, bytes } of Object.values(ASSETS)) {
      expect(body).toContain(url);
      const answer = await visits.ask('GET', url);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.body).toBe(bytes.toString());
    }
    expect((await visits.ask('GET', '/assets/0000000000000000/site.css')).status).toBe(404);
    expect(body.length + ASSETS.css.bytes.length + ASSETS.script.bytes.length).toBeLessThan(
      100_000,
    );
  });

  it('of a provider that asks by itself leads to its page', async () => {
    const { path } = await visits.newLink([]);
    const answer = await visits.ask('GET', path);
    expect([answer.status, answer.headers.location]).toEqual([302, 'https://kyc.example/hosted/1']);
    const refresh = await visits.ask('GET', path, { headers: { 'x-causeway-refresh': '1' } });
    expect([refresh.status, refresh.body]).toEqual([200, expect.stringContaining('Continue')]);
  });

  it('without a provider yet asks for patience, and looks again by itself', async () => {
    const { harness } = visits;
    const endUserId = await harness.addEndUser('Planted');
    const { link } = (await harness.post(`/end-users/${endUserId}/kyc`)).json();
    const answer = await visits.ask('GET', new URL(link.url as string).pathname);
    expect([answer.status, answer.headers]).toMatchObject([200, PROTECTION]);
    expect(answer.body).toContain('data-refresh');
  });

  it('costs at most 12 statements', async () => {
    const { token } = await visits.newLink();
    const { database, vault, clock } = visits.harness;
    const { db, readStatements } = createCountedDatabase(database.url);
    expect(await readKycPage({ db, vault, clock }, token)).toMatchObject({ step: 'GIVE' });
    const statements = readStatements();
    await db.close();
    expect(statements.length).toBeGreaterThan(4);
    expect(statements.length).toBeLessThanOrEqual(12);
  });
});

describe('a link that opens nothing', () => {
  it('has one page, byte for byte, whyever it opens nothing', async () => {
    const { harness } = visits;
    const replaced = await visits.newLink();
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query(`UPDATE kyc_checks SET link_expires_at = $2 WHERE id = $1`, [
        replaced.kycCheckId,
        harness.clock.now(),
      ]),
    );
    const expired = replaced.path;
    const before = await visits.ask('GET', expired);
    const again = (await harness.post(`/end-users/${replaced.endUserId}/kyc`)).json();
    expect(new URL(again.link.url as string).pathname).not.toBe(replaced.path);
    const closed = await visits.newLink();
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query(`UPDATE end_users SET status = 'SUSPENDED' WHERE id = $1`, [closed.endUserId]),
    );
    const paths = [
      replaced.path,
      closed.path,
      `/kyc/${'A'.repeat(43)}`,
      '/kyc/nonsense',
      '/kyc/%00',
    ];
    const dead = await Promise.all(paths.map((path) => visits.ask('GET', path)));
    expect(before.status).toBe(404);
    expect(before.headers).toMatchObject(PROTECTION);
    expect(
      new Set(dead.slice(0, 4).map(({ status, body }) => `${String(status)} ${body}`)),
    ).toEqual(new Set([`404 ${before.body}`]));
    expect([400, 404]).toContain(dead[4]?.status);
  });

  it.each(['documents', 'submission', 'documents/PASSPORT/removal'])(
    'takes no POST to %s either, and reads none of it',
    async (route) => {
      const path = `/kyc/${'A'.repeat(43)}/${route}`;
      const answer = await visits.ask('POST', path, {
        headers: { 'content-type': FORM_TYPE },
        body: writeForm([['PASSPORT', 'a.png', png(300)]]),
      });
      expect([answer.status, answer.body]).toEqual([
        404,
        (await visits.ask('GET', '/kyc/nonsense')).body,
      ]);
    },
  );
});

describe('uploads', () => {
  it('are kept, shown without their names, replaced and removed', async () => {
    const { path, kycCheckId } = await visits.newLink();
    const sent = await visits.upload(path, [
      ['PASSPORT', '"><script>alert(1)</script>.png', png(2_400_000)],
      ['PROOF_OF_ADDRESS', '../../bill.pdf', pdf()],
      ['SELFIE', '', Buffer.alloc(0)],
    ]);
    expect([sent.status, sent.headers.location]).toEqual([303, path]);
    const { body } = await visits.ask('GET', path);
    expect(body).toMatch(/Passport<\/b>.*PNG, 2\.3 MB/);
    expect(body).not.toMatch(/alert|bill\.pdf/);
    expect((await visits.upload(path, [['PASSPORT', 'x', jpeg()]])).status).toBe(303);
    expect((await visits.ask('GET', path)).body).toMatch(/Passport<\/b>.*JPEG/);
    expect((await visits.remove(path, 'PASSPORT')).status).toBe(303);
    expect(await visits.standing(kycCheckId)).toMatchObject({ uploads: ['PROOF_OF_ADDRESS'] });
    expect((await visits.remove(path, 'PASSPORT')).status).toBe(303);
    expect((await visits.remove(path, 'NONSENSE')).status).toBe(404);
  });

  it('that are wrong name their field, and lose nothing of what was uploaded before or beside them', async () => {
    const { path, kycCheckId } = await visits.newLink();
    await visits.upload(path, [['SELFIE', 'a', jpeg()]]);
    const answer = await visits.upload(path, [
      ['PASSPORT', 'a.png', png(500)],
      ['PROOF_OF_ADDRESS', 'a.png', Buffer.from('<html><script>alert(1)</script>')],
      ['ID_CARD_FRONT', 'large.png', png(10 * MIB + 1)],
      ['ID_CARD_BACK', 'none.png', Buffer.alloc(0)],
      ['OTHER', 'fits.png', png(10 * MIB)],
    ]);
    expect(answer.status).toBe(422);
    expect(answer.headers).toMatchObject(PROTECTION);
    for (const [field, text] of [
      ['PROOF_OF_ADDRESS', 'no picture'],
      ['ID_CARD_FRONT', 'larger than 10 MB'],
      ['ID_CARD_BACK', 'empty'],
    ] as const) {
      expect(answer.body).toMatch(new RegExp(`<a href="#${field}">[^<]*${text}`));
      expect(answer.body).toContain(`id="${field}"`);
    }
    expect(await visits.standing(kycCheckId)).toEqual({
      uploads: ['OTHER', 'PASSPORT', 'SELFIE'],
      documents: [],
    });
  });

  it('beyond six are told so', async () => {
    const { path, kycCheckId } = await visits.newLink();
    const types = ['PASSPORT', 'ID_CARD_FRONT', 'ID_CARD_BACK', 'SELFIE', 'OTHER'];
    const files = [...types, 'RESIDENCE_PERMIT', 'PROOF_OF_ADDRESS'].map(
      (type, n) => [type, 'a', png(300 + n)] as const,
    );
    const answer = await visits.upload(path, files);
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.stringContaining('Remove one first'),
    ]);
    expect(answer.body).toContain('href="#PROOF_OF_ADDRESS"');
    expect((await visits.standing(kycCheckId)).uploads).toHaveLength(6);
  });

  it.each([
    ['nothing chosen', [['PASSPORT', '', Buffer.alloc(0)]], 422],
    ['no part at all', [], 422],
    ['a field that there is not', [['EVIL', 'a', png(300)]], 400],
    ['a field of every object', [['__proto__', 'a', png(300)]], 400],
    ['more parts than fields', Array.from({ length: 40 }, () => ['OTHER', 'a', png(300)]), 400],
  ] as const)('of %s keep the page whole', async (_name, parts, status) => {
    const { path, kycCheckId } = await visits.newLink();
    await visits.upload(path, [['SELFIE', 'a', jpeg()]]);
    const answer = await visits.upload(path, parts as never);
    expect([answer.status, answer.headers]).toMatchObject([status, PROTECTION]);
    expect((await visits.standing(kycCheckId)).uploads).toContain('SELFIE');
  });

  it.each([
    ['another type of body', { 'content-type': 'application/json' }, Buffer.from('{}'), 415],
    ['no boundary', { 'content-type': 'multipart/form-data' }, Buffer.from('x'), 400],
    ['a text field', { 'content-type': FORM_TYPE }, textField(), 400],
    ['a form that breaks off', { 'content-type': FORM_TYPE }, brokenOff(), 400],
    ['headers without end', { 'content-type': FORM_TYPE }, endlessHeaders(), 400],
    ['buttons with a field', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 400],
  ] as const)('of %s are refused with a page', async (_name, headers, body, status) => {
    const { path, kycCheckId } = await visits.newLink();
    const answer = await visits.ask('POST', `${path}/documents`, {
      headers,
      body: Buffer.from(body),
    });
    expect([answer.status, answer.headers]).toMatchObject([status, PROTECTION]);
    expect((await visits.standing(kycCheckId)).uploads).toEqual([]);
  });

  it('of more than a request may hold are refused before they are read', async () => {
    const { path } = await visits.newLink();
    const head = [
      `POST ${path}/documents HTTP/1.1`,
      ...[`host: ${new URL(visits.origin).host}`, 'sec-fetch-site: same-origin'],
      ...[`content-type: ${FORM_TYPE}`, `content-length: ${String(200 * MIB)}`],
    ];
    expect(await exchange(`${head.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('in chunks without end are cut off, and what came before them stays', async () => {
    const { path, kycCheckId } = await visits.newLink();
    await visits.upload(path, [['SELFIE', 'a', jpeg()]]);
    const head = [
      `POST ${path}/documents HTTP/1.1`,
      ...[`host: ${new URL(visits.origin).host}`, 'sec-fetch-site: same-origin'],
      ...[`content-type: ${FORM_TYPE}`, 'transfer-encoding: chunked'],
    ];
    const start = writeForm([['PASSPORT', 'a', png(300)]]).subarray(0, -40);
    const sent = await flood(`${head.join('\r\n')}\r\n\r\n`, start);
    expect(sent).toBeGreaterThan(10 * MIB);
    expect(sent).toBeLessThan(200 * MIB);
    expect(await visits.standing(kycCheckId)).toEqual({ uploads: ['SELFIE'], documents: [] });
  });

  it('whose sender goes away in between keep the files that had come', async () => {
    const { path, kycCheckId } = await visits.newLink();
    const form = writeForm([
      ['PASSPORT', 'a', png(3_000)],
      ['SELFIE', 'a', png(500_000)],
    ]);
    const head = [
      `POST ${path}/documents HTTP/1.1`,
      ...[`host: ${new URL(visits.origin).host}`, 'sec-fetch-site: same-origin'],
      ...[`content-type: ${FORM_TYPE}`, `content-length: ${String(form.length)}`],
    ];
    const socket = connect(visits.port, '127.0.0.1');
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(form.subarray(0, 200_000));
    await until('the first file is kept', async () =>
      (await visits.standing(kycCheckId)).uploads.length === 1 ? true : null,
    );
    socket.destroy();
    expect((await visits.upload(path, [['OTHER', 'a', png(300)]])).status).toBe(303);
    expect((await visits.standing(kycCheckId)).uploads).toEqual(['OTHER', 'PASSPORT']);
  });

  it('that wait for their turn and whose senders go away hold no place', async () => {
    const form = writeForm([['PASSPORT', 'a', png(3_000)]]);
    const begin = (path: string, bytes: number) => {
      const head = [
        `POST ${path}/documents HTTP/1.1`,
        ...[`host: ${new URL(visits.origin).host}`, 'sec-fetch-site: same-origin'],
        ...[`content-type: ${FORM_TYPE}`, `content-length: ${String(form.length)}`],
      ];
      const socket = connect(visits.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(form.subarray(0, bytes));
      return socket;
    };
    const links = await Promise.all(Array.from({ length: 6 }, () => visits.newLink()));
    const requests: IncomingMessage[] = [];
    visits.harness.app.server.on('request', (request) => requests.push(request));
    const slow = links.map(({ path }) => begin(path, 1_000));
    const isRead = ({ readableFlowing }: IncomingMessage) => readableFlowing === true;
    await until('six are being read', async () =>
      requests.filter(isRead).length === 6 ? true : null,
    );
    const waiting = await visits.newLink();
    const answers: string[] = [];
    const impatient = Array.from({ length: 5 }, () => begin(waiting.path, 1_000));
    for (const socket of impatient) {
      socket.once('data', (data) => answers.push(data.toString().split('\r\n')[0] ?? ''));
    }
    // Two of one link may wait for their turn.
    await until('three are turned away', async () => (answers.length >= 3 ? true : null));
    expect(answers).toEqual(Array.from({ length: 3 }, () => 'HTTP/1.1 503 Service Unavailable'));
    for (const socket of impatient) socket.destroy();
    await until('they are gone', async () =>
      requests.slice(6).every(({ socket }) => socket.destroyed) ? true : null,
    );
    for (const [n, socket] of slow.entries()) {
      if (n < 5) socket.destroy();
    }
    await until('there is room again', async () => {
      const { status } = await visits.upload(waiting.path, [['PASSPORT', 'a', png(300)]]);
      return status === 303 ? true : null;
    });
    slow.at(-1)?.write(form.subarray(1_000));
    await until('the slow one is kept', async () =>
      (await visits.standing(links.at(-1)?.kycCheckId ?? '')).uploads.length === 1 ? true : null,
    );
    slow.at(-1)?.destroy();
  });

  it('of one link are bounded: too many are told when to come back', async () => {
    const { path } = await visits.newLink();
    const statuses: number[] = [];
    for (let n = 0; n < 40 && statuses.at(-1) !== 429; n += 1) {
      statuses.push((await visits.upload(path, [['OTHER', 'a', png(300 + n)]])).status);
    }
    expect(statuses.filter((status) => status === 303)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    const other = await visits.newLink();
    expect((await visits.upload(other.path, [['OTHER', 'a', png(300)]])).status).toBe(303);
  });
});

describe('a submission', () => {
  it('says what is missing, and sends nothing', async () => {
    const { path, kycCheckId } = await visits.newLink();
    await visits.upload(path, [['ID_CARD_FRONT', 'a', png(300)]]);
    const answer = await visits.submit(path);
    expect([answer.status, answer.headers]).toMatchObject([422, PROTECTION]);
    expect(answer.body).toMatch(/<a href="#PASSPORT">Still needed: proof of identity/);
    expect(answer.body).toMatch(/<a href="#PROOF_OF_ADDRESS">Still needed: proof of address/);
    expect(await visits.standing(kycCheckId)).toMatchObject({ uploads: ['ID_CARD_FRONT'] });
    const nothing = await visits.newLink();
    expect((await visits.submit(nothing.path)).status).toBe(422);
  });

  it('of many at once is one; the page then says what comes next, and wakes the check', async () => {
    const { path, kycCheckId } = await visits.newLink(['IDENTITY']);
    await visits.upload(path, [['PASSPORT', 'a', png(300)]]);
    const { harness } = visits;
    const wakes = harness.wakes.length;
    const answers = await Promise.all(Array.from({ length: 25 }, () => visits.submit(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await visits.standing(kycCheckId)).toEqual({ uploads: [], documents: ['PASSPORT'] });
    expect(await harness.eventTypes(kycCheckId)).toEqual(['kyc.pending', 'kyc.in_review']);
    expect(harness.wakes.length).toBe(wakes + 1);
    const page = await visits.ask('GET', path);
    for (const text of [
      'Your documents were received',
      'Being checked',
      'https://kyc.example/hosted/1',
    ]) {
      expect(page.body).toContain(text);
    }
    expect(page.body).not.toContain('type="file"');
    expect((await visits.upload(path, [['OTHER', 'a', png(301)]])).status).toBe(303);
    expect(await visits.standing(kycCheckId)).toEqual({ uploads: [], documents: ['PASSPORT'] });
  });

  it('that was declined says nothing of why', async () => {
    const { path, kycCheckId } = await visits.newLink(['IDENTITY']);
    const { harness } = visits;
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query(
        `WITH review AS (UPDATE kyc_checks SET status = 'IN_REVIEW', version = version + 1
           WHERE id = $1 RETURNING id) SELECT id FROM review`,
        [kycCheckId],
      ),
    );
    const reasons = JSON.stringify([{ code: 'COMPLIANCE_DECLINED', message: 'compliance' }]);
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query(
        `UPDATE kyc_checks SET status = 'REJECTED', reasons = $2, version = version + 1 WHERE id = $1`,
        [kycCheckId, reasons],
      ),
    );
    const answer = await visits.ask('GET', path);
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('closed')]);
    expect(answer.body).not.toMatch(/compliance|reject|declin/i);
  });
});

describe('a forged post', () => {
  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another origin of this site', { 'sec-fetch-site': 'same-site' }],
    ['that names another origin', { origin: 'https://evil.example' }],
    ['from a sandboxed frame', { origin: 'null' }],
  ])('%s changes nothing', async (_name, headers) => {
    const { path, kycCheckId } = await visits.newLink(['IDENTITY']);
    await visits.upload(path, [['PASSPORT', 'a', png(300)]]);
    for (const answer of [
      await visits.submit(path, headers),
      await visits.upload(path, [['PASSPORT', 'a', jpeg()]], headers),
    ]) {
      expect([answer.status, answer.headers]).toMatchObject([403, PROTECTION]);
    }
    expect(await visits.standing(kycCheckId)).toEqual({ uploads: ['PASSPORT'], documents: [] });
  });
});

describe('what is written down', () => {
  it('holds no token, name or file, at any level of the log', async () => {
    const { path, token } = await visits.newLink(['IDENTITY'], 'Loggedlast');
    visits.log.length = 0;
    await visits.ask('GET', path, { headers: { referer: `${visits.origin}${path}` } });
    await visits.upload(path, [['PASSPORT', 'Loggedfile.png', png(300, 'Loggedbytes')]], {
      referer: `${visits.origin}${path}`,
    });
    await visits.upload(path, [['NONE', 'Loggedfile.png', png(300)]]);
    await visits.ask('GET', `${path}x`);
    await until('the requests are in the log', async () =>
      visits.log.filter((line) => line.includes('"request"')).length >= 4 ? true : null,
    );
    const text = visits.log.join('');
    expect(text).toContain('/kyc/:token/documents');
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/Logged/);
  });
});

function textField(): Buffer {
  const form = writeForm([['PASSPORT', 'a', Buffer.from('x')]]).toString();
  return Buffer.from(
    form.replace('; filename="a"', '').replace('application/octet-stream', 'text/plain'),
  );
}

function brokenOff(): Buffer {
  return writeForm([['PASSPORT', 'a', png(300)]]).subarray(0, -60);
}

function endlessHeaders(): Buffer {
  return Buffer.from(`------visitor\r\n${'x-header: a\r\n'.repeat(20_000)}`);
}

/** Sends a text and reads the answer's beginning. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(visits.port, '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.once('data', (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });
}

/** Sends chunks until the other side has enough; answers how many bytes it took. */
function flood(head: string, start: Uint8Array): Promise<number> {
  const filler = Buffer.alloc(MIB, 'x');
  return new Promise((resolve) => {
    let sent = 0;
    const socket = connect(visits.port, '127.0.0.1', () => {
      socket.write(head);
      socket.write(`${start.length.toString(16)}\r\n`);
      socket.write(start);
      socket.write('\r\n');
      more();
    });
    const more = () => {
      while (!socket.destroyed && sent < 300 * MIB) {
        sent += MIB;
        socket.write(`${MIB.toString(16)}\r\n`);
        socket.write(filler);
        if (!socket.write('\r\n')) return void socket.once('drain', more);
      }
    };
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(sent));
  });
}
