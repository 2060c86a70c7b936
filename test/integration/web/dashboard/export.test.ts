import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payer } from '../../../support/payment-harness.ts';
import { seedAccepted } from '../../../support/seed-accepted.ts';
import { until } from '../../../support/until.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

let dashboard: TestDashboard;
let owner: string;
/** One with more payments than sockets hold of. */
let large: Payer;
const LARGE = 30_000;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.logIn('OWNER');
  large = await dashboard.addStranger();
  await seed(large, LARGE);
});
afterAll(() => dashboard.close());

/** RFC 4180, as a program that takes it at its word reads it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
async function download(query = '', cookie = owner) {
  const answer = await dashboard.site.get(`/test/payments.csv${query}`, cookie);
  expect(answer.status, answer.body).toBe(200);
  const [heads = [], ...rows] = parseCsv(answer.body);
  const named = rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at]])));
  return { answer, heads, rows: named as Readonly<Record<string, string>>[] };
}
async function seed({ scope, endUserId, bankAccountId }: Payer, count: number): Promise<void> {
  const now = dashboard.clock.now();
  await seedAccepted(dashboard.harness.database.url, {
    ...{ scope, endUserId, bankAccountId, count, series: count },
    ...{ from: new Date(now.getTime() - 3_600_000), until: now },
  });
}

describe('payments as a file', () => {
  it('has a line for each that the filters leave, newest first, however many there are', async () => {
    const payer = await dashboard.addStranger();
    await seed(payer, 1_201);
    const cookie = await dashboard.logIn('FINANCE', payer.scope.customerId);
    const { answer, rows } = await download('', cookie);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="payments-test-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(rows).toHaveLength(1_201);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1_201);
    expect(rows[0]).toMatchObject({ amount: '12.01', currency: 'EUR', status: 'COMPLETED' });
    expect((await download('?status=FAILED', cookie)).rows).toEqual([]);
    expect((await download(`?search=${rows[7]?.['id'] ?? ''}`, cookie)).rows).toHaveLength(1);
  });

  it('makes what a spreadsheet would take for a formula text, and keeps quotes and line ends inside', async () => {
    const hostile = [
      ...['=1+1', '+1', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0", '＝1', 'a,b', '"quoted"'],
      ...['=HYPERLINK("http://evil.example";"x")'],
    ];
    for (const externalId of hostile) await dashboard.harness.accept({ externalId });
    await dashboard.harness.pay(dashboard.harness.order(), '=cmd()');
    const { rows } = await download();
    const told = rows.map(({ externalId }) => externalId);
    for (const text of hostile.slice(0, 6)) expect(told).toContain(`'${text}`);
    expect(told).toContain('a,b');
    expect(told).toContain('"quoted"');
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.length).toBeGreaterThan(100);
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(rows.map(({ idempotencyKey }) => idempotencyKey)).toContain("'=cmd()");
  });

  it('says nothing personal', async () => {
    await dashboard.harness.accept({ reference: 'planted-reference', metadata: { a: 'planted' } });
    const { answer } = await download();
    expect(answer.body).not.toMatch(/planted|Ada|Sample|DE89|0130/);
  });

  it.each(['DEVELOPER', 'VIEWER'] as const)(
    'is refused to a %s, who is not offered it',
    async (role) => {
      const cookie = await dashboard.logIn(role);
      const answer = await dashboard.site.get('/test/payments.csv', cookie);
      expect(answer.status).toBe(403);
      expect(answer.body).not.toContain('pay_');
      expect((await dashboard.site.get('/test/payments', cookie)).body).not.toContain('Export CSV');
      expect((await dashboard.site.get('/test/payments', owner)).body).toContain('Export CSV');
    },
  );

  it('is refused with a page where a filter is wrong', async () => {
    const answer = await dashboard.site.get('/test/payments.csv?status=x', owner);
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toContain('text/html');
  });

  it('is in the audit log before its first byte, without what was searched for', async () => {
    await download('?status=COMPLETED&search=planted-term');
    const rows = await dashboard.harness.database.people.system((tx) =>
      tx.query<{ actor: string; details: object }>(
        `SELECT actor, details FROM audit_log WHERE action = 'payments.export'
         ORDER BY id DESC LIMIT 1`,
      ),
    );
    expect(rows).toEqual([
      { actor: expect.stringMatching(/^user:usr_/), details: { filters: ['status', 'search'] } },
    ]);
  });

  /** Reads the file's beginning, lets something happen, and reads what comes then. */
  async function readSlowly(cookie: string, meanwhile: () => Promise<unknown>) {
    const { host, port } = dashboard.site;
    const sent = request({
      ...{ host: '127.0.0.1', port, path: '/test/payments.csv', agent: false },
      headers: { host, cookie },
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    await once(answer, 'readable');
    await meanwhile();
    let text = '';
    try {
      for await (const chunk of answer) text += String(chunk);
    } catch {
      // Broken off: `complete` says so.
    }
    return { isComplete: answer.complete, lines: text.split('\r\n').length };
  }

  it('is broken off where the session ends: no client takes it for the whole', async () => {
    const cookie = await dashboard.logIn('OWNER', large.scope.customerId);
    const whole = await readSlowly(cookie, () => Promise.resolve());
    expect(whole).toEqual({ isComplete: true, lines: LARGE + 2 });
    const part = await readSlowly(cookie, () =>
      dashboard.harness.database.people.system((tx) =>
        tx.query('UPDATE sessions SET ended_at = now() WHERE customer_id = $1', [
          large.scope.customerId,
        ]),
      ),
    );
    expect(part.isComplete).toBe(false);
    expect(part.lines).toBeLessThan(LARGE + 2);
  });

  it('is broken off where a page of it takes too long to read', async () => {
    const payer = await dashboard.addStranger();
    await seed(payer, 1_300);
    const cookie = await dashboard.logIn('OWNER', payer.scope.customerId);
    const asIs = pg.Client.prototype.query;
    let reads = 0;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [first] = args as [string | { text: string }];
      const text = typeof first === 'string' ? first : first.text;
      if (text.includes('AS walks') && (reads += 1) === 2) {
        // What PostgreSQL says when the statement's time is over.
        const query = asIs as (...all: unknown[]) => Promise<unknown>;
        return query.apply(this, [`DO $$ BEGIN RAISE SQLSTATE '57014'; END $$`]);
      }
      return (asIs as (...all: unknown[]) => unknown).apply(this, args);
    } as never;
    try {
      const part = await readSlowly(cookie, () => Promise.resolve());
      expect(part.isComplete).toBe(false);
      expect(part.lines).toBeLessThan(1_302);
    } finally {
      pg.Client.prototype.query = asIs;
    }
  });

  it('that is no longer taken is no longer read', async () => {
    const cookie = await dashboard.logIn('OWNER', large.scope.customerId);
    let reads = 0;
    const asIs = pg.Client.prototype.query;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [first] = args as [string | { text: string }];
      const text = typeof first === 'string' ? first : first.text;
      if (text.includes('AS walks')) reads += 1;
      return (asIs as (...all: unknown[]) => unknown).apply(this, args);
    } as never;
    try {
      const { host, port, app } = dashboard.site;
      const sent = request({
        ...{ host: '127.0.0.1', port, path: '/test/payments.csv', agent: false },
        headers: { host, cookie },
      });
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.on('error', () => undefined);
      await once(answer, 'readable');
      answer.destroy();
      const connections = () =>
        new Promise<number>((resolve, reject) => {
          app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
        });
      await until('the connection to be gone', async () => {
        app.server.closeIdleConnections();
        return (await connections()) === 0 ? true : null;
      });
      const atTheEnd = reads;
      // What the page after it reads comes later than anything that was under way.
      expect((await dashboard.site.get('/test/payments', cookie)).status).toBe(200);
      expect(reads - atTheEnd).toBeLessThanOrEqual(2);
      expect(atTheEnd).toBeGreaterThan(0);
      // 500 a page.
      expect(reads).toBeLessThan(LARGE / 500);
    } finally {
      pg.Client.prototype.query = asIs;
    }
  });
});
