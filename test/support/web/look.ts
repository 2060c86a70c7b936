import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findAxeProblems } from './open-browser.ts';

/** Where pictures go, for people to look at; nowhere unless SCREENSHOTS_DIR is set. */
const PICTURES = process.env['SCREENSHOTS_DIR'] ?? '';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390];
/** The width changes what is shown, the theme changes colors alone. */
const RULES = { light: undefined, dark: ['color-contrast'] };
const WIDE = { width: 1280, height: 860 };

/**
 * Looks at a page as it stands, in both themes, wide and narrow, and leaves it wide and light. axe finds nothing,
 * nothing is inline that the policy would refuse, and nothing scrolls sideways.
 */
export async function look(page: Page, name: string): Promise<void> {
  const { inline, title } = await page.evaluate(() => ({
    title: document.title,
    inline: [
      ...document.querySelectorAll(
        'script:not([src]), style, [style]:not([style=""]), [onclick], [onload]',
      ),
    ].map((found) => found.outerHTML.slice(0, 100)),
  }));
  expect(title, name).not.toBe('');
  expect.soft(inline, `${name} has nothing inline`).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: WIDE.height });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      const at = `${name}-${colorScheme}-${String(width)}`;
      expect.soft(await findAxeProblems(page, RULES[colorScheme]), at).toEqual([]);
      if (PICTURES !== '') await takePicture(page, at);
    }
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect.soft(isWide, `${name} scrolls sideways at ${String(width)} px`).toBe(false);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

/** Bytes of a first page with its style and script, uncompressed. */
const FIRST_PAGE_BYTES_MAX = 100_000;

/** Loads a page as who comes for the first time, and weighs all that it is made of. */
export async function weigh(page: Page): Promise<void> {
  const parts: Promise<number>[] = [];
  page.on('response', (response) => parts.push(response.body().then(({ length }) => length)));
  await page.reload();
  page.removeAllListeners('response');
  const sizes = await Promise.all(parts);
  expect.soft(sizes.length, 'page, style and script').toBeGreaterThanOrEqual(3);
  expect.soft(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_PAGE_BYTES_MAX);
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const file = `${name.replaceAll(/[^\w-]+/g, '-').slice(0, 150)}.png`;
  await page.screenshot({ path: join(PICTURES, file), fullPage: true });
}
