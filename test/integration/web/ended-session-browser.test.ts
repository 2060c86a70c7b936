import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const MINUTE_MS = 60_000;

let site: Site;
let cookie: string;
beforeAll(async () => {
  site = await startSite('dashboard');
  const customerId = await site.database.db.system((tx) => addCustomer(tx));
  const { id } = await addTestUser(site.people, customerId, 'OWNER');
  cookie = await site.logIn(id);
});
afterAll(() => site.close());
const browser = useBrowser();

/** Opens the page of users in a browser whose clock is the test's. */
async function openPage() {
  const context = await browser().newContext();
  const [name = '', value = ''] = cookie.split('=');
  // A secure cookie is set for https alone; browsers send it to *.localhost all the same.
  const url = site.origin.replace('http:', 'https:');
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true }]);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${site.origin}/users`);
  expect(await page.getByText('Sample OWNER').first().isVisible()).toBe(true);
  return { context, page };
}

it('a page stays while its session holds, used elsewhere, and is gone once the session has ended', async () => {
  const { context, page } = await openPage();
  try {
    site.clock.advance(29 * MINUTE_MS);
    expect((await site.get('/settings', cookie)).status).toBe(200);
    site.clock.advance(2 * MINUTE_MS);
    const looked = page.waitForResponse((answer) => answer.url().endsWith('/settings'));
    await page.clock.fastForward(31 * MINUTE_MS);
    expect((await looked).status()).toBe(200);
    expect(await page.getByText('Sample OWNER').first().isVisible()).toBe(true);
    // The look was no use: 30 minutes after the other page's use the session is over.
    site.clock.advance(29 * MINUTE_MS);
    await page.clock.fastForward(MINUTE_MS);
    await page.waitForURL(`${site.origin}/login`);
    expect(await page.content()).not.toContain('Sample OWNER');
  } finally {
    await context.close();
  }
});

it('a page is gone a minute after its session was ended elsewhere', async () => {
  site.clock.advance(60 * MINUTE_MS);
  const customerId = await site.database.db.system((tx) => addCustomer(tx));
  cookie = await site.logIn((await addTestUser(site.people, customerId, 'OWNER')).id);
  const { context, page } = await openPage();
  try {
    expect((await site.submit('/settings', '/log-out', {}, cookie)).status).toBe(303);
    await page.clock.fastForward(MINUTE_MS);
    await page.waitForURL(`${site.origin}/login`);
    expect(await page.content()).not.toContain('Sample OWNER');
  } finally {
    await context.close();
  }
});

it('a page that cannot ask whether its session holds is gone once it would have ended', async () => {
  site.clock.advance(60 * MINUTE_MS);
  const customerId = await site.database.db.system((tx) => addCustomer(tx));
  cookie = await site.logIn((await addTestUser(site.people, customerId, 'OWNER')).id);
  const { context, page } = await openPage();
  try {
    await context.setOffline(true);
    await page.clock.fastForward(29 * MINUTE_MS);
    expect(await page.getByText('Sample OWNER').first().isVisible()).toBe(true);
    await page.clock.fastForward(2 * MINUTE_MS);
    await expect.poll(() => page.content()).not.toContain('Sample OWNER');
  } finally {
    await context.close();
  }
});
