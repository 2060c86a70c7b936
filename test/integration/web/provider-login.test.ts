import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { addAuthenticator } from '../../support/web/authenticator.ts';
import { startOidcProvider, type ProviderAccount } from '../../support/web/oidc-provider.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { withPage } from '../../support/web/site-pages.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const browser = useBrowser();
const accounts = new Map<string, ProviderAccount>();
let oidc: Awaited<ReturnType<typeof startOidcProvider>>;
let console: Site;
let dashboard: Site;
beforeAll(async () => {
  oidc = await startOidcProvider(accounts);
  console = await startSite('console', {
    provider: (url) =>
      oidc.createLogin(url, { roles: 'payouts-ops=OPERATIONS,payouts-admins=ADMIN' }),
  });
  dashboard = await startSite('dashboard', {
    provider: (url) => oidc.createLogin(url, { isOnly: true }),
  });
});
afterAll(() => Promise.all([console.close(), dashboard.close(), oidc.close()]));

const account = (id: string, email: string, more: Partial<ProviderAccount> = {}) =>
  accounts.set(id, { email, isVerified: true, groups: ['payouts-ops'], ...more });

/** Goes to the provider and is that account there, up to the page that comes of it here. */
async function logInAs(page: Page, site: Site, id: string): Promise<void> {
  await page.goto(`${site.origin}/login?next=%2Fsettings`);
  await page.getByRole('link', { name: 'Log in with Example ID' }).click();
  await page.locator('input[name=login]').fill(id);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/interaction\//);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.origin === site.origin);
}

const sessionsOf = (site: Site, personId: string) =>
  site.database.people.system((tx) =>
    tx.query(
      `SELECT details FROM audit_log WHERE action = 'session.open' AND details ? 'provider'
         AND actor = $1`,
      [personId],
    ),
  );

describe('an operator whom a provider knows', () => {
  it('logs in with the role of their account, and shows the passkey that they have', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('ada', address);
    await withPage(browser(), {}, async (page) => {
      const authenticator = await addAuthenticator(page);
      await logInAs(page, console, 'ada');
      await page.waitForURL(`${console.origin}/settings`);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('8-digit code').fill((await console.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await page.getByRole('button', { name: /^Remove the passkey/ }).waitFor();
      expect(await authenticator.count()).toBe(1);
      await page.context().clearCookies();
      await logInAs(page, console, 'ada');
      await page.getByText('Your account also needs one of your passkeys.').waitFor();
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.waitForURL(`${console.origin}/settings`);
    });
    expect(await sessionsOf(console, id)).toHaveLength(2);
  });

  it.each([
    ['without a group that grants their role', 'ben', { groups: ['payouts-admins'] }],
    ['without a group', 'cem', { groups: [] }],
    ['without an address that is verified there', 'dan', { isVerified: false }],
  ] as const)('%s is not let in', async (_what, id, more) => {
    const operator = await addTestOperator(console.people, 'OPERATIONS');
    account(id, operator.address, more);
    await withPage(browser(), {}, async (page) => {
      await logInAs(page, console, id);
      await page.getByRole('heading', { name: 'You are not logged in' }).waitFor();
      await page.goto(`${console.origin}/settings`);
      expect(page.url()).toContain('/login');
    });
    expect(await sessionsOf(console, operator.id)).toEqual([]);
  });

  it('has no account by that alone', async () => {
    account('eve', 'eve@elsewhere.example', { groups: ['payouts-ops', 'payouts-admins'] });
    await withPage(browser(), {}, async (page) => {
      await logInAs(page, console, 'eve');
      await page.getByText('has no account here').waitFor();
    });
  });
});

describe('the way back from a provider', () => {
  it('is the browser’s that went there, and is gone once', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('fay', address);
    await withPage(browser(), {}, async (page) => {
      let back = '';
      await page.route('**/login/provider/callback*', async (route) => {
        back = new URL(route.request().url()).search;
        await route.fulfill({ status: 200, body: 'kept' });
      });
      await logInAs(page, console, 'fay');
      await page.unroute('**/login/provider/callback*');
      const thief = createSiteBrowser(console);
      const stolen = await thief.get(`/login/provider/callback${back}`);
      expect([stolen.status, thief.cookies.has('__Host-console')]).toEqual([422, false]);
      // With a visit of its own it has another state.
      const visiting = createSiteBrowser(console);
      expect((await visiting.get('/login/provider')).status).toBe(303);
      expect((await visiting.get(`/login/provider/callback${back}`)).status).toBe(503);
      await page.goto(`${console.origin}/login/provider/callback${back}`);
      await page.waitForURL(`${console.origin}/settings`);
      await page.context().clearCookies();
      await page.goto(`${console.origin}/login/provider/callback${back}`);
      await page.getByRole('heading', { name: 'You are not logged in' }).waitFor();
    });
    expect(await sessionsOf(console, id)).toHaveLength(1);
  });
});

describe('a surface where the provider is the only login', () => {
  it('lets its people in, and mails no code', async () => {
    const customerId = await dashboard.database.db.system((tx) => addCustomer(tx));
    const owner = await addTestUser(dashboard.people, customerId, 'VIEWER');
    account('gil', owner.address, { groups: [] });
    await withPage(browser(), {}, async (page) => {
      await logInAs(page, dashboard, 'gil');
      await page.waitForURL(`${dashboard.origin}/settings`);
    });
    expect(await sessionsOf(dashboard, owner.id)).toHaveLength(1);
    const mails = dashboard.mailIds.length;
    const fields = new URLSearchParams({ address: owner.address });
    for (const path of ['/login', '/login/another', '/login/passkey']) {
      expect((await dashboard.post(path, fields)).status, path).toBe(404);
    }
    expect(dashboard.mailIds).toHaveLength(mails);
  });
});

it('a provider that cannot be reached is said so, and is asked again', async () => {
  const gone = await startOidcProvider(accounts);
  const site = await startSite('console', { provider: (url) => gone.createLogin(url) });
  await gone.close();
  const answer = await site.get('/login/provider');
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '10']);
  expect(answer.body).toContain('Example ID');
  await site.close();
});
