import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { look } from '../../support/web/look.ts';
import { findAxeProblems, watch } from '../../support/web/open-browser.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

/** A browser on a machine that runs other tests meanwhile. */
const BROWSER_MS = 240_000;

let harness: TestApp;
let url: string;
beforeAll(async () => {
  harness = await createTestApp();
  url = await harness.app.listen({ host: '127.0.0.1', port: 0 });
}, BROWSER_MS);
afterAll(async () => {
  await harness.close();
});
const browser = useBrowser();

/** One of each kind. */
const PAGES = [
  ...['/docs', '/docs/guides/quickstart', '/docs/reference/payments', '/docs/events'],
  ...['/docs/errors', '/docs/nothing-here'],
];

async function withPage(
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser().newContext(options);
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

const WIDTHS = [1280, 390];

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** One template makes all parts of a page that are alike: axe judges the first of them. */
async function keepFirstOfAlike(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const [alike, most] of [
      ['section.operation', 2],
      ['section.codes', 2],
      ['main li', 4],
    ] as const) {
      const parts = new Map<Element | null, number>();
      for (const part of document.querySelectorAll(alike)) {
        const nth = (parts.get(part.parentElement) ?? 0) + 1;
        parts.set(part.parentElement, nth);
        if (nth > most) part.remove();
      }
    }
  });
}

it(
  'every kind of page passes axe and the policy in both themes, wide and narrow, and scrolls one way',
  async () => {
    await withPage({}, async (page) => {
      const { problems, asked } = await watch(page);
      for (const path of PAGES) {
        await page.goto(url + path);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 860 });
          expect.soft(await scrollsSideways(page), `${path} at ${String(width)} px`).toBe(false);
        }
        await keepFirstOfAlike(page);
        // What is folded away is judged as well.
        await page.evaluate(() => {
          const first = [...document.querySelectorAll('details')].slice(0, 12);
          for (const details of first) details.open = true;
        });
        await look(page, path);
      }
      // The one page that is missing says so in the console, and nothing else is said there.
      expect(problems.filter((text) => !text.includes('status of 404'))).toEqual([]);
      expect(asked.filter((one) => !one.startsWith(`${url}/`))).toEqual([]);
    });
  },
  BROWSER_MS,
);

describe('the search', () => {
  const PLACES = [
    ['createPayment', '/docs/reference/payments#createPayment'],
    ['insufficient_balance', '/docs/errors#insufficient_balance'],
    ['payment.completed', '/docs/events#payment.completed'],
    ['scheduledFor', '/docs/reference/payments#createPayment'],
    ['quickstart', '/docs/guides/quickstart'],
    // One letter is wrong.
    ['quickstert', '/docs/guides/quickstart'],
  ] as const;

  it(
    'leads from words to their place, by the keyboard alone',
    async () => {
      await withPage({}, async (page) => {
        const { problems } = await watch(page);
        for (const [words, place] of PLACES) {
          await page.goto(`${url}/docs/guides/sandbox`);
          await page.keyboard.press('/');
          await page.keyboard.type(words);
          const list = page.getByRole('listbox');
          await list.getByRole('option').first().waitFor();
          await page.keyboard.press('ArrowDown');
          expect(await list.getByRole('option', { selected: true }).count(), words).toBe(1);
          await Promise.all([page.waitForURL(url + place), page.keyboard.press('Enter')]);
          expect(problems, words).toEqual([]);
        }
      });
    },
    BROWSER_MS,
  );

  it(
    'passes axe with what it found, says where nothing is found, and closes by Escape',
    async () => {
      await withPage({}, async (page) => {
        await page.goto(`${url}/docs`);
        await page.getByRole('combobox').fill('quote');
        await page.getByRole('listbox').getByRole('option').first().waitFor();
        expect(await findAxeProblems(page)).toEqual([]);
        await page.getByRole('combobox').fill('qqqqxxxxzzzz');
        await page.getByText('Nothing was found.').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('listbox').waitFor({ state: 'hidden' });
      });
    },
    BROWSER_MS,
  );
});

