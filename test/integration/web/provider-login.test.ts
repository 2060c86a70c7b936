import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertPasskey } from '../../../src/db/customers/passkey-store.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { addAuthenticator } from '../../support/web/authenticator.ts';
import { startOidcProvider, type ProviderAccount } from '../../support/web/oidc-provider.ts';
import { forgeForm } from '../../support/web/forge-form.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { withPage } from '../../support/web/site-pages.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

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
const browser = useBrowser();

const account = (id: string, email: string, more: Partial<ProviderAccount> = {}) =>
  accounts.set(id, { email, isVerified: true, groups: ['payouts-ops'], ...more });

/** What a browser says of a link on a page of the site. */
const FROM_HERE = { 'sec-fetch-site': 'same-origin' };

/** Goes to the provider and is that account there: the path that it leads back to. */
async function wayBack(browsing: ReturnType<typeof createSiteBrowser>, id: string) {
  const { status, headers } = await browsing.get('/login/provider?next=%2Fsettings', FROM_HERE);
  expect(status).toBe(303);
  const { pathname, search } = new URL(await oidc.logInThere(headers.location ?? '', id));
  return pathname + search;
}

async function logInAs(site: Site, id: string) {
  const browsing = createSiteBrowser(site);
  return browsing.get(await wayBack(browsing, id));
}

const sessionsOf = (site: Site, personId: string) =>
  site.database.people.system((tx) =>
    tx.query(
      `SELECT details FROM audit_log WHERE action = 'session.open' AND details ? 'provider'
         AND subject = $1`,
      [personId],
    ),
  );

const failuresOf = (site: Site) =>
  site.database.people.system((tx) =>
    tx.query<{ subject: string; details: unknown }>(
      `SELECT subject, details FROM audit_log WHERE action = 'login.failed' ORDER BY id`,
    ),
  );

