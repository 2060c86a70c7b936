import { randomBytes } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVE, TAKE_UP } from '../../../src/modules/operations/acts/approval-acts.ts';
import { stopRelease } from '../../../src/modules/payments/stop-release.ts';
import { proposeResumption } from '../../../src/modules/customers/resume-customer.ts';
import { suspendCustomer } from '../../../src/modules/customers/suspend-customer.ts';
import { findCustomer } from '../../../src/db/customers/customer-status-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertPasskey } from '../../../src/db/customers/passkey-store.ts';
import { insertStatement } from '../../../src/db/reconciliation/statement-store.ts';
import { addWaitingPayment } from '../../support/deposit-harness.ts';
import { holdStalled } from '../../support/hold-stalled.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser, addUnconfirmedOperator } from '../../support/test-people.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const STATEMENTS_MAX = 12;
const GAP = { code: 'SEQUENCE_GAP', after: '7', before: '9' };

let site: Site;
let cookies: Readonly<Record<'COMPLIANCE' | 'OPERATIONS' | 'ADMIN', string>>;
let paths: readonly (readonly [path: string, role: keyof typeof cookies])[];
let approvalId: string;

beforeAll(async () => {
  site = await startSite('console');
  const { people, clock, vault } = site.people;
  const logIn = async (role: 'COMPLIANCE' | 'OPERATIONS' | 'ADMIN') =>
    site.logIn((await addTestOperator(site.people, role)).id);
  cookies = {
    COMPLIANCE: await logIn('COMPLIANCE'),
    OPERATIONS: await logIn('OPERATIONS'),
    ADMIN: await logIn('ADMIN'),
  };
  const { id: operatorId } = await addTestOperator(site.people, 'OPERATIONS');
  const unconfirmed = await addUnconfirmedOperator(site.people, 'OPERATIONS');
  const customer = await seedPayingCustomer(site.database.db);
  const { customerId } = customer.scope;
  const paid = await customer.pay({ fate: 'UNKNOWN', at: clock.now() });
  const held = await customer.pay({ fate: 'UNKNOWN', at: new Date('2026-01-02T00:00:00.000Z') });
  await holdStalled({ db: site.database.db, clock }, customer.scope, held.id);
  const waiting = await addWaitingPayment(site.database.db);
  const deposit = await waiting.see();
  const act = { operator: 'cleo', reason: 'a sample of what waits' };
  const deps = { db: people, clock, vault };
  await stopRelease(deps, { environment: 'test', rail: 'SEPA', customerId: null }, act);
  await suspendCustomer(deps, customerId, act);
  const row = await people.system((tx) => findCustomer(tx, customerId));
  if (row === null) throw new Error('the customer is gone');
  approvalId = String(await proposeResumption(deps, row, act));
  const statementId = await people.system((tx) =>
    insertStatement(
      tx,
      { environment: 'test', connector: 'http-bank' },
      {
        ...{ bankStatementId: 'STM-9', sequence: 9n, account: 'DE00', series: 1, problems: [GAP] },
        ...{ fromAt: clock.now(), toAt: clock.now(), status: 'REFUSED' },
      },
      clock.now(),
    ),
  );
  paths = [
    ...['/', '/approvals', `/approvals/${approvalId}`, `/approvals/${approvalId}/take-up`],
    ...['/reviews', '/reviews/kyc-override', '/customers', `/customers/${customerId}`],
    ...[`/customers/${customerId}/resume`, '/customers?find=nothing', '/mails', '/operators'],
    ...['/audit', '/audit?action=customer.suspend', `/customers/${customerId}/owner`],
  ].map((path) => [path, 'COMPLIANCE'] as const);
  paths = [
    ...paths,
    ...[
      ...[`/payments/${held.id}`, '/payments?show=held', '/release?show=stops'],
      ...['/payments', `/payments/${paid.id}`, `/payments/${paid.id}/retry`],
      ...['settled', 'failed'].map((outcome) => `/payments/${paid.id}/confirm-${outcome}`),
      ...[`/payments?find=${paid.reference}`, '/payments?find=nothing', '/reconciliation'],
      ...[`/payments?find=${deposit.txHash}`, `/deposits/${deposit.id}`],
      ...[`/statements/${String(statementId)}`, `/statements/${String(statementId)}/accept`],
      ...[
        '',
        `/${String(statementId)}-SEQUENCE_GAP`,
        `/${String(statementId)}-SEQUENCE_GAP/act`,
      ].map((path) => `/reconciliation/exceptions${path}`),
      ...['/release', '/release/stop', '/release/1/resume', '/release/restore-begin'],
    ].map((path) => [path, 'OPERATIONS'] as const),
    [`/operators/${operatorId}/disable`, 'ADMIN'],
    [`/operators/${unconfirmed.id}/confirm`, 'ADMIN'],
    ['/operators', 'ADMIN'],
    ...(await pagesOfLostPasskeys(unconfirmed.id)),
  ];
});
afterAll(async () => {
  await site.close();
});
const browser = useBrowser();

