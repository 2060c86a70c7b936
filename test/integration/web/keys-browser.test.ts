import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

let opened: Readonly<Record<'dashboard' | 'console', Awaited<ReturnType<typeof open>>>>;
beforeAll(async () => {
  opened = { dashboard: await open('dashboard'), console: await open('console') };
});
afterAll(async () => {
  for (const { site } of Object.values(opened)) await site.close();
});
const browser = useBrowser();

/** A surface with a person logged in, a live key with addresses, and the pages about it. */
async function open(surface: 'dashboard' | 'console') {
  const site = await startSite(surface);
  const customerId = await site.database.db.system((tx) => addCustomer(tx));
  const key = await site.database.db.system((tx) =>
    addApiKey(tx, site.vault, {
      ...{ customerId, environment: 'live' },
      ...{ approvedRanges: ['203.0.113.0/24'], pendingRanges: ['2001:db8::/48'] },
    }),
  );
  const [row] = await site.database.people.system((tx) =>
    tx.query<{ id: string }>(`SELECT id FROM api_key_addresses WHERE status = 'PENDING'`),
  );
  const address = row?.id ?? '';
  const person =
    surface === 'dashboard'
      ? await addTestUser(site.people, customerId, 'OWNER')
      : await addTestOperator(site.people, 'COMPLIANCE');
  const paths =
    surface === 'dashboard'
      ? [
          ...['/test/keys', '/test/keys/new', '/live/keys', '/live/keys/new'],
          ...['', '/rotate', '/revoke', '/addresses/new', `/addresses/${address}/remove`].map(
            (rest) => `/live/keys/${key.id}${rest}`,
          ),
        ]
      : ['', ...['', '/propose', '/decline'].map((rest) => `/${address}${rest}`)].map(
          (rest) => `/requests/addresses${rest}`,
        );
  return { site, paths, personId: person.id, cookie: await site.logIn(person.id) };
}

async function openPage(site: Site, cookie: string, options: object) {
  const context = await browser().newContext(options);
  const [name = '', value = ''] = cookie.split('=');
  // A secure cookie is set for https alone; browsers send it to *.localhost all the same.
  const url = site.origin.replace('http:', 'https:');
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true }]);
  return { context, page: await context.newPage() };
}

describe.each(['dashboard', 'console'] as const)('pages of keys on the %s', (surface) => {
  it('pass axe and the policy in light and dark, wide and narrow', async () => {
    const { site, paths, cookie } = opened[surface];
    const { context, page } = await openPage(site, cookie, {});
    try {
      const { problems } = await watch(page);
      for (const path of paths) {
        const answer = await page.goto(site.origin + path);
        expect(answer?.status(), path).toBe(200);
        await look(page, `${surface}${path.replace(/(alw|key)_\w+/g, '$1')}`);
      }
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  });
});

describe('a key without JavaScript', () => {
  it('is made, shown, and revoked by forms alone', async () => {
    const { site, personId } = opened.dashboard;
    // A proof renews a session.
    const cookie = await site.logIn(personId);
    const { context, page } = await openPage(site, cookie, { javaScriptEnabled: false });
    try {
      await page.goto(`${site.origin}/test/keys/new`);
      await page.getByLabel('Read only').check();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByRole('alert').getByRole('link', { name: 'Enter a name.' }).click();
      expect(await page.getByLabel('Read only').isChecked()).toBe(true);
      await page.getByLabel('Name').fill('deploy');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm' }).click();
      expect(await page.locator('#token').textContent()).toMatch(/^cw_test_/);
      await page.getByRole('link', { name: 'See the key and its IP addresses' }).click();
      await page.getByRole('link', { name: 'Revoke' }).click();
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await page.getByText('api_key_revoked').waitFor();
    } finally {
      await context.close();
    }
  });
});
