import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCustomer } from '../../../support/test-customer.ts';
import {
  sameness,
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

const MISSING = 'pay_01k6b7q0e8f1htx9n3r5p7v2ab';

let dashboard: TestDashboard;
let owner: string;
let ids: string[];
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.logIn('OWNER');
  ids = [];
  for (let n = 0; n < 22; n += 1) {
    dashboard.clock.advance(1_000);
    const order = dashboard.harness.order({
      externalId: n === 3 ? '<b>"invoice"&' : `invoice-${String(n % 2)}`,
      amount: n === 4 ? '1250.00' : '10.00',
    });
    const answer = await dashboard.harness.pay(order, `key-${String(n)}`);
    ids.unshift(answer.json<{ id: string }>().id);
  }
  await dashboard.settle(ids.at(-1) ?? '', 'SETTLED');
});
afterAll(() => dashboard.close());

const shownIds = (html: string): string[] =>
  [...html.matchAll(/class="row-link" href="\/test\/payments\/(pay_[0-9a-z]+)"/g)].map(
    ([, id]) => id ?? '',
  );
const list = async (query = '', cookie = owner) => {
  const answer = await dashboard.site.get(`/test/payments${query}`, cookie);
  expect(answer.status, answer.body).toBe(200);
  return { html: answer.body, ids: shownIds(answer.body) };
};
const linkCalled = (html: string, text: string): string =>
  (new RegExp(`href="([^"]+)"[^>]*>\\s*${text}`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

describe('the list of payments', () => {
  it('shows them newest first, a page at a time, by the API’s own cursors', async () => {
    const first = await list();
    expect(first.ids).toEqual(ids.slice(0, 20));
    const older = linkCalled(first.html, 'Older');
    const api = await dashboard.harness.ask({ url: '/payments?limit=20' });
    expect(new URLSearchParams(older.split('?')[1]).get('cursor')).toBe(
      api.json<{ nextCursor: string }>().nextCursor,
    );
    const second = await list(older.replace('/test/payments', ''));
    expect(second.ids).toEqual(ids.slice(20));
    expect(linkCalled(second.html, 'Newest')).toBe('/test/payments');
  });

  it('is narrowed by status, days and what is searched for', async () => {
    const { payer, clock } = dashboard;
    expect((await list('?status=COMPLETED')).ids).toEqual([ids.at(-1)]);
    expect((await list('?status=RETURNED')).ids).toEqual([]);
    expect((await list(`?search=${ids[5] ?? ''}`)).ids).toEqual([ids[5]]);
    expect((await list(`?search=${MISSING}`)).ids).toEqual([]);
    expect((await list('?search=key-7')).ids).toEqual([ids[22 - 1 - 7]]);
    expect((await list(`?search=${payer.endUserId}`)).ids).toHaveLength(20);
    expect((await list(`?search=${payer.bankAccountId}&status=COMPLETED`)).ids).toHaveLength(1);
    expect((await list('?search=invoice-1')).ids).toHaveLength(10);
    const day = clock.now().toISOString().slice(0, 10);
    expect((await list(`?from=${day}&search=key-21`)).ids).toEqual([ids[0]]);
    expect((await list(`?to=2026-01-01&search=key-21`)).ids).toEqual([]);
  });

  it('finds a payment by the reference that its bank knows', async () => {
    const [id] = ids;
    const [row] = await dashboard.harness.rows<{ reference: string }>(
      'SELECT reference FROM settlement_attempts WHERE payment_id = $1',
      [id],
    );
    expect((await list(`?search=${row?.reference ?? ''}`)).ids).toEqual([id]);
  });

  it('takes days by the clock of its reader', async () => {
    const [row] = await dashboard.harness.rows<{ id: string }>(
      `UPDATE users SET time_zone = 'Pacific/Kiritimati' WHERE customer_id = $1 RETURNING id`,
      [dashboard.payer.scope.customerId],
    );
    try {
      const page = await list('?search=key-21');
      expect(page.html).toContain('Created (Pacific/Kiritimati)');
      const there = new Date(dashboard.clock.now().getTime() + 14 * 3_600_000);
      const day = there.toISOString().slice(0, 10);
      expect((await list(`?from=${day}&to=${day}&search=key-21`)).ids).toEqual([ids[0]]);
    } finally {
      await dashboard.harness.rows(`UPDATE users SET time_zone = 'UTC' WHERE id = $1`, [row?.id]);
    }
  });

  it('keeps its filters in the link to older payments', async () => {
    const { html } = await list('?status=PROCESSING&search=');
    const older = new URLSearchParams(linkCalled(html, 'Older').split('?')[1]);
    expect(older.get('status')).toBe('PROCESSING');
    expect(older.has('search')).toBe(false);
  });

  it('shows what customers wrote as text', async () => {
    const { html } = await list();
    expect(html).toContain('&lt;b>&quot;invoice&quot;&amp;');
    expect(html).not.toContain('<b>"invoice"');
  });

  it.each([
    ['status=nonsense', 'status', 'Choose one of'],
    ['status=__proto__', 'status', 'Choose one of'],
    ['from=2026-02-30', 'from', 'Enter a date as YYYY-MM-DD, for example 2026-11-22.'],
    ['from=0000-01-01', 'from', 'Enter a date as YYYY-MM-DD, for example 2026-11-22.'],
    ['to=%27;DROP', 'to', 'Enter a date as YYYY-MM-DD, for example 2026-11-22.'],
    [`search=${'x'.repeat(256)}`, 'search', 'at most 255 characters'],
  ])(
    'answers %s with 422, the form as filled and a link to its field',
    async (query, field, says) => {
      const answer = await dashboard.site.get(`/test/payments?${query}`, owner);
      expect(answer.status).toBe(422);
      expect(answer.body).toContain(`<a href="#${field}">`);
      expect(answer.body).toContain(says);
      expect(shownIds(answer.body)).toEqual([]);
    },
  );

  it('refuses a cursor of another list, and of none', async () => {
    const foreign = Buffer.from('end-users:5').toString('base64url');
    for (const cursor of [foreign, 'nonsense', 'cGF5bWVudHM6LTE']) {
      const answer = await dashboard.site.get(`/test/payments?cursor=${cursor}`, owner);
      expect(answer.status, cursor).toBe(400);
    }
  });

  it('shows nothing of another customer', async () => {
    const stranger = await dashboard.addStranger();
    const theirs = await dashboard.payAs(stranger);
    expect((await list(`?search=${theirs}`)).ids).toEqual([]);
    expect((await list(`?search=${stranger.endUserId}`)).ids).toEqual([]);
    const theirOwner = await dashboard.logIn('OWNER', stranger.scope.customerId);
    expect((await list('', theirOwner)).ids).toEqual([theirs]);
  });

  it('begins with a sentence, a button and the request that makes the first one', async () => {
    const { harness } = dashboard;
    const stranger = await dashboard.addStranger();
    const cookie = await dashboard.logIn('VIEWER', stranger.scope.customerId);
    const { html } = await list('', cookie);
    expect(html).toContain('No payment yet');
    expect(html).toContain('/api/v1/payments');
    expect(harness.payer.token).not.toBe('');
    expect(html).not.toContain('Export CSV');
  });
});

describe('an address that is none', () => {
  it('is the same 404, whether missing, malformed, another customer’s or of the other environment', async () => {
    const stranger = await dashboard.addStranger();
    const live = await dashboard.harness.addPayer({
      ...dashboard.payer.scope,
      environment: 'live',
    });
    const wanted = [
      ...[MISSING, 'nonsense', '%20', '__proto__'],
      ...[await dashboard.payAs(stranger), await dashboard.payAs(live)],
    ];
    const answers = await Promise.all(
      wanted.map((id) => dashboard.site.get(`/test/payments/${id}`, owner)),
    );
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 404));
    expect(new Set(answers.map(sameness)).size).toBe(1);
    const elsewhere = await dashboard.site.get('/prod/payments', owner);
    expect(sameness(elsewhere)).toBe(sameness(answers[0]!));
  });

  it('is the checklist’s place in live where there never was live access, whatever id it names', async () => {
    const { db } = dashboard.harness.database;
    const customerId = await db.system((tx) => addCustomer(tx, { hasLiveAccess: false }));
    const cookie = await dashboard.logIn('OWNER', customerId);
    for (const path of ['home', 'payments', `payments/${MISSING}`, 'end-users', 'balances']) {
      const answer = await dashboard.site.get(`/live/${path}`, cookie);
      expect(answer.status, path).toBe(200);
      expect(answer.body).toContain('href="/going-live"');
      expect(answer.body).toContain('You do not have live access');
    }
    expect((await dashboard.site.get('/live/payments.csv', cookie)).status).toBe(404);
  });

  it('sends who is not logged in to the login', async () => {
    for (const path of ['home', 'payments', 'payments.csv', 'end-users', 'balances']) {
      const answer = await dashboard.site.get(`/test/${path}`);
      expect([answer.status, answer.headers.location]).toEqual([
        303,
        `/login?next=%2Ftest%2F${path}`,
      ]);
    }
  });
});