/** Of an operator and of the owner of a customer of its own, with a passkey each. */
async function pagesOfLostPasskeys(operator: string) {
  const { people, clock } = site.people;
  const other = await site.database.db.system((tx) => addCustomer(tx));
  const owner = (await addTestUser(site.people, other, 'OWNER')).id;
  for (const [personId, customerId] of [
    [operator, null],
    [owner, other],
  ] as const) {
    const passkey = {
      ...{ id: newId('psk'), credentialId: randomBytes(32), publicKey: randomBytes(64) },
      ...{ counter: 0n, transports: [], browser: 'Firefox on Linux', createdAt: clock.now() },
    };
    await people.system((tx) => insertPasskey(tx, { ...passkey, personId, customerId }));
  }
  const lost = [`/owners/${owner}/lost-passkeys`, `/operators/${operator}/lost-passkeys`];
  return [`/customers/${other}`, ...lost].map((path) => [path, 'COMPLIANCE'] as const);
}

async function withPage<Result>(
  options: BrowserContextOptions,
  work: (page: Page, as: (cookie: string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const context = await browser().newContext(options);
  const as = async (cookie: string) => {
    const [name = '', value = ''] = cookie.split('=', 2);
    const { hostname } = new URL(site.origin);
    await context.addCookies([
      { name, value, domain: hostname, path: '/', secure: true, httpOnly: true },
    ]);
  };
  try {
    return await work(await context.newPage(), as);
  } finally {
    await context.close();
  }
}

describe('every page of the console', () => {
  it('asks the database at most twelve times', async () => {
    for (const [path, role] of paths) {
      const before = site.statements();
      const answer = await site.get(path, cookies[role]);
      expect(answer.status, path).toBe(200);
      const asked = site.statements() - before;
      expect(asked, path).toBeGreaterThan(0);
      expect(asked, path).toBeLessThanOrEqual(STATEMENTS_MAX);
    }
  });

  it('passes axe and the policy in both themes, wide and narrow', async () => {
    await withPage({}, async (page, as) => {
      const { problems, asked } = await watch(page);
      for (const [path, role] of paths) {
        await as(cookies[role]);
        const answer = await page.goto(site.origin + path);
        expect(answer?.status(), path).toBe(200);
        await look(page, `console${path}-${role}`);
      }
      expect(problems).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${site.origin}/`))).toEqual([]);
    });
  });
});

describe('two operators without JavaScript', () => {
  it('take a handed-in proposal up and approve it, each with a code from a mail', async () => {
    const [first, second] = await Promise.all(
      ['one', 'other'].map(async () => {
        const { id } = await addTestOperator(site.people, 'COMPLIANCE');
        return site.logIn(id);
      }),
    );
    const confirm = async (page: Page) => {
      await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL(`${site.origin}/approvals/${approvalId}`);
    };
    await withPage({ javaScriptEnabled: false }, async (page, as) => {
      await as(first ?? '');
      await page.goto(`${site.origin}/`);
      await page.getByRole('link', { name: 'proposal from the command line' }).click();
      await page.getByRole('link', { name: 'Resume a suspended customer' }).click();
      await page.getByRole('link', { name: TAKE_UP.title }).click();
      await page.getByRole('button', { name: 'Take up' }).click();
      await page.getByRole('link', { name: 'Enter a reason.' }).waitFor();
      await page.getByLabel('Reason').fill('the contract is in order again');
      await page.getByRole('button', { name: 'Take up' }).click();
      await confirm(page);
      expect(await page.getByRole('link', { name: APPROVE.title, exact: true }).count()).toBe(0);
      await as(second ?? '');
      await page.reload();
      await page.getByRole('link', { name: APPROVE.title, exact: true }).click();
      await page.getByLabel('Reason').fill('called them');
      await page.getByRole('button', { name: 'Approve' }).click();
      await confirm(page);
      await page.getByText('In effect').first().waitFor();
    });
  });
});
