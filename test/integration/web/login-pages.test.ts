import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { addAuthenticator } from '../../support/web/authenticator.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { logInPage, withPage } from '../../support/web/site-pages.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const HOUR = 3_600_000;

const browser = useBrowser();

describe.each(['dashboard', 'console'] as const)('pages of the %s', (surface) => {
  let site: Site;
  let customerId: string;
  let address: string;
  beforeAll(async () => {
    site = await startSite(surface);
    customerId = await site.database.db.system((tx) => addCustomer(tx));
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    site.clock.advance(HOUR);
    const person =
      surface === 'dashboard'
        ? addTestUser(site.people, customerId, 'OWNER')
        : addTestOperator(site.people, 'ADMIN');
    address = (await person).address;
  });

  // The states of a form are those of the dashboard's, made by the same code.
  const isLookedAt = (state: string) =>
    surface === 'dashboard' || ['code-wrong', 'settings', 'second-step-passkey'].includes(state);

  it('of the login and the settings pass axe and the policy, wide and narrow', async () => {
    await withPage(browser(), {}, async (page) => {
      const { problems, asked } = await watch(page);
      const lookAt = async (state: string) => {
        if (isLookedAt(state)) await look(page, `${surface}-${state}`);
      };
      await addAuthenticator(page);
      await page.goto(`${site.origin}/login`);
      await lookAt('login');
      await page.getByRole('button', { name: 'Send the code' }).click();
      await page.waitForSelector('#summary');
      await lookAt('login-wrong');
      await page.getByLabel('Email address').fill(address);
      await page.getByRole('button', { name: 'Send the code' }).click();
      await page.waitForURL(`${site.origin}/login/code`);
      await lookAt('code');
      await page.getByLabel('8-digit code').fill('1234 5678');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('4 tries are left').waitFor();
      await lookAt('code-wrong');
      await page.getByRole('button', { name: 'Send another code' }).click();
      await page.waitForURL(`${site.origin}/login/code`);
      await logInPage(page, site, address);
      await page.waitForURL(`${site.origin}/settings`);
      await lookAt('settings');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('8-digit code').waitFor();
      await lookAt('second-step');
      await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('button', { name: /^Remove the passkey/ }).click();
      await page.getByRole('button', { name: 'Confirm with a passkey' }).waitFor();
      await lookAt('second-step-passkey');
      await page.context().clearCookies();
      await logInPage(page, site, address);
      await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
      await lookAt('passkey');
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.waitForURL(`${site.origin}/settings`);
      // The two pages that say what is wrong with a form are 422, and nothing else is said.
      expect(problems.filter((line) => !line.includes('422'))).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${site.origin}/`))).toEqual([]);
    });
  });

  it('are done by keyboard alone', async () => {
    await withPage(browser(), {}, async (page) => {
      await page.goto(`${site.origin}/login?next=%2Fsettings`);
      const tabTo = async (name: string) => {
        for (let tabs = 0; tabs < 60; tabs += 1) {
          await page.keyboard.press('Tab');
          const here = await page.evaluate(() => {
            const { activeElement: at } = document;
            return at?.id === '' || at === null ? (at?.textContent ?? '').trim() : at.id;
          });
          if (here === name) return;
        }
        throw new Error(`the keyboard does not get to ${name}`);
      };
      await tabTo('address');
      await page.keyboard.type(address);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${site.origin}/login/code`);
      await tabTo('code');
      await page.keyboard.type((await site.lastMail()).code);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${site.origin}/settings`);
      await tabTo('theme');
      await page.keyboard.press('End');
      await tabTo('Save');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
      await tabTo('Skip to content');
      await tabTo('Log out');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${site.origin}/login`);
    });
  });

  it('need no JavaScript, but for passkeys, and say so', async () => {
    await withPage(browser(), { javaScriptEnabled: false }, async (page) => {
      await logInPage(page, site, address);
      await page.waitForURL(`${site.origin}/settings`);
      expect(await page.getByText('Passkeys need JavaScript').isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false);
      await page.getByLabel('Time zone').selectOption('Europe/Lisbon');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`${site.origin}/settings`);
      expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Lisbon');
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.waitForURL(`${site.origin}/login`);
    });
  });
});
