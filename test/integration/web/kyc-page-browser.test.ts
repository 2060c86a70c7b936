import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKycVisits, type KycVisits } from '../../support/parties/kyc-page-visitor.ts';
import { jpeg, pdf, png } from '../../support/kyc-files.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

let visits: KycVisits;
const folder = mkdtempSync(join(tmpdir(), 'kyc-page-'));
const file = (name: string): string => join(folder, name);
beforeAll(async () => {
  visits = await startKycVisits();
  writeFileSync(file('passport.png'), png(40_000));
  writeFileSync(file('better.jpg'), jpeg());
  writeFileSync(file('bill.pdf'), pdf());
  writeFileSync(file('page.png'), '<html><script>alert(1)</script></html>');
});
afterAll(async () => {
  await visits.close();
  rmSync(folder, { recursive: true });
});
const browser = useBrowser();

async function withPage<Result>(
  options: BrowserContextOptions,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser().newContext(options);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

const upload = (page: Page) => page.getByRole('button', { name: 'Upload' }).click();

it('an end-user goes through the page, and each state of it is sound, wide and narrow', async () => {
  await withPage({}, async (page) => {
    const { problems, asked } = await watch(page);
    const { path, kycCheckId } = await visits.newLink(['IDENTITY', 'SELFIE', 'PROOF_OF_ADDRESS']);
    await page.goto(visits.origin + path);
    await page.getByRole('heading', { name: 'Confirm who you are' }).waitFor();
    await page.getByText('Or: identity card, front and identity card, back').click();
    await look(page, 'kyc-asked');

    await page.getByLabel('Passport', { exact: true }).setInputFiles(file('passport.png'));
    await page.getByLabel('Proof of address').setInputFiles(file('page.png'));
    await upload(page);
    const summary = page.getByRole('alert');
    await summary.getByRole('link', { name: /^Proof of address: this is no picture/ }).click();
    expect(new URL(page.url()).hash).toBe('#PROOF_OF_ADDRESS');
    await look(page, 'kyc-problem');

    await page.getByLabel('Proof of address').setInputFiles(file('bill.pdf'));
    await page.getByLabel('Photo of your face').setInputFiles(file('better.jpg'));
    await upload(page);
    await page.getByText('PNG, 39 kB').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await look(page, 'kyc-received');
    await page.getByRole('button', { name: 'Send to be checked' }).click();
    await page.getByRole('heading', { name: 'Your documents were received' }).waitFor();
    await look(page, 'kyc-given');
    expect((await visits.standing(kycCheckId)).documents).toHaveLength(3);

    await page.goto(`${visits.origin}/kyc/${'A'.repeat(43)}`);
    await look(page, 'kyc-dead');
    // Chromium tells of the two statuses, and of nothing else.
    expect(problems.filter((line) => !/status of (404|422)/.test(line))).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(`${visits.origin}/`))).toEqual([]);
  });
});

describe('in a browser', () => {
  it('all of it works without JavaScript: upload, replace, remove, send', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      const { path, kycCheckId } = await visits.newLink(['IDENTITY']);
      await page.goto(visits.origin + path);
      const passport = page.getByLabel('Passport', { exact: true });
      await passport.setInputFiles(file('passport.png'));
      await upload(page);
      await passport.setInputFiles(file('better.jpg'));
      await upload(page);
      await page.getByText('JPEG, 1 kB').waitFor();
      await page.getByLabel('Another document').setInputFiles(file('bill.pdf'));
      await upload(page);
      await page.getByRole('button', { name: 'Remove Another document' }).click();
      await page.getByRole('button', { name: 'Send to be checked' }).click();
      await page.getByRole('heading', { name: 'Your documents were received' }).waitFor();
      expect(await visits.standing(kycCheckId)).toEqual({ uploads: [], documents: ['PASSPORT'] });
    });
  });

  it('all of it can be done by keyboard alone', async () => {
    await withPage({}, async (page) => {
      const { path, kycCheckId } = await visits.newLink(['IDENTITY']);
      await page.goto(visits.origin + path);
      const chosen = page.waitForEvent('filechooser');
      for (let n = 0; n < 20; n += 1) {
        await page.keyboard.press('Tab');
        const id = await page.evaluate(() => document.activeElement?.id);
        if (id === 'PASSPORT') break;
      }
      await page.keyboard.press('Enter');
      await (await chosen).setFiles(file('passport.png'));
      for (const name of ['Upload', 'Send to be checked']) {
        await page.getByRole('button', { name }).waitFor();
        for (let n = 0; n < 20; n += 1) {
          const text = await page.evaluate(() => document.activeElement?.textContent ?? '');
          if (text === name) break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      }
      await page.getByRole('heading', { name: 'Your documents were received' }).waitFor();
      expect(await visits.standing(kycCheckId)).toMatchObject({ documents: ['PASSPORT'] });
    });
  });

  it('the page that waits for the provider finds out by itself that it is ready', async () => {
    await withPage({}, async (page) => {
      const { harness } = visits;
      const endUserId = await harness.addEndUser('Planted');
      const { id, link } = (await harness.post(`/end-users/${endUserId}/kyc`)).json();
      await page.goto(link.url as string);
      await page.getByText('is being prepared').waitFor();
      await look(page, 'kyc-preparing');
      await harness.giveProviderUrl(id as string, 'https://kyc.example/hosted', ['IDENTITY']);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Confirm who you are' }).waitFor();
    });
  });

  it('a page that shows a decision is sound, and leads back to the company', async () => {
    await withPage({}, async (page) => {
      const { path, kycCheckId } = await visits.newLink(['IDENTITY']);
      const { database, scope } = visits.harness;
      for (const status of ['IN_REVIEW', 'REJECTED']) {
        await database.db.write(scope, (tx) =>
          tx.query(
            `UPDATE kyc_checks SET status = $2, redirect_url = 'https://example.com/back',
               version = version + 1 WHERE id = $1`,
            [kycCheckId, status],
          ),
        );
      }
      await page.goto(visits.origin + path);
      await page.getByRole('heading', { name: 'This check is closed' }).waitFor();
      const back = page.getByRole('link', { name: /^Go back to/ });
      expect(await back.getAttribute('href')).toBe('https://example.com/back');
      expect(await back.getAttribute('rel')).toBe('noreferrer');
      await look(page, 'kyc-over');
    });
  });

  it('no request but one for the page itself carries the token, in its Referer least of all', async () => {
    await withPage({}, async (page) => {
      const { path, token } = await visits.newLink(['IDENTITY']);
      const referers: string[] = [];
      visits.harness.app.server.on('request', ({ headers }) => {
        referers.push(headers.referer ?? '');
      });
      await page.goto(visits.origin + path);
      await page.getByLabel('Passport', { exact: true }).setInputFiles(file('passport.png'));
      await upload(page);
      await page.getByText('PNG, 39 kB').waitFor();
      expect(referers.length).toBeGreaterThan(4);
      expect(referers).toContain(`${visits.origin}/`);
      expect(referers.filter((referer) => referer.includes(token))).toEqual([]);
    });
  });
});
