import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { addAuthenticator } from '../../support/web/authenticator.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { logInPage, withPage } from '../../support/web/site-pages.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const HOUR = 3_600_000;

const browser = useBrowser();

/** Answers the second step with the code that was mailed for it. */
async function confirm(page: Page, site: Site): Promise<void> {
  // The mail is there once the page that asks for its code is.
  await page.getByLabel('8-digit code').waitFor();
  await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}

/** Adds a passkey on the settings page, with the code that this takes. */
async function addPasskey(page: Page, site: Site): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirm(page, site);
  await page.getByRole('button', { name: /^Remove the passkey/ }).waitFor();
}

const passkeysOf = async (site: Site, id: string) =>
  site.database.people.system((tx) =>
    tx.query<{ id: string; counter: bigint }>(
      `SELECT id, counter FROM passkeys
       WHERE (user_id = $1 OR operator_id = $1) AND removed_at IS NULL`,
      [id],
    ),
  );

describe('a passkey of a user', () => {
  let site: Site;
  let customerId: string;
  let owner: { readonly id: string; readonly address: string };
  beforeAll(async () => {
    site = await startSite('dashboard');
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    site.clock.advance(HOUR);
    customerId = await site.database.db.system((tx) => addCustomer(tx));
    owner = await addTestUser(site.people, customerId, 'OWNER');
  });

  it('is asked for after the code from then on, and a code alone opens nothing', async () => {
    await withPage(browser(), {}, async (page) => {
      const authenticator = await addAuthenticator(page);
      await logInPage(page, site, owner.address);
      await page.waitForURL(`${site.origin}/settings`);
      await addPasskey(page, site);
      expect(await authenticator.count()).toBe(1);
      await page.context().clearCookies();
      await logInPage(page, site, owner.address);
      const button = page.getByRole('button', { name: 'Log in with a passkey' });
      await button.waitFor();
      await page.goto(`${site.origin}/settings`);
      expect(page.url()).toContain('/login');
      await page.goto(`${site.origin}/login/code`);
      await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
      await page.getByRole('button', { name: 'Log in' }).click();
      // Its person says no: the code is as good as before.
      await authenticator.setVerified(false);
      await button.click();
      await page.getByText('The browser returned no passkey. Try again.').first().waitFor();
      await authenticator.setVerified(true);
      await button.click();
      await page.waitForURL(`${site.origin}/settings`);
      expect((await passkeysOf(site, owner.id))[0]?.counter).toBeGreaterThan(0n);
    });
  });

  it('proves an act, and no code does: none is mailed', async () => {
    await withPage(browser(), {}, async (page) => {
      await addAuthenticator(page);
      await logInPage(page, site, owner.address);
      await page.waitForURL(`${site.origin}/settings`);
      await addPasskey(page, site);
      const mails = site.mailIds.length;
      await page.getByRole('button', { name: 'Require passkeys' }).click();
      await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
      await page.getByText('must have a passkey').waitFor();
      expect(site.mailIds).toHaveLength(mails);
      const cookies = await page.context().cookies();
      const jar = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const path = '/settings/require-passkeys';
      for (const proof of ['', '40417263']) {
        const asked = await site.submit('/settings', path, { proof }, jar);
        expect([asked.status, asked.body.includes('Confirm with your passkey')]).toEqual([
          200,
          true,
        ]);
        expect(asked.body).not.toContain('8-digit code');
      }
      expect(site.mailIds).toHaveLength(mails);
    });
  });

  it('that is added or removed is told to its person by mail', async () => {
    await withPage(browser(), {}, async (page) => {
      await addAuthenticator(page);
      await logInPage(page, site, owner.address);
      await page.waitForURL(`${site.origin}/settings`);
      await addPasskey(page, site);
      const told = async () => {
        const { kind, text } = await site.lastMail();
        return [kind, text.includes(`${site.origin}/settings`), /added|removed/.exec(text)?.[0]];
      };
      expect(await told()).toEqual(['PASSKEY_CHANGED', true, 'added']);
      await page.getByRole('button', { name: /^Remove the passkey/ }).click();
      await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
      await expect.poll(async () => passkeysOf(site, owner.id)).toEqual([]);
      expect(await told()).toEqual(['PASSKEY_CHANGED', true, 'removed']);
    });
  });

  it('answers one form: another form, another act, a later hour and a second time are refused', async () => {
    await withPage(browser(), {}, async (page) => {
      await addAuthenticator(page);
      await logInPage(page, site, owner.address);
      await page.waitForURL(`${site.origin}/settings`);
      await addPasskey(page, site);
      /** Opens the second step, has it answered, and gives what would be sent. */
      const answered = async () => {
        await page.goto(`${site.origin}/settings`);
        await page.getByRole('button', { name: 'Require passkeys' }).click();
        const button = page.getByRole('button', { name: 'Confirm with a passkey' });
        await button.waitFor();
        let sent = '';
        const keep = async (route: Route) => {
          sent = route.request().postData() ?? '';
          // No other page comes of it: an aborted one would be followed by the browser's page of errors.
          await route.fulfill({ status: 204 });
        };
        await page.route('**/settings/require-passkeys', keep, { times: 1 });
        await button.click();
        await expect.poll(() => sent).not.toBe('');
        const fields = new URLSearchParams(sent);
        return fields;
      };
      const cookies = async () =>
        (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      const path = '/settings/require-passkeys';
      const fields = await answered();
      expect(fields.get('proof-passkey')).toContain('public-key');
      const other = new URLSearchParams(fields);
      other.set('required', 'no');
      expect((await site.post(path, other, await cookies())).status).toBe(422);
      const late = await answered();
      site.clock.advance(6 * 60_000);
      expect((await site.post(path, late, await cookies())).status).toBe(422);
      const again = await answered();
      const crossed = new URLSearchParams(await answered());
      crossed.set('proof-passkey', again.get('proof-passkey') ?? '');
      expect((await site.post(path, crossed, await cookies())).status).toBe(422);
      const failed = await site.database.people.system((tx) =>
        tx.query(`SELECT details FROM audit_log WHERE action = 'proof.failed' AND subject = $1`, [
          owner.id,
        ]),
      );
      // The late one was judged by nothing: its challenge was over.
      expect(failed).toEqual([1, 2].map(() => ({ details: { by: 'PASSKEY' } })));
      const jar = await cookies();
      const ends = await Promise.all([1, 2, 3].map(() => site.post(path, again, jar)));
      expect(ends.filter(({ headers }) => headers.location === '/settings')).toHaveLength(1);
    });
  });

  it('is required of every user once an owner says so: who has none sees nothing else first', async () => {
    const viewer = await addTestUser(site.people, customerId, 'VIEWER');
    const cookie = await site.logIn(viewer.id);
    expect((await site.get('/', cookie)).headers.location).toBe('/test/home');
    const ownerCookie = await site.logIn(owner.id);
    const path = '/settings/require-passkeys';
    const asked = await site.submit('/settings', path, {}, ownerCookie);
    expect((await site.confirm(asked, path, ownerCookie)).status).toBe(303);
    for (const one of [cookie, ownerCookie]) {
      expect((await site.get('/', one)).headers.location).toBe('/settings');
      const page = await site.get('/settings', one);
      expect(page.body).toContain('Your account needs a passkey');
      expect(page.body).not.toContain('/settings/address');
    }
    await withPage(browser(), {}, async (page) => {
      await addAuthenticator(page);
      await logInPage(page, site, viewer.address);
      await page.getByText('Your account needs a passkey').waitFor();
      await addPasskey(page, site);
      expect(await page.getByText('Your account needs a passkey').count()).toBe(0);
      // The last one stays.
      await page.getByRole('button', { name: /^Remove the passkey/ }).click();
      await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
      await page.getByText('This is your last passkey').waitFor();
      expect(await passkeysOf(site, viewer.id)).toHaveLength(1);
    });
  });

  it('is not made of what is no answer, nor by a viewer for the company', async () => {
    const cookie = await site.logIn(owner.id);
    for (const passkey of ['', '{}', 'null', '{"id":"x"}', 'x'.repeat(13_000)]) {
      const page = await site.get('/settings', cookie);
      const fields = site.hiddenFields(page.body, '/settings/passkeys');
      fields.set('passkey', passkey);
      expect((await site.post('/settings/passkeys', fields, cookie)).status, passkey).toBe(422);
    }
    expect(await passkeysOf(site, owner.id)).toEqual([]);
    const viewer = await addTestUser(site.people, customerId, 'VIEWER');
    const path = '/settings/require-passkeys';
    const theirs = await site.logIn(viewer.id);
    expect((await site.get('/settings', theirs)).body).not.toContain(path);
    const refused = await site.post(path, new URLSearchParams({ required: 'yes' }), theirs);
    expect(refused.status).toBe(403);
  });

  it('that is guessed at logs no user in, and does not spend the code', async () => {
    await withPage(browser(), {}, async (page) => {
      await addAuthenticator(page);
      await logInPage(page, site, owner.address);
      await page.waitForURL(`${site.origin}/settings`);
      await addPasskey(page, site);
    });
    const stranger = createSiteBrowser(site);
    await stranger.askForCode(owner.address);
    const { code } = await site.lastMail();
    let asked = await stranger.sendCode(code);
    expect(asked.status).toBe(200);
    for (const passkey of ['{}', '{"type":"public-key"}']) {
      asked = await stranger.send(asked, '/login/code', { passkey });
      expect(asked.status).toBe(422);
      expect(asked.body).toContain('This is not one of your passkeys');
    }
    expect(stranger.cookies.has('__Host-dashboard')).toBe(false);
    const rows = await site.database.people.system((tx) =>
      tx.query<{ by: string }>(
        `SELECT details ->> 'by' AS by FROM audit_log WHERE action = 'login.failed' AND subject = $1`,
        [owner.id],
      ),
    );
    expect(rows).toEqual([{ by: 'PASSKEY' }]);
  });
});

describe('an operator where passkeys are required', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite('console', { operatorsNeedPasskeys: true });
  });
  afterAll(() => site.close());

  it('adds one before anything else, and shows it at each login', async () => {
    const { id, address } = await addTestOperator(site.people, 'OPERATIONS');
    await withPage(browser(), {}, async (page) => {
      await addAuthenticator(page);
      await logInPage(page, site, address);
      await page.getByText('Your account needs a passkey').waitFor();
      await page.goto(`${site.origin}/`);
      expect(page.url()).toBe(`${site.origin}/settings`);
      await addPasskey(page, site);
      await page.goto(`${site.origin}/`);
      expect(page.url()).toBe(`${site.origin}/`);
      await page.getByRole('button', { name: 'Log out' }).click();
      await logInPage(page, site, address);
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.waitForURL(`${site.origin}/settings`);
      expect(await passkeysOf(site, id)).toHaveLength(1);
    });
  });
});
