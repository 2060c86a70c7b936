import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applied,
  createReturnsDesk,
  type ReturnsDesk,
} from '../../support/reconciliation/returns-desk.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const STATEMENTS_MAX = 12;

let desk: ReturnsDesk;
let site: Site;
let ada: string;
beforeAll(async () => {
  desk = await createReturnsDesk(61_000);
  site = await startSite('console', { on: { database: desk, clock: desk.clock } });
  ada = await site.logIn((await addTestOperator(site.people, 'OPERATIONS')).id);
});
afterAll(async () => {
  await site.close();
  await desk.close();
});
const browser = useBrowser();

const pathOf = (creditId: string) => `/reconciliation/credits/${creditId}`;

/** The acts that a page offers, the recommended one first. */
async function offered(
  creditId: string,
): Promise<{ readonly acts: string[]; readonly body: string }> {
  const before = site.statements();
  const { status, body } = await site.get(pathOf(creditId), ada);
  expect(status).toBe(200);
  expect(site.statements() - before).toBeLessThanOrEqual(STATEMENTS_MAX);
  const hrefs = [...body.matchAll(/href="\/reconciliation\/[^"]*\/([a-z]+)"/g)];
  return { acts: hrefs.map(([, act = '']) => act), body };
}

/** A credit in suspense that the first report does not mark as a return, and a later one does. */
async function markedLater(): Promise<string> {
  const { returnReason, ...entry } = desk.marked();
  const creditId = await desk.creditOf(await desk.shows(entry, 'INTRADAY'));
  expect(await desk.creditOf(await desk.shows({ ...entry, returnReason }))).toBe(creditId);
  return creditId;
}

/** A credit that another report shows as the return of a payment. */
async function shownAsReturn(): Promise<string> {
  const amount = desk.newAmount();
  const { reference } = await desk.paid(amount);
  const entry = desk.marked({ amount });
  const creditId = await desk.creditOf(await desk.shows(entry, 'INTRADAY'));
  await desk.shows({ ...entry, reference });
  return creditId;
}

async function writtenOff(): Promise<string> {
  const ref = await desk.shows(desk.marked());
  await desk.done(...applied(ref, 'WRITE_OFF', '--account', 'GOODWILL'));
  return desk.creditOf(ref);
}

describe('the page of a credit', () => {
  it('recommends the act about a return, on whichever report the bank marks it', async () => {
    expect((await offered(await markedLater())).acts).toEqual(['act', 'assign', 'close']);
  });

  it('offers no assignment that the database would refuse, and says which line closes the credit', async () => {
    const { acts, body } = await offered(await shownAsReturn());
    expect(acts).toEqual(['close']);
    expect(body).toContain('Close the credit by that line.');
  });

  it('says that the credit is written off, and offers to reverse that', async () => {
    const { acts, body } = await offered(await writtenOff());
    expect(acts).toEqual(['reverse']);
    expect(body).toContain('Written off');
  });

  it('passes axe and the policy in both themes, wide and narrow', async () => {
    const context = await browser().newContext();
    const [name = '', value = ''] = ada.split('=', 2);
    const { hostname } = new URL(site.origin);
    await context.addCookies([
      { name, value, domain: hostname, path: '/', secure: true, httpOnly: true },
    ]);
    const page = await context.newPage();
    const { problems } = await watch(page);
    for (const state of [markedLater, shownAsReturn, writtenOff]) {
      await page.goto(site.origin + pathOf(await state()));
      await look(page, `credit-${state.name}`);
    }
    expect(problems).toEqual([]);
    await context.close();
  });
});
