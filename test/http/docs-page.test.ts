import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { openBrowser } from '../web/open-browser.ts';

let harness: TestApp;
let url: string;
let browser: Browser | null;
beforeAll(async () => {
  harness = await createTestApp();
  url = await harness.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await openBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await harness.close();
});

beforeEach((context) => {
  if (browser === null) context.skip('there is no Chromium here: apt-get install chromium');
});

it('the page of the API shows its operations under its own policy', async () => {
  const page = await browser!.newPage();
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text());
  });
  await page.goto(`${url}/docs/`);
  await page.getByText('/api/v1/payments/validate').first().waitFor();
  expect(said).toEqual([]);
  await page.close();
}, 60_000);