describe('an operator whom a provider knows', () => {
  it('logs in with the role of their account, and shows the passkey that they have', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('ada', address);
    await withPage(browser(), {}, async (page) => {
      const logIn = async () => {
        await page.goto(`${console.origin}/login?next=%2Fsettings`);
        await page.getByRole('link', { name: 'Log in with Example ID' }).click();
        await page.locator('input[name=login]').fill('ada');
        await page.locator('input[name=password]').fill('any');
        await page.locator('button[type=submit]').click();
        await page.getByText('Continue').click();
        await page.waitForURL((url) => url.origin === console.origin);
      };
      await addAuthenticator(page);
      await logIn();
      await page.waitForURL(`${console.origin}/settings`);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('8-digit code').waitFor();
      await page.getByLabel('8-digit code').fill((await console.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await page.getByRole('button', { name: /^Remove the passkey/ }).waitFor();
      await page.context().clearCookies();
      await logIn();
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
  ] as const)('is not let in %s', async (_what, id, more) => {
    const operator = await addTestOperator(console.people, 'OPERATIONS');
    account(id, operator.address, more);
    const answer = await logInAs(console, id);
    expect([answer.status, answer.body.includes('You are not logged in')]).toEqual([403, true]);
    expect(await sessionsOf(console, operator.id)).toEqual([]);
  });

  it('is in the audit log once an hour, and nothing of a login that has no account', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('kim', address, { groups: [] });
    account('lou', 'lou@elsewhere.example');
    const before = await failuresOf(console);
    for (const who of ['kim', 'lou', 'kim']) {
      expect((await logInAs(console, who)).status).toBe(403);
    }
    const rows = await failuresOf(console);
    expect(rows.slice(before.length)).toEqual([
      {
        subject: id,
        details: expect.objectContaining({ by: 'PROVIDER', refusal: 'NO_ROLE' }) as unknown,
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  it('has no account by that alone', async () => {
    account('eve', 'eve@elsewhere.example', { groups: ['payouts-ops', 'payouts-admins'] });
    const answer = await logInAs(console, 'eve');
    expect([answer.status, answer.body.includes('has no account here')]).toEqual([403, true]);
  });

  it('logs in where strangers have used up the codes of the address', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('hal', address);
    for (let asked = 0; ; asked += 1) {
      if ((await createSiteBrowser(console).askForCode(address)).status === 429) break;
      expect(asked).toBeLessThan(50);
    }
    const answer = await logInAs(console, 'hal');
    expect([answer.status, answer.headers.location]).toEqual([303, '/settings']);
    expect(await sessionsOf(console, id)).toHaveLength(1);
  });
});

describe('the way to a provider', () => {
  it('starts on a page of this site: a link elsewhere leads to the login page', async () => {
    for (const from of ['cross-site', 'same-site', 'none', undefined]) {
      const headers = from === undefined ? {} : { 'sec-fetch-site': from };
      const answer = await createSiteBrowser(console).get('/login/provider', headers);
      expect([answer.status, answer.headers.location]).toEqual([303, '/login']);
    }
  });
});

describe('the way back from a provider', () => {
  it('is the browser’s that went there, for ten minutes, and once', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('fay', address);
    const own = createSiteBrowser(console);
    const back = await wayBack(own, 'fay');
    const thief = createSiteBrowser(console);
    expect((await thief.get(back)).status).toBe(422);
    // With a visit of its own it has another state.
    const { headers } = await thief.get('/login/provider', FROM_HERE);
    expect(headers.location).toContain(oidc.issuer);
    expect((await thief.get(back)).status).toBe(422);
    expect((await own.get(back)).headers.location).toBe('/settings');
    const again = await own.get(back);
    expect(again.status).toBe(422);
    const late = createSiteBrowser(console);
    const lateBack = await wayBack(late, 'fay');
    console.clock.advance(10 * 60_000 + 1);
    expect((await late.get(lateBack)).status).toBe(422);
    expect(await sessionsOf(console, id)).toHaveLength(1);
  });

  it('opens nothing where the person said no, or the code was changed', async () => {
    const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
    account('gus', address);
    const said = createSiteBrowser(console);
    const back = new URL(await wayBack(said, 'gus'), console.origin);
    const state = back.searchParams.get('state') ?? '';
    const no = new URLSearchParams({ error: 'access_denied', state, iss: oidc.issuer });
    expect((await said.get(`${back.pathname}?${no.toString()}`)).status).toBe(422);
    const guess = createSiteBrowser(console);
    const other = new URL(await wayBack(guess, 'gus'), console.origin);
    other.searchParams.set('code', 'x'.repeat(43));
    expect((await guess.get(other.pathname + other.search)).status).toBe(422);
    expect(await sessionsOf(console, id)).toEqual([]);
  });
});

it('a code by mail is not judged as the word of a login provider', async () => {
  const { id, address } = await addTestOperator(console.people, 'OPERATIONS');
  const passkey = {
    ...{ id: newId('psk'), credentialId: randomBytes(32), publicKey: randomBytes(64), counter: 0n },
    ...{ transports: [], browser: 'Firefox on Linux', createdAt: console.clock.now() },
  };
  await console.database.people.system((tx) =>
    insertPasskey(tx, { ...passkey, personId: id, customerId: null }),
  );
  account('ivy', address);
  const browsing = createSiteBrowser(console);
  const asked = await browsing.get(await wayBack(browsing, 'ivy'));
  expect(asked.body).toContain('Your account also needs one of your passkeys.');
  const ofProvider = browsing.cookies.get('__Host-login') ?? '';
  await browsing.askForCode(address);
  const { code } = await console.lastMail();
  browsing.cookies.set('__Host-login', ofProvider);
  const visitor = `__Host-visitor=${browsing.cookies.get('__Host-visitor') ?? ''}`;
  const form = await forgeForm(console, 'console', visitor, '/login/code');
  form.set('code', code);
  expect((await browsing.post('/login/code', form)).status).toBe(422);
  expect(await sessionsOf(console, id)).toEqual([]);
});

describe('a surface where the provider is the only login', () => {
  it('lets its people in, and mails no code', async () => {
    const customerId = await dashboard.database.db.system((tx) => addCustomer(tx));
    const owner = await addTestUser(dashboard.people, customerId, 'VIEWER');
    account('gil', owner.address, { groups: [] });
    expect((await logInAs(dashboard, 'gil')).headers.location).toBe('/settings');
    expect(await sessionsOf(dashboard, owner.id)).toHaveLength(1);
    const mails = dashboard.mailIds.length;
    const fields = new URLSearchParams({ address: owner.address });
    // Mailed by a process that did not know of the provider yet.
    const earlier = await startSite('dashboard', {
      on: { database: dashboard.database, clock: dashboard.clock },
    });
    const browsing = createSiteBrowser(earlier);
    await browsing.askForCode(owner.address);
    const { code } = await earlier.lastMail();
    await earlier.close();
    const late = createSiteBrowser(dashboard);
    for (const [name, value] of browsing.cookies) late.cookies.set(name, value);
    const visitor = `__Host-visitor=${late.cookies.get('__Host-visitor') ?? ''}`;
    const form = await forgeForm(dashboard, 'dashboard', visitor, '/login/code');
    form.set('code', code);
    expect((await late.post('/login/code', form)).status).toBe(422);
    expect(await sessionsOf(dashboard, owner.id)).toHaveLength(1);
    for (const path of ['/login', '/login/another', '/login/passkey']) {
      expect((await dashboard.post(path, fields)).status, path).toBe(404);
    }
    expect(dashboard.mailIds).toHaveLength(mails);
  });
});

it('a provider that cannot be reached is said so', async () => {
  const gone = await startOidcProvider(accounts);
  const site = await startSite('console', { provider: (url) => gone.createLogin(url) });
  await gone.close();
  const answer = await createSiteBrowser(site).get('/login/provider', FROM_HERE);
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '10']);
  expect(answer.body).toContain('Example ID');
  await site.close();
});
