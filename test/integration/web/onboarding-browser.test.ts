import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askForAccess } from '../../../src/modules/customers/access/ask-for-access.ts';
import { approveAccessRequest } from '../../../src/modules/customers/access/decide-access-request.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const ASKED = {
  company: 'Wilhelmina Trading Ltd',
  name: 'Wilhelmina Sample',
  address: 'wilhelmina@sample.example',
  purpose: 'Salaries in three countries, about 50,000 EUR a month.',
};
const QUIET = { workflows: { wakeOnboarding: async () => undefined } };

let dashboard: Site;
let console: Site;
beforeAll(async () => {
  dashboard = await startSite('dashboard', QUIET);
  console = await startSite('console', QUIET);
});
afterAll(async () => {
  await dashboard.close();
  await console.close();
});
const browser = useBrowser();

async function withPage(
  options: BrowserContextOptions,
  logins: readonly (readonly [Site, 'dashboard' | 'console', string])[],
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser().newContext(options);
  try {
    for (const [site, surface, personId] of logins) {
      const value = (await site.logIn(personId)).split('=')[1] ?? '';
      const url = site.origin.replace('http:', 'https:');
      const cookie = { name: SESSION_COOKIES[surface], value, url, secure: true } as const;
      await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
    }
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** A company with an owner, an invited user and a disabled one; a request in each state. */
async function seed() {
  const customerId = await dashboard.database.db.system((tx) => addCustomer(tx));
  const owner = await addTestUser(dashboard.people, customerId, 'OWNER');
  const other = await addTestUser(dashboard.people, customerId, 'DEVELOPER');
  const operator = await addTestOperator(console.people, 'COMPLIANCE');
  const dashboardOperator = await addTestOperator(dashboard.people, 'COMPLIANCE');
  const ask = (site: Site) =>
    site.people.people.system((tx) => askForAccess(site.people, tx, ASKED));
  const approve = (site: Site, requestId: string, operatorId: string) => {
    const deps = { ...site.people, dashboardUrl: site.origin };
    return site.people.people.system((tx) =>
      approveAccessRequest(deps, tx, { requestId, operatorId }),
    );
  };
  const waiting = await ask(console);
  const approved = await ask(console);
  await approve(console, approved, operator.id);
  const invited = await approve(dashboard, await ask(dashboard), dashboardOperator.id);
  dashboard.mailIds.push(invited ?? '');
  const link = /\/verify\/[\w-]{43}/.exec((await dashboard.lastMail()).text)?.[0] ?? '';
  return { owner, other, operator, waiting, approved, link };
}

it('every page of onboarding passes axe and the policy in both themes, wide and narrow', async () => {
  const { owner, other, operator, waiting, approved, link } = await seed();
  const logins = [
    [dashboard, 'dashboard', owner.id],
    [console, 'console', operator.id],
  ] as const;
  const pages = [
    ...['/request-access', '/request-access/sent', link, `/verify/${'A'.repeat(43)}`].map(
      (path) => dashboard.origin + path,
    ),
    ...['/users', '/users/invite', `/users/${owner.id}`, `/users/${other.id}`].map(
      (path) => dashboard.origin + path,
    ),
    ...['/requests', `/requests/${waiting}`, `/requests/${approved}`].map(
      (path) => console.origin + path,
    ),
    ...['/requests?access=DECLINED'].map((path) => console.origin + path),
  ];
  await withPage({}, logins, async (page) => {
    const { problems, asked } = await watch(page);
    for (const [index, url] of pages.entries()) {
      const answer = await page.goto(url);
      expect(answer?.status(), url).toBe(url.includes('/verify/AAA') ? 404 : 200);
      await look(page, `onboarding-${String(index)}`);
    }
    expect(problems.filter((line) => !line.includes('404'))).toEqual([]);
    const own = [dashboard.origin, console.origin];
    expect(asked.filter((url) => !own.some((origin) => url.startsWith(`${origin}/`)))).toEqual([]);
  });
});

it('a request is sent by keyboard alone, wrong first and then right, without JavaScript', async () => {
  await withPage({ javaScriptEnabled: false }, [], async (page) => {
    const before = dashboard.mailIds.length;
    await page.goto(`${dashboard.origin}/request-access`);
    await page.getByLabel('Company').focus();
    await page.keyboard.type(ASKED.company);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ASKED.name);
    await page.keyboard.press('Tab');
    await page.keyboard.type('sample');
    await page.keyboard.press('Enter');
    const summary = page.getByRole('alert');
    await summary.getByRole('link', { name: 'Enter what you want to pay.' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#purpose');
    await page.getByLabel('What do you want to pay?').focus();
    await page.keyboard.type(ASKED.purpose);
    await page.getByLabel('Email address').fill(ASKED.address);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Request sent' }).waitFor();
    // What follows is the worker's; the page itself writes no mail.
    expect(dashboard.mailIds).toHaveLength(before);
  });
});
