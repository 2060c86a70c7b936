import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeApiRequests } from '../../../../src/db/customers/api-request-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { addApiKey } from '../../../support/test-customer.ts';
import { look } from '../../../support/web/look.ts';
import { findAxeProblems, watch } from '../../../support/web/open-browser.ts';
import {
  startWebhookSite,
  type WebhookSite,
} from '../../../support/web/dashboard/webhooks-harness.ts';
import { useBrowser } from '../../../support/web/use-browser.ts';

const LONG = { timeout: 120_000 };
let harness: WebhookSite;
let endpointId: string;
let pages: Readonly<Record<string, string>>;

beforeAll(async () => {
  harness = await startWebhookSite();
  const { site, receiver, db, customerId, owner } = harness;
  endpointId = (await harness.addEndpoint('test', ['payment.*', 'kyc.*', 'ping'])).id;
  receiver.answer = (_request, response) => response.writeHead(500).end('no room');
  await harness.record('pay_shown');
  await harness.drain(endpointId);
  const key = await db.system((tx) => addApiKey(tx, site.vault, { customerId }));
  const common = { apiKeyId: key.id, at: site.clock.now(), durationMs: 12, address: '203.0.113.7' };
  await writeApiRequests(
    db,
    [
      {
        ...common,
        requestId: newId('req'),
        method: 'POST',
        route: '/api/v1/payments',
        status: 201,
        errorCode: null,
        paymentId: newId('pay'),
      },
      {
        ...common,
        requestId: newId('req'),
        method: 'GET',
        route: '/api/v1/payments/:paymentId',
        status: 403,
        errorCode: 'ip_not_allowed',
        paymentId: null,
      },
    ],
    site.clock.now(),
  );
  const page = `/test/webhooks/${endpointId}`;
  const eventId = /deliveries\/(evt_[0-9a-z]{26})/.exec((await site.get(page, owner)).body)?.[1];
  pages = {
    ...{ list: '/test/webhooks', new: '/test/webhooks/new', detail: page, edit: `${page}/edit` },
    ...{ delivery: `${page}/deliveries/${eventId ?? ''}`, requests: '/test/requests' },
    ...{ wrong: '/test/requests?status=9', audit: '/audit', empty: '/live/requests' },
  };
});
afterAll(async () => {
  await harness.close();
});
const browser = useBrowser();

async function withPage<Result>(
  options: BrowserContextOptions,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser().newContext(options);
  // A proof renews a session, so each page's browser has one of its own.
  const [name = '', value = ''] = (await harness.logInAs('OWNER')).split(/=(.*)/s);
  // Chromium takes such a cookie from a URL with TLS alone, and sends it to localhost without.
  const url = harness.site.origin.replace('http:', 'https:');
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Lax' }]);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

it(
  'pages of webhooks, requests and audit pass axe in both themes, wide and narrow',
  LONG,
  async () => {
    await withPage({}, async (page) => {
      const { problems, asked } = await watch(page);
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(harness.site.origin + path);
        await look(page, `hooks-${name}`);
      }
      // The list with wrong filters answers 422, which the console tells of.
      expect(problems.filter((line) => !line.includes('422'))).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${harness.site.origin}/`))).toEqual([]);
    });
  },
);

describe('in a browser', () => {
  it.each([true, false])('an endpoint is added and tested; JavaScript: %s', LONG, async (on) => {
    await withPage({ javaScriptEnabled: on }, async (page) => {
      const { site, receiver } = harness;
      receiver.answer = (_request, response) => response.writeHead(200).end('thanks');
      await page.goto(`${site.origin}/test/webhooks`);
      await page.getByRole('link', { name: 'Add an endpoint' }).click();
      await page.getByLabel('URL').fill('nonsense');
      await page.getByRole('button', { name: 'Add the endpoint' }).click();
      await page
        .getByRole('alert')
        .getByRole('link', { name: /absolute URL/ })
        .click();
      await page.getByLabel('URL').fill(receiver.url);
      await page.getByRole('button', { name: 'Add the endpoint' }).click();
      await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm' }).click();
      expect(await page.getByText(/^whsec_/).textContent()).toMatch(/^whsec_/);
      if (on) expect(await findAxeProblems(page)).toEqual([]);
      await page.getByRole('link', { name: 'Go to the endpoint' }).click();
      await page.getByRole('button', { name: 'Send it now' }).click();
      await page.getByText('thanks').waitFor();
      await page.getByRole('link', { name: 'Back to the endpoint' }).click();
      await page.getByText('Waiting deliveries').waitFor();
    });
  });

  it('the state of an endpoint and the request log follow by themselves', LONG, async () => {
    await withPage({}, async (page) => {
      const { site, receiver } = harness;
      receiver.answer = (_request, response) => response.writeHead(204).end();
      await page.goto(`${site.origin}/test/webhooks/${endpointId}`);
      await page.getByText('Failing', { exact: true }).waitFor();
      site.clock.advance(3_600_000 / 4);
      await harness.record('pay_delivered');
      await harness.drain(endpointId);
      await page.getByText('Healthy', { exact: true }).waitFor();
    });
  });
});
