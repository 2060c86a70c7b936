import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startTestWeb, type TestWeb } from '../../support/web/web-harness.tsx';
import { useBrowser } from '../../support/web/use-browser.ts';

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(async () => {
  await web.close();
});
const browser = useBrowser();

const PAGES = ['/home', '/payments', '/payment', '/webhooks', '/note', '/confirm', '/nowhere'];

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

it('every part passes axe and the policy in both themes, wide and narrow', async () => {
  await withPage({}, async (page) => {
    const { problems, asked } = await watch(page);
    for (const path of PAGES) {
      await page.goto(web.origin + path);
      await look(page, `parts${path}`);
    }
    // The one page that is missing says so in the console, and nothing else is said there.
    expect(problems.filter((line) => !line.includes('404'))).toEqual([]);
    expect(asked.length).toBeGreaterThan(PAGES.length);
    expect(asked.filter((url) => !url.startsWith(`${web.origin}/`))).toEqual([]);
  });
});

describe('the policy of a page', () => {
  it('keeps what is planted from running', async () => {
    await withPage({}, async (page) => {
      const { problems } = await watch(page);
      await page.goto(`${web.origin}/payments`);
      const outcome = await page.evaluate(() => {
        const script = document.createElement('script');
        let sink = 'taken';
        try {
          script.textContent = 'window.planted = true';
          document.body.append(script);
          document.body.innerHTML = '<img src=x onerror="window.planted = true">';
        } catch (error) {
          sink = String(error);
        }
        return { sink, planted: 'planted' in window };
      });
      expect(outcome).toMatchObject({ planted: false });
      expect(outcome.sink).toContain('TypeError');
      expect(problems.join()).toContain("requires 'TrustedScript'");
    });
  });

  it('keeps pages out of frames and forms from going elsewhere', async () => {
    await withPage({}, async (page) => {
      const { problems, asked } = await watch(page);
      await page.goto(`${web.origin}/note`);
      await page.evaluate(() => {
        const form = document.createElement('form');
        form.action = 'http://evil.localhost:9/';
        form.method = 'post';
        document.body.append(form);
        form.submit();
      });
      await expect.poll(() => problems.join()).toContain('CSP form-action');
      expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
    });
  });
});

describe('a form in a browser', () => {
  it.each([true, false])('is sent and comes back with its errors; JavaScript: %s', async (on) => {
    await withPage({ javaScriptEnabled: on }, async (page) => {
      web.notes.length = 0;
      await page.goto(`${web.origin}/note`);
      await page.getByLabel('Your note').fill('this note is far too long');
      await page.getByRole('button', { name: 'Save' }).click();
      const summary = page.getByRole('alert');
      await summary.getByRole('link', { name: 'Enter a note of at most 20 characters.' }).click();
      expect(await page.getByLabel('Your note').inputValue()).toBe('this note is far too long');
      expect(new URL(page.url()).hash).toBe('#note');
      await page.getByLabel('Your note').fill('short');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`${web.origin}/home`);
      expect(web.notes).toEqual(['short']);
    });
  });

  it('can be filled in and sent by keyboard alone, and its errors are read out first', async () => {
    await withPage({}, async (page) => {
      web.notes.length = 0;
      await page.goto(`${web.origin}/note`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#summary');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('summary');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('note');
      await page.keyboard.type('by keyboard');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${web.origin}/home`);
      expect(web.notes).toEqual(['by keyboard']);
    });
  });
});

describe('on a phone', () => {
  it.each([true, false])('every page is reached by the menu; JavaScript: %s', async (on) => {
    const options = { viewport: { width: 390, height: 844 }, javaScriptEnabled: on };
    await withPage(options, async (page) => {
      await page.goto(`${web.origin}/home`);
      const link = page.getByRole('link', { name: 'Webhooks' });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await link.click();
      await page.waitForURL(`${web.origin}/webhooks`);
    });
  });
});

describe('a region that keeps itself fresh', () => {
  it('is replaced when it has changed, keeps focus, and says so', async () => {
    await withPage({}, async (page) => {
      const { problems } = await watch(page);
      web.versions.payment = 3;
      await page.goto(`${web.origin}/payment`);
      await page.getByRole('link', { name: 'All versions' }).focus();
      web.versions.payment = 4;
      await page.getByText('version 4').waitFor();
      const focused = await page.evaluate(() => document.activeElement?.textContent);
      expect(focused).toBe('All versions');
      await expect.poll(() => page.getByRole('status').textContent()).toContain('has changed');
      expect(problems).toEqual([]);
    });
  });

  it('stays as it was without JavaScript, and all of it is there', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      web.versions.payment = 5;
      await page.goto(`${web.origin}/payment`);
      expect(await page.getByText('version 5').isVisible()).toBe(true);
      expect(await page.getByText('expected by 14:05').isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    });
  });
});

describe('copying', () => {
  it('puts the text on the clipboard and says so', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await withPage({ permissions }, async (page) => {
      await page.goto(`${web.origin}/payment`);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain('Authorization: Bearer $CAUSEWAY_KEY');
    });
  });
});
