import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginCursor } from '../../../../src/db/onchain/chain-cursor-store.ts';
import { look } from '../../../support/web/look.ts';
import { findAxeProblems, watch } from '../../../support/web/open-browser.ts';
import { hex } from '../../../support/deposit-harness.ts';
import { credit, seeDeposit, type FundedAnswer } from '../../../support/funded-payments.ts';
import { bookStandingDeposit } from '../../../support/standing-deposit.ts';
import { addWallet } from '../../../support/wallet-payments.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';
import { useBrowser } from '../../../support/web/use-browser.ts';

let dashboard: TestDashboard;
let owner: string;
let newcomer: string;
let pages: readonly string[];
const NEWCOMER_PAGES = [
  ...['/test/home', '/test/payments', '/test/deposits', '/test/deposit-addresses'],
  ...['/test/wallets', '/live/home'],
];
beforeAll(async () => {
  dashboard = await startDashboard({ wakePayment: () => Promise.resolve() });
  const { harness, payer, settle, hold } = dashboard;
  await harness.ask({
    ...{ method: 'POST', url: '/webhook-endpoints' },
    body: { url: 'http://127.0.0.1:9/hooks' },
  });
  const held = await harness.accept({ amount: '10.06' });
  await hold(held);
  const failed = await harness.accept();
  await settle(failed, 'REJECTED');
  const returned = await harness.accept({ externalId: 'inv-'.padEnd(200, 'x') });
  await settle(returned, 'SETTLED', 'RETURNED');
  const sent = await harness.accept({ amount: '1250.00', externalId: 'inv-20931' });
  await settle(sent, 'ACCEPTED');
  const overNetworks = await addDeposits();
  const stranger = await dashboard.addStranger();
  newcomer = await dashboard.logIn('OWNER', stranger.scope.customerId);
  await harness.rows('UPDATE customers SET live_access = false WHERE id = $1', [
    stranger.scope.customerId,
  ]);
  pages = [
    ...['home', 'payments', 'payments?status=x', 'balances', 'limits', 'limits/new'],
    ...[held, failed, returned, sent].map((id) => `payments/${id}`),
    ...['end-users', `end-users/${payer.endUserId}`, 'end-users?kyc=REJECTED', 'payments/none'],
    ...['deposits', 'deposits?status=x', 'deposit-addresses', 'wallets'],
    ...overNetworks,
  ].map((path) => `/test/${path}`);
});
afterAll(async () => {
  await dashboard.close();
});
const browser = useBrowser();

/** A payment that waits for its deposit, deposits to it and to an address, and what they are of: the pages' paths. */
async function addDeposits(): Promise<readonly string[]> {
  const { clock, payer } = dashboard;
  const harness = { ...dashboard.harness, clock };
  const { endUserId } = payer;
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const { id: walletId } = await addWallet(harness, { address });
  const order = {
    ...{ endUserId, walletId, amount: '1250.00', asset: 'USDC' },
    funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' },
  };
  const payment = (await harness.pay(order)).json<FundedAnswer>();
  // Made-up deposits are in block 7.
  const head = { number: 8n, hash: hex(32), at: clock.now() };
  const place = { environment: 'test', network: 'BASE' } as const;
  await dashboard.db.system((tx) => beginCursor(tx, place, 'HEAD', head, clock.now()));
  const part = await seeDeposit(harness, payment, { amount: 400_000_000n });
  await credit(harness, part);
  const seen = await seeDeposit(harness, payment, { amount: 900_000_000n });
  const body = { endUserId, walletId, minAmount: '5' };
  const made = await harness.ask({ method: 'POST', url: '/deposit-addresses', body });
  const { id } = made.json<{ id: string }>();
  const final = await bookStandingDeposit(harness, id, { amount: 31_250_000_000n, asset: 'EURC' });
  return [
    ...[`payments/${payment.id}`, `wallets/${walletId}`, `deposit-addresses/${id}`],
    ...[part.id, seen.id, final].map((deposit) => `deposits/${deposit}`),
  ];
}

// A proof renews a session, so each test has one of its own.
beforeEach(async () => {
  owner = await dashboard.logIn('OWNER');
});

