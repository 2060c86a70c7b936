import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { sizeOf } from '../../support/campaign.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { floodLogins } from '../../support/web/flood-logins.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const PER_SECOND = sizeOf(60, 200);
const FLOOD_MS = sizeOf(6, 60) * 1_000;
const HOUR_MS = 3_600_000;
/** A person who is told to come again in a moment does so. */
const TRIES = 8;

let database: TestDatabase;
const clock = createTestClock();
/** Both surfaces over the pool of one process. */
const sites: Partial<Record<'dashboard' | 'console', Site>> = {};
beforeAll(async () => {
  database = await createTestDatabase();
  for (const surface of ['dashboard', 'console'] as const) {
    sites[surface] = await startSite(surface, {
      ...{ trustedProxies: ['127.0.0.1/32'], on: { database, clock } },
    });
  }
});
afterAll(async () => {
  await Promise.all(Object.values(sites).map((site) => site.close()));
  await database.close();
});

function siteOf(surface: 'dashboard' | 'console'): Site {
  const site = sites[surface];
  if (site === undefined) throw new Error(`the ${surface} has not started`);
  return site;
}

/** In whole ms. */
async function timed<Result>(work: () => Promise<Result>) {
  const since = performance.now();
  const result = await work();
  return { result, ms: Math.round(performance.now() - since) };
}

async function logIn(site: Site, browser: ReturnType<typeof createSiteBrowser>, address: string) {
  for (let tried = 1; ; tried += 1) {
    const status = await tryLogIn(site, browser, address).catch(() => 503);
    if (status === 303 || tried === TRIES) return status;
    await setTimeout(1_000);
  }
}

async function tryLogIn(
  site: Site,
  browser: ReturnType<typeof createSiteBrowser>,
  address: string,
): Promise<number> {
  const { status } = await browser.askForCode(address);
  if (status !== 303) return status;
  // The flood's own mails came with its first requests: its address has no code left.
  const { code } = await site.lastMail();
  return (await browser.sendCode(code)).status;
}

describe.each([1, 10_000])('a flood of logins from %d networks', (networks) => {
  it.each(['dashboard', 'console'] as const)(
    'at the %s keep no operator out, and no owner with a known device',
    async (flooded) => {
      clock.advance(25 * HOUR_MS);
      // What the flood before left of its last second is over.
      await setTimeout(1_500);
      const [dashboard, console] = [siteOf('dashboard'), siteOf('console')];
      const customerId = await database.db.system((tx) => addCustomer(tx));
      const owner = await addTestUser(dashboard.people, customerId, 'OWNER');
      const operator = await addTestOperator(console.people, 'OPERATIONS');
      const atHome = createSiteBrowser(dashboard, { 'x-forwarded-for': '198.51.100.1' });
      expect(await logIn(dashboard, atHome, owner.address)).toBe(303);
      atHome.cookies.delete(SESSION_COOKIES.dashboard);
      const atWork = createSiteBrowser(console, { 'x-forwarded-for': '198.51.101.1' });
      expect(await logIn(console, atWork, operator.address)).toBe(303);
      atWork.cookies.delete(SESSION_COOKIES.console);

      const another = await addTestOperator(console.people, 'SUPPORT');
      const { address } = flooded === 'dashboard' ? owner : another;

      const before = process.cpuUsage();
      const flood = floodLogins(siteOf(flooded), flooded, {
        ...{ perSecond: PER_SECOND, networks, address },
      });
      await setTimeout(FLOOD_MS / 2);
      const login = await timed(() => logIn(console, atWork, operator.address));
      const page = await timed(() => atWork.get('/'));
      const own = await timed(() => logIn(dashboard, atHome, owner.address));
      await setTimeout(FLOOD_MS / 2);
      const { sent, perSecond, answers } = await flood.stop();
      const { user, system } = process.cpuUsage(before);
      const cpuMs = ((user + system) / 1_000 / sent).toFixed(1);
      process.stdout.write(
        `${String(networks)} networks at the ${flooded}: ${String(sent)} sent, ${String(perSecond)} a second, ` +
          `${cpuMs} ms of processor each with its sender, ` +
          `answers ${JSON.stringify(answers)}; operator in ${String(login.ms)} ms, page ${String(page.ms)} ms, ` +
          `owner in ${String(own.ms)} ms\n`,
      );
      expect([login.result, page.result.status, own.result]).toEqual([303, 200, 303]);
    },
  );
});
