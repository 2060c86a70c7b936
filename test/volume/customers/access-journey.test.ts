import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { watch } from '../../support/web/open-browser.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import { payInTest } from '../../support/e2e/journey/first-payment.ts';
import { expectNothingLeaked } from '../../support/e2e/journey/expect-nothing-leaked.ts';
import { getIn } from '../../support/e2e/journey/get-in.ts';
import { goLive } from '../../support/e2e/journey/go-live.ts';
import { payLive } from '../../support/e2e/journey/live-payment.ts';
import { look, weigh } from '../../support/web/look.ts';
import { openMailbox } from '../../support/e2e/journey/mailbox.ts';
import type { Person } from '../../support/e2e/journey/people.ts';
import { withKeyboard, withPointer, type Visitor } from '../../support/e2e/journey/visitor.ts';
import { seeEveryPage } from '../../support/e2e/journey/every-page.ts';
import { openStack } from '../../support/e2e/stack.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const stack = openStack();
let sharedMailbox: ReturnType<typeof openMailbox> | undefined;
beforeAll(async () => {
  await stack.untilReady();
});
const browser = useBrowser();

/** Three people with a browser each; answers what their pages reported and whom they asked. */
async function openPeople(
  company: string,
  options: BrowserContextOptions,
  visit: (page: Visitor['page']) => Visitor,
) {
  const { dashboardUrl, opsUrl, mailboxUrl, logins } = stack.state();
  // One for all tests: a code that was read is not taken for the next one.
  const mailbox = (sharedMailbox ??= openMailbox(mailboxUrl));
  const operators = logins.operators.filter((address) => address.startsWith('compliance'));
  const seen: { problems: string[]; asked: string[] }[] = [];
  const close: (() => Promise<void>)[] = [];
  async function open(address: string, origin: string): Promise<Person> {
    const context = await browser().newContext({ locale: 'en-US', ...options });
    close.push(() => context.close());
    const page = await context.newPage();
    seen.push(await watch(page));
    return { visitor: visit(page), address, origin, mailbox };
  }
  return {
    owner: await open(`owner@${company.toLowerCase().replaceAll(' ', '-')}.example`, dashboardUrl),
    first: await open(operators[0] ?? '', opsUrl),
    second: await open(operators[1] ?? '', opsUrl),
    seen,
    origins: [dashboardUrl, opsUrl],
    close: async () => {
      for (const one of close) await one();
    },
  };
}

it('a company gets from the public form to a live payment, by keyboard alone, on pages that axe and their policy find nothing wrong with', async () => {
  const company = 'Keyboard Sample';
  const people = await openPeople(
    company,
    { viewport: { width: 1280, height: 860 } },
    withKeyboard,
  );
  const receiver = await startReceiver();
  try {
    const looked: string[] = [];
    const lookAndNote = (page: Page, name: string) => {
      looked.push(new URL(page.url()).pathname);
      return look(page, name);
    };
    const noted = { look: lookAndNote, looked, shown: [] };
    const journey = { stack, company, ...people, receiver, ...noted, isFresh: true };
    await getIn(journey);
    await weigh(journey.owner.visitor.page);
    await payInTest(journey);
    await goLive(journey);
    const paid = await payLive(journey);
    const link = /\/[\w-]{43}$/;
    const given = (sharedMailbox?.given ?? []).map((one) => link.exec(one)?.[0].slice(1) ?? one);
    const { address } = journey.owner;
    const personal = [
      address,
      'Sam Sample',
      'HRB 000000',
      'Robin Sample',
      '1980-01-31',
      '1 Sample Street',
    ];
    await expectNothingLeaked(stack, [...personal, ...given, ...journey.shown], paid);
    await seeEveryPage(journey);
    const asked = people.seen.flatMap((one) => one.asked);
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((url) => !people.origins.includes(new URL(url).origin))).toEqual([]);
    // Chromium tells of a form that came back with status 422; of nothing else.
    const problems = people.seen.flatMap((one) => one.problems);
    expect(problems.filter((line) => !line.includes('status of 422'))).toEqual([]);
  } finally {
    await receiver.close();
    await people.close();
  }
}, 600_000);

it('the same without JavaScript', async () => {
  const company = 'Pointer Sample';
  const people = await openPeople(
    company,
    { javaScriptEnabled: false, colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    withPointer,
  );
  const receiver = await startReceiver();
  try {
    const unseen = () => Promise.resolve();
    const noted = { look: unseen, looked: [], shown: [] };
    const journey = { stack, company, ...people, receiver, ...noted, isFresh: false };
    await getIn(journey);
    await payInTest(journey);
    await goLive(journey);
    await payLive(journey);
  } finally {
    await receiver.close();
    await people.close();
  }
}, 300_000);