describe('a request that is tried', () => {
  /** Opens the form of an operation, and counts what is asked of the API. */
  async function openTry(page: Page, tag: string, id: string) {
    const sent: { url: string; headers: Record<string, string> }[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) {
        sent.push({ url: request.url(), headers: request.headers() });
      }
    });
    await page.goto(`${url}/docs/reference/${tag}`);
    const form = page.locator(`#${id} details.try`);
    await form.locator('summary').click();
    return {
      sent,
      key: form.getByLabel('Test key'),
      send: () => form.getByRole('button', { name: 'Send' }).click(),
      form,
      told: form.getByRole('status'),
    };
  }

  it(
    'answers with status, headers of interest and body, and remembers the key in this tab alone',
    async () => {
      await withPage({}, async (page) => {
        const { problems } = await watch(page);
        const first = await openTry(page, 'balances', 'listBalances');
        await first.key.fill(harness.token);
        await first.send();
        await first.told.getByText('200 OK').waitFor();
        await first.told.getByText('x-request-id').waitFor();
        await first.told.getByText('ratelimit', { exact: true }).waitFor();
        expect(await first.told.locator('pre').textContent()).toContain('"hasMore"');
        expect(await findAxeProblems(page)).toEqual([]);
        expect(first.sent.length).toBe(1);
        expect(first.sent[0]?.headers['authorization']).toBe(`Bearer ${harness.token}`);
        for (const place of [page.url(), ...first.sent.map((one) => one.url)]) {
          expect(place).not.toContain(harness.token);
        }
        const second = await openTry(page, 'payments', 'listPayments');
        expect(await second.key.inputValue()).toBe(harness.token);
        expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('cw_');
        expect(problems).toEqual([]);
      });
      await withPage({}, async (page) => {
        const other = await openTry(page, 'balances', 'listBalances');
        expect(await other.key.inputValue()).toBe('');
      });
    },
    BROWSER_MS,
  );

  it(
    'is refused with a live key, and with anything else that is no test key, before anything is sent',
    async () => {
      const { customerId } = harness.scope;
      const live = await harness.database.db.system((tx) =>
        addApiKey(tx, harness.vault, { customerId, environment: 'live' }),
      );
      await withPage({}, async (page) => {
        const tried = await openTry(page, 'balances', 'listBalances');
        for (const [key, says] of [
          [live.token, 'This is a live key'],
          ['nonsense', 'Only test keys are taken here'],
          ['', 'Give a test key first'],
        ] as const) {
          await tried.key.fill(key);
          await tried.send();
          await tried.told.getByText(says).waitFor();
          expect(await tried.key.inputValue()).toBe('');
        }
        expect(tried.sent).toEqual([]);
        const kept = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
        expect(kept).not.toContain(live.token);
      });
    },
    BROWSER_MS,
  );

  it(
    'makes what its body says, with a key of its own for each request, and shows a refusal',
    async () => {
      await withPage({}, async (page) => {
        const tried = await openTry(page, 'end-users', 'createEndUser');
        await tried.key.fill(harness.token);
        const body = tried.form.getByLabel('Body');
        await body.fill(
          '{"type": "INDIVIDUAL", "individual": {"firstName": "Ada", "lastName": "Sample"}}',
        );
        const unique = tried.form.getByLabel('idempotency-key');
        const before = await unique.inputValue();
        expect(before).toMatch(/^docs-[0-9a-f]{32}$/);
        await tried.send();
        await tried.told.getByText('201 Created').waitFor();
        expect(await unique.inputValue()).not.toBe(before);
        await body.fill('{"type": "NEITHER"}');
        await tried.send();
        await tried.told.getByText('400 Bad Request').waitFor();
        expect(await tried.told.locator('pre').textContent()).toContain('validation_failed');
      });
    },
    BROWSER_MS,
  );

  it(
    'puts what is typed for a path into its one step, whatever it is',
    async () => {
      await withPage({}, async (page) => {
        const tried = await openTry(page, 'payments', 'getPayment');
        await tried.key.fill(harness.token);
        await tried.form.getByLabel('paymentId').fill('a/../b?c#d');
        await tried.send();
        await tried.told.getByText('404 Not Found').waitFor();
        expect(tried.sent[0]?.url).toBe(`${url}/api/v1/payments/a%2F..%2Fb%3Fc%23d`);
      });
    },
    BROWSER_MS,
  );
});

it(
  'a language that is chosen once is shown everywhere, and on the next page',
  async () => {
    await withPage({}, async (page) => {
      await page.goto(`${url}/docs/reference/quotes`);
      await page.locator('#createQuote').getByText('Python', { exact: true }).click();
      await page.locator('#getQuote [data-language=python] pre').waitFor();
      await page.goto(`${url}/docs/reference/payments`);
      await page.locator('#createPayment [data-language=python] pre').waitFor();
      expect(await page.locator('#createPayment [data-language=bash] pre').isVisible()).toBe(false);
    });
  },
  BROWSER_MS,
);

it(
  'without JavaScript all is there to read and a language can be chosen; what needs the script is not shown',
  async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${url}/docs/reference/quotes`);
      await page.locator('#createQuote').getByText('TypeScript', { exact: true }).click();
      await page.locator('#createQuote [data-language=typescript] pre').waitFor();
      expect(await page.locator('details.try').first().isVisible()).toBe(false);
      expect(await page.getByRole('search').isVisible()).toBe(false);
      expect(await page.locator('button[data-copy]').first().isVisible()).toBe(false);
    });
  },
  BROWSER_MS,
);

it(
  'on a phone the navigation is behind a button',
  async () => {
    await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
      await page.goto(`${url}/docs`);
      const nav = page.getByRole('navigation', { name: 'Pages' });
      expect(await nav.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await findAxeProblems(page)).toEqual([]);
      await Promise.all([
        page.waitForURL(`${url}/docs/guides/end-users`),
        nav.getByRole('link', { name: 'End-users and KYC', exact: true }).first().click(),
      ]);
    });
  },
  BROWSER_MS,
);