async function withPage<Result>(
  cookie: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser().newContext(options);
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([
      {
        ...{ name, value, secure: true },
        url: `${dashboard.site.origin.replace('http:', 'https:')}/`,
      },
    ]);
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

it('every page passes axe and the policy in both themes, wide and narrow, and none scrolls sideways', async () => {
  const all = [
    ['owner', owner, pages],
    ['newcomer', newcomer, NEWCOMER_PAGES],
  ] as const;
  for (const [whose, cookie, paths] of all) {
    await withPage(cookie, {}, async (page) => {
      const { problems, asked } = await watch(page);
      for (const path of paths) {
        const answer = await page.goto(dashboard.site.origin + path);
        expect(new URL(page.url()).pathname, 'not sent to the login').not.toContain('login');
        await look(page, whose + path);
        const isRefused = [404, 422].includes(answer?.status() ?? 0);
        const said = problems.splice(0);
        expect(
          said.filter((line) => !isRefused || !/40?4|422/.test(line)),
          path,
        ).toEqual([]);
      }
      expect(asked.filter((url) => !url.startsWith(`${dashboard.site.origin}/`))).toEqual([]);
    });
  }
});

describe('a payment in a browser', () => {
  it('moves by itself, and keeps the focus where it was', async () => {
    const id = await dashboard.harness.accept();
    await withPage(owner, {}, async (page) => {
      const { problems } = await watch(page);
      await page.goto(`${dashboard.site.origin}/test/payments/${id}`);
      const endUser = page.locator('#facts').getByRole('link');
      await endUser.focus();
      await dashboard.settle(id, 'SETTLED');
      await page.locator('#status').getByText('Completed').waitFor();
      await page.locator('#progress').getByText('version 3').waitFor();
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A');
      await expect
        .poll(() => page.getByRole('status').textContent())
        .toContain('The payment has changed.');
      expect(problems).toEqual([]);
    });
  });

  it('is canceled as its page shows it: the version goes along with what moved by itself', async () => {
    const id = await dashboard.harness.accept();
    await withPage(owner, {}, async (page) => {
      await page.goto(`${dashboard.site.origin}/test/payments/${id}`);
      await dashboard.hold(id);
      await page.locator('#status').getByText('On hold').waitFor();
      await page.getByRole('button', { name: 'Cancel this payment' }).click();
      await page.getByLabel('8-digit code').fill((await dashboard.site.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL(`**/test/payments/${id}`);
      await page.locator('#status').getByText('Canceled').waitFor();
    });
  });

  it('offers a cancel no longer than it can be canceled', async () => {
    const id = await dashboard.harness.accept();
    await withPage(owner, {}, async (page) => {
      await page.goto(`${dashboard.site.origin}/test/payments/${id}`);
      const cancel = page.getByRole('button', { name: 'Cancel this payment' });
      await cancel.waitFor();
      await dashboard.settle(id, 'SETTLED');
      await page.locator('#status').getByText('Completed').waitFor();
      await cancel.waitFor({ state: 'detached' });
      expect(await page.getByText('Nothing has been sent yet').count()).toBe(0);
    });
  });

  it.each([true, false])(
    'is found, opened and canceled with a code; JavaScript: %s',
    async (on) => {
      const id = await dashboard.harness.accept({ externalId: `to-cancel-${String(on)}` });
      await withPage(owner, { javaScriptEnabled: on }, async (page) => {
        await page.goto(`${dashboard.site.origin}/test/payments`);
        await page.getByRole('searchbox').fill(`to-cancel-${String(on)}`);
        await page.getByRole('button', { name: 'Filter' }).click();
        await page.locator('a.row-link').click();
        await page.waitForURL(`**/test/payments/${id}`);
        await page.getByRole('button', { name: 'Cancel this payment' }).click();
        await page.getByLabel('8-digit code').fill((await dashboard.site.lastMail()).code);
        await page.getByRole('button', { name: 'Confirm' }).click();
        await page.waitForURL(`**/test/payments/${id}`);
        await page.locator('#status').getByText('Canceled').waitFor();
      });
    },
  );

  it.each([true, false])(
    'shows what is masked once it is asked for; JavaScript: %s',
    async (on) => {
      const id = await dashboard.harness.accept();
      await withPage(owner, { javaScriptEnabled: on }, async (page) => {
        await page.goto(`${dashboard.site.origin}/test/payments/${id}`);
        expect(await page.getByText('Ada Sample').count()).toBe(0);
        await page.getByRole('button', { name: 'Show personal data' }).click();
        await page.getByText('Ada Sample').first().waitFor();
        // axe runs as a script of the page.
        if (on) expect(await findAxeProblems(page)).toEqual([]);
      });
    },
  );
});

it('the figures of home can be read as a table by keyboard alone', async () => {
  await withPage(owner, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${dashboard.site.origin}/test/home`);
    const summary = page.getByText('As a table').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('cell', { name: dashboard.clock.now().toISOString().slice(0, 10) })
      .first()
      .waitFor();
  });
});
