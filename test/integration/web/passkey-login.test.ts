import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTestOperator } from '../../support/test-people.ts';
import { addAuthenticator } from '../../support/web/authenticator.ts';
import { createPasskeyHolder } from '../../support/web/passkey-holder.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { logInPage, withPage } from '../../support/web/site-pages.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const browser = useBrowser();
let site: Site;
beforeAll(async () => {
  site = await startSite('console');
});
afterAll(() => site.close());

/** An operator who has added a passkey, in a browser that is not logged in any more and was never here. */
async function withOperator(
  work: (page: Page, operator: { id: string; address: string }) => Promise<void>,
): Promise<void> {
  site.clock.advance(3_600_000);
  const operator = await addTestOperator(site.people, 'OPERATIONS');
  await withPage(browser(), {}, async (page) => {
    await addAuthenticator(page);
    await logInPage(page, site, operator.address);
    await page.waitForURL(`${site.origin}/settings`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('8-digit code').waitFor();
    await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('button', { name: /^Remove the passkey/ }).waitFor();
    await page.context().clearCookies();
    await work(page, operator);
  });
}

const logInByPasskey = async (page: Page) => {
  await page.goto(`${site.origin}/login?next=%2Fsettings`);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
};

/** The form that the page would send, which it then does not. */
async function answerOf(page: Page): Promise<URLSearchParams> {
  let sent = '';
  await page.route(
    '**/login/passkey',
    async (route) => {
      sent = route.request().postData() ?? '';
      // No other page comes of it.
      await route.fulfill({ status: 204 });
    },
    { times: 1 },
  );
  await logInByPasskey(page);
  await expect.poll(() => sent).not.toBe('');
  return new URLSearchParams(sent);
}

const cookiesOf = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

describe('a passkey', () => {
  it('logs its operator in without a code, in a browser that was never here', async () => {
    await withOperator(async (page) => {
      const mails = site.mailIds.length;
      await logInByPasskey(page);
      await page.waitForURL(`${site.origin}/settings`);
      // A browser that was not here before is told by mail; no code is.
      expect(site.mailIds).toHaveLength(mails + 1);
      expect((await site.lastMail()).kind).toBe('NEW_DEVICE');
    });
  });

  it('logs in where strangers have used up the codes of the address', async () => {
    await withOperator(async (page, { address }) => {
      for (let asked = 0; ; asked += 1) {
        const stranger = createSiteBrowser(site);
        if ((await stranger.askForCode(address)).status === 429) break;
        expect(asked).toBeLessThan(50);
      }
      await logInByPasskey(page);
      await page.waitForURL(`${site.origin}/settings`);
    });
  });

  it('opens one session by an answer, in time, and in the browser that was asked', async () => {
    await withOperator(async (page, { id }) => {
      const answer = await answerOf(page);
      const jar = await cookiesOf(page);
      const elsewhere = createSiteBrowser(site);
      await elsewhere.get('/login');
      const stolen = await site.post('/login/passkey', answer, elsewhere.cookie());
      expect(stolen.status).toBe(403);
      const ends = await Promise.all([1, 2, 3].map(() => site.post('/login/passkey', answer, jar)));
      expect(ends.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
      const late = await answerOf(page);
      site.clock.advance(6 * 60_000);
      expect((await site.post('/login/passkey', late, await cookiesOf(page))).status).toBe(422);
      const opened = await site.database.people.system((tx) =>
        tx.query(`SELECT FROM audit_log WHERE action = 'session.open' AND subject = $1`, [id]),
      );
      // The first one was by code.
      expect(opened).toHaveLength(2);
    });
  });

  it('that did not sign is in the audit log once an hour, and one that nobody has is not', async () => {
    await withOperator(async (page, { id, address }) => {
      const failures = () =>
        site.database.people.system((tx) =>
          tx.query<{ subject: string; details: unknown }>(
            `SELECT subject, details FROM audit_log WHERE action = 'login.failed' ORDER BY id`,
          ),
        );
      const before = await failures();
      const sendChanged = async (change: (passkey: Record<string, unknown>) => unknown) => {
        const answer = await answerOf(page);
        const passkey = JSON.parse(answer.get('passkey') ?? '') as Record<string, unknown>;
        answer.set('passkey', JSON.stringify(change(passkey)));
        return (await site.post('/login/passkey', answer, await cookiesOf(page))).status;
      };
      const unsigned = (passkey: Record<string, unknown>) => {
        const response = passkey.response as Record<string, unknown>;
        return { ...passkey, response: { ...response, signature: 'AAAA' } };
      };
      const of = 'c3RyYW5nZXI';
      expect(await sendChanged(unsigned)).toBe(422);
      expect(await sendChanged((passkey) => ({ ...passkey, id: of, rawId: of }))).toBe(422);
      expect(await sendChanged(unsigned)).toBe(422);
      // After a code, as after none.
      const browsing = createSiteBrowser(site);
      await browsing.askForCode(address);
      const asked = await browsing.sendCode((await site.lastMail()).code);
      const refused = await browsing.send(asked, '/login/code', { passkey: '{}' });
      expect(refused.body).toContain('This is not one of your passkeys');
      const rows = await failures();
      const details = { surface: 'console', by: 'PASSKEY', network: expect.any(String) as unknown };
      expect(rows.slice(before.length)).toEqual([{ subject: id, details }]);
      // Another way in has a row of its own.
      const guessing = createSiteBrowser(site);
      await guessing.askForCode(address);
      await guessing.sendCode('00000000');
      const code = { subject: id, details: { by: 'CODE' } };
      expect((await failures()).slice(before.length + 1)).toMatchObject([code]);
      site.clock.advance(3_600_000);
      const later = createSiteBrowser(site);
      await later.askForCode(address);
      const again = await later.sendCode((await site.lastMail()).code);
      await later.send(again, '/login/code', { passkey: '{}' });
      expect(await failures()).toHaveLength(before.length + 3);
    });
  });

  it('that nobody has costs one statement, and writes nothing', async () => {
    const holder = createPasskeyHolder(site.origin);
    const stranger = createSiteBrowser(site);
    const page = await stranger.get('/login');
    const before = site.statements();
    const answer = await stranger.post(
      '/login/passkey',
      holder.answer(page.body, '/login/passkey'),
    );
    expect([answer.status, site.statements() - before]).toEqual([422, 1]);
  });

  it('that was removed, or whose operator is disabled, logs nobody in', async () => {
    await withOperator(async (page, { id }) => {
      const refused = async () => {
        await logInByPasskey(page);
        await page.getByText('This passkey is not known here').first().waitFor();
      };
      await site.database.people.system((tx) =>
        tx.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [id]),
      );
      await refused();
    });
    await withOperator(async (page, { address }) => {
      await logInPage(page, site, address);
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.waitForURL(`${site.origin}/settings`);
      await page.getByRole('button', { name: /^Remove the passkey/ }).click();
      await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
      await page
        .getByRole('button', { name: /^Remove the passkey/ })
        .waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      await page.context().clearCookies();
      await logInByPasskey(page);
      await page.getByText('This passkey is not known here').first().waitFor();
    });
  });
});
