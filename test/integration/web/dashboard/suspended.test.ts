import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCustomer } from '../../../support/test-customer.ts';
import { addTestUser } from '../../../support/test-people.ts';
import { setCustomerStatus } from '../../../support/set-customer-status.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

let dashboard: TestDashboard;
let owner: string;
let keyId: string;
let userId: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { harness, payer, site, hold } = dashboard;
  const { customerId } = payer.scope;
  owner = await dashboard.logIn('OWNER');
  await hold(await harness.accept());
  const body = { url: 'http://127.0.0.1:9/hooks' };
  await harness.ask({ method: 'POST', url: '/webhook-endpoints', body });
  userId = (await addTestUser(site.people, customerId, 'VIEWER')).id;
  const [key] = await harness.rows<{ id: string }>(
    `SELECT id FROM api_keys WHERE customer_id = $1 AND environment = 'test' LIMIT 1`,
    [customerId],
  );
  keyId = key?.id ?? '';
});
afterAll(() => dashboard.close());

/** What a person of a suspended customer may still do: it is their own. */
const isOwn = (action: string): boolean =>
  action === '/log-out' ||
  (action.startsWith('/settings/') && action !== '/settings/require-passkeys');

/** Follows every link of the surface from one page on; what each page answers and which forms it has. */
async function walk(cookie: string) {
  const seen = new Map<string, { readonly status: number; readonly forms: readonly string[] }>();
  const ahead = ['/test/home', '/users', '/settings', '/going-live', '/audit'];
  for (let path = ahead.shift(); path !== undefined; path = ahead.shift()) {
    if (seen.has(path)) continue;
    const { status, body } = await dashboard.site.get(path, cookie);
    const forms = [...body.matchAll(/<form[^>]*method="post"[^>]*action="([^"]+)"/g)];
    seen.set(path, { status, forms: forms.map(([, action = '']) => action) });
    for (const [, href = ''] of body.matchAll(/href="(\/[^"#]*)"/g)) {
      const next = href.replaceAll('&amp;', '&');
      if (!/^\/(assets|log-out)/.test(next)) ahead.push(next);
    }
  }
  return seen;
}

describe('a suspended customer’s owner', () => {
  it('sees everything, and is offered no form and no link that would be refused', async () => {
    const { harness, payer } = dashboard;
    const before = await walk(owner);
    await setCustomerStatus(harness.database.url, payer.scope.customerId, 'SUSPENDED');
    const after = await walk(owner);
    const offered = (pages: typeof after) =>
      new Set([...pages.values()].flatMap(({ forms }) => forms).filter((one) => !isOwn(one)));
    // Not for want of forms.
    expect(offered(before).size).toBeGreaterThan(10);
    expect([...offered(after)]).toEqual([]);
    const refused = [...after].filter(([, { status }]) => status >= 400).map(([path]) => path);
    expect(refused).toEqual([]);
    expect(after.size).toBeGreaterThan(20);
    expect([...after.keys()]).toContain(`/users/${userId}`);
  });

  it('is told of the suspension where a form would be, and not after filling it in', async () => {
    for (const path of [
      ...['/users/invite', '/test/keys/new', '/test/webhooks/new', '/going-live/company'],
      ...[`/test/keys/${keyId}/rotate`, `/test/keys/${keyId}/revoke`],
    ]) {
      const answer = await dashboard.site.get(path, owner);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.body).toContain('Your account is suspended');
    }
    expect((await dashboard.site.get('/users', owner)).body).toContain('@example.com');
  });

  it('is no stranger’s trouble', async () => {
    const customerId = await dashboard.db.system((tx) => addCustomer(tx));
    const stranger = await dashboard.logIn('OWNER', customerId);
    expect((await dashboard.site.get('/users/invite', stranger)).status).toBe(200);
  });
});
