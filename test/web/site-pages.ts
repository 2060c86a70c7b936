import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findAxeProblems } from './open-browser.ts';
import type { Site } from './site.ts';

/** Where pictures go, for people to look at; nowhere unless SCREENSHOTS_DIR is set. */
const PICTURES = process.env['SCREENSHOTS_DIR'] ?? '';

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

/** axe finds nothing, and nothing scrolls sideways. */
export async function expectSound(page: Page, name: string): Promise<void> {
  expect(await findAxeProblems(page), name).toEqual([]);
  const isWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isWide, `${name} scrolls sideways`).toBe(false);
  if (PICTURES === '') return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** Logs in by address and code, from wherever the page is, up to the code being sent. */
export async function logInPage(page: Page, site: Site, address: string): Promise<void> {
  await page.goto(`${site.origin}/login?next=%2Fsettings`);
  await page.getByLabel('E-mail address').fill(address);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.waitForURL(`${site.origin}/login/code`);
  await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
  await page.getByRole('button', { name: 'Log in' }).click();
}
