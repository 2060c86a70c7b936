import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Site } from './site.ts';

export async function withPage<Result>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Logs in by address and code, from wherever the page is, up to the code being sent. */
export async function logInPage(page: Page, site: Site, address: string): Promise<void> {
  await page.goto(`${site.origin}/login?next=%2Fsettings`);
  await page.getByLabel('Email address').fill(address);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.waitForURL(`${site.origin}/login/code`);
  await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
  await page.getByRole('button', { name: 'Log in' }).click();
}
