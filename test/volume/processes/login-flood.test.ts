import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../../src/sandbox/mailbox/read-mail.ts';
import { createSmtpSink } from '../../../src/sandbox/mailbox/smtp-sink.ts';
import { vaultConfig } from '../../../src/server/config/vault-config.ts';
import { openVault } from '../../../src/server/runtime/open-vault.ts';
import { sizeOf } from '../../support/campaign.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { until } from '../../support/until.ts';
import type { FloodOrder } from '../../support/web/flood/flood-order.ts';
import { floodLogins } from '../../support/web/flood/flood-logins.ts';
import { addOperators, addOwners } from '../../support/web/flood/people-of-flood.ts';
import { processorUse } from '../../support/web/flood/processor-use.ts';
import {
  startSurfaceProcess,
  type SurfaceProcess,
} from '../../support/web/flood/surface-process.ts';
import type { PasskeyHolder } from '../../support/web/passkey-holder.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import type { SiteAnswer } from '../../support/web/site-client.ts';

const PER_SECOND = 200;
/** Long enough for its pace to be the one that the people meet, before the first of them comes. */
const LEAD_MS = sizeOf(1, 20) * 1_000;
/** Codes an hour that strangers get for an address (src/domain/customers/access/login-code.ts). */
const CODES_OF_STRANGERS = 20;
const ROUNDS = sizeOf(1, 5);
const QUIET_MS = 1_500;

type Browser = ReturnType<typeof createSiteBrowser>;

const { ENCRYPTION_KEYS, PEPPER } = SAMPLE_KEYS;
const vault = await openVault(vaultConfig({ encryptionKeys: ENCRYPTION_KEYS, pepper: PEPPER }));
const clock = { now: () => new Date() };
const mails: { readonly to: string; readonly text: string }[] = [];
const sink = createSmtpSink(
  async (bytes, envelope) => {
    const { text } = await readMail(bytes, envelope, clock.now());
    mails.push({ to: envelope.to.join(), text });
  },
  { info: () => undefined, warn: () => undefined },
);

let database: TestDatabase;
let admin: pg.Client;
let customerId: string;
const sites: Partial<Record<'dashboard' | 'console', SurfaceProcess>> = {};
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  customerId = await database.db.system((tx) => addCustomer(tx));
  const env = {
    ...{ ...SAMPLE_KEYS, DATABASE_URL: database.url, LOG_LEVEL: 'info', OPS_PASSKEY: 'software' },
    // Nothing listens there: mails are sent by the processes that wrote them.
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(await sink.listen(0)), SMTP_TLS: 'NONE' },
    MAIL_FROM: 'Causeway <no-reply@causeway.example>',
  };
  for (const surface of ['dashboard', 'console'] as const) {
    sites[surface] = await startSurfaceProcess(surface, env);
  }
});
afterAll(async () => {
  await Promise.all(Object.values(sites).map((site) => site.stop()));
  await sink.close();
  await admin.end();
  await database.close();
});

function siteOf(surface: 'dashboard' | 'console'): SurfaceProcess {
  const site = sites[surface];
  if (site === undefined) throw new Error(`the ${surface} has not started`);
  return site;
}

const backendPid = () => (admin as unknown as { readonly processID: number }).processID;

let networks = 0;
/** A browser that was never here, in a network that no flood comes from. */
function newBrowser(surface: 'dashboard' | 'console'): Browser {
  networks += 1;
  return createSiteBrowser(siteOf(surface), {
    'x-forwarded-for': `198.${String(18 + (networks >> 8))}.${String(networks & 255)}.1`,
  });
}

const codesTo = (address: string): readonly string[] =>
  mails
    .filter(({ to }) => to === address)
    .flatMap(({ text }) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? []);

/** Mails come late: the processes first wait for a Temporal that is not there. That is no part of the flood. */
async function untilMailsAreSent(): Promise<void> {
  await until('mails that are sent', async () => {
    const { rowCount } = await admin.query(`SELECT FROM mails WHERE status = 'WAITING'`);
    return rowCount === 0 ? true : null;
  });
}

/** Once the flood writes no mail any more: its addresses have no code left that a stranger can ask for. */
async function untilNoMailComes(): Promise<void> {
  let seen = -1;
  while (seen !== mails.length) {
    seen = mails.length;
    await pause(QUIET_MS);
    await untilMailsAreSent();
  }
}

/** Types the codes that came since, the last one first: one of the flood may be among them. */
async function typeCodes(browser: Browser, address: string, before: number): Promise<SiteAnswer> {
  for (const code of codesTo(address).slice(before).reverse()) {
    const answer = await browser.sendCode(code);
    if (answer.status !== 422) return answer;
  }
  throw new Error(`no code for ${address} was right`);
}

async function showPasskey(
  browser: Browser,
  page: SiteAnswer,
  action: string,
  passkey: PasskeyHolder,
): Promise<number> {
  if (page.status !== 200) return page.status;
  return (await browser.post(action, passkey.answer(page.body, action))).status;
}

const logInByPasskey = async (browser: Browser, passkey: PasskeyHolder): Promise<number> =>
  showPasskey(browser, await browser.get('/login'), '/login/passkey', passkey);

/** A browser that its person has logged in with before. */
async function knownBrowser(surface: 'dashboard' | 'console', address: string): Promise<Browser> {
  const browser = newBrowser(surface);
  // What the flood before left of its last second may still be there.
  await until('a code before the flood', async () =>
    (await browser.askForCode(address)).status === 303 ? true : null,
  );
  await untilMailsAreSent();
  expect((await typeCodes(browser, address, 0)).status).toBe(303);
  browser.cookies.delete(SESSION_COOKIES[surface]);
  return browser;
}

/** What each act came to, and how long it took at the most. */
function createTimes() {
  const statuses: Record<string, number[]> = {};
  const longestMs: Record<string, number> = {};
  return {
    statuses,
    text: () => JSON.stringify(longestMs),
    async time(what: string, work: () => Promise<number>): Promise<void> {
      const since = performance.now();
      const status = await work();
      const tookMs = Math.round(performance.now() - since);
      longestMs[what] = Math.max(longestMs[what] ?? 0, tookMs);
      statuses[what] = [...new Set([...(statuses[what] ?? []), status])];
    },
  };
}

/** Two owners and two operators: one of each in a browser that is known, one with a passkey in a new browser. */
async function bringPeople() {
  const deps = { people: database.people, vault, clock };
  const owners = await addOwners(deps, customerId, siteOf('dashboard').origin);
  const operators = await addOperators(deps, siteOf('console').origin);
  const atHome = await knownBrowser('dashboard', owners.first.address);
  const atDesk = await knownBrowser('console', operators.first.address);
  // Operators have one: it is asked for after the code.
  const firstPasskey = await operators.giveFirst();
  return { owners, operators, atHome, atDesk, firstPasskey };
}

type People = Awaited<ReturnType<typeof bringPeople>>;

/** Each logs in and reads a page. No answer is asked for twice. */
async function logInAll(people: People, { time }: ReturnType<typeof createTimes>): Promise<void> {
  const { owners, operators, atHome, atDesk, firstPasskey } = people;
  const [elsewhere, onTheRoad] = [newBrowser('console'), newBrowser('dashboard')];
  await time('operator by passkey', () => logInByPasskey(elsewhere, operators.second.passkey));
  await time('operator page', async () => (await elsewhere.get('/')).status);
  await time('owner by passkey', () => logInByPasskey(onTheRoad, owners.second.passkey));
  await time('owner page', async () => (await onTheRoad.get('/test/home')).status);

  const askForCode = async (who: string, browser: Browser, address: string) => {
    const before = codesTo(address).length;
    await time(`known ${who} asks`, async () => (await browser.askForCode(address)).status);
    await untilMailsAreSent();
    return before;
  };
  const operatorsBefore = await askForCode('operator', atDesk, operators.first.address);
  await time('known operator by code and passkey', async () => {
    const page = await typeCodes(atDesk, operators.first.address, operatorsBefore);
    return showPasskey(atDesk, page, '/login/code', firstPasskey);
  });
  await time('known operator page', async () => (await atDesk.get('/')).status);
  const ownersBefore = await askForCode('owner', atHome, owners.first.address);
  await time('known owner by code', async () => {
    return (await typeCodes(atHome, owners.first.address, ownersBefore)).status;
  });
  await time('known owner page', async () => (await atHome.get('/test/home')).status);
}

const KNOWN_ARE_IN = {
  'known operator asks': [303],
  'known operator by code and passkey': [303],
  'known operator page': [200],
  'known owner asks': [303],
  'known owner by code': [303],
  'known owner page': [200],
};
const ALL_ARE_IN = {
  ...KNOWN_ARE_IN,
  'operator by passkey': [303],
  'operator page': [200],
  'owner by passkey': [303],
  'owner page': [200],
};

/** The first number of addresses; each flood has its own, since budgets are of a clock hour. */
let floods = 10;

/** Floods the addresses of all who log in there meanwhile, and prints what it took. What each of them came to. */
async function logInDuring(
  of: FloodOrder['of'],
  flooded: 'dashboard' | 'console',
  networksOfFlood: number,
) {
  const groups: People[] = [];
  for (let round = 0; round < ROUNDS; round += 1) groups.push(await bringPeople());
  const addresses = groups
    .map(({ owners, operators }) => (flooded === 'dashboard' ? owners : operators))
    .flatMap(({ first, second }) => [first.address, second.address]);
  const { host, port, pid } = siteOf(flooded);

  floods += 1;
  const mailsBefore = mails.length;
  const usedBefore = processorUse(pid, backendPid());
  const flood = floodLogins({
    ...{ of, surface: flooded, host, port, addresses },
    ...{ perSecond: PER_SECOND, network: floods, networks: networksOfFlood },
  });
  try {
    const times = createTimes();
    await pause(LEAD_MS);
    await untilNoMailComes();
    for (const people of groups) await logInAll(people, times);
    const report = await flood.stop();
    const used = processorUse(pid, backendPid());
    const each = (ms: number) => (ms / report.sent).toFixed(2);
    process.stdout.write(
      `${String(networksOfFlood)} networks for ${of} at the ${flooded}: ${JSON.stringify(report)}, ` +
        `each ${each(used.siteMs - usedBefore.siteMs)} ms of the site's processor and ` +
        `${each(used.postgresMs - usedBefore.postgresMs)} ms of PostgreSQL's; ` +
        `load ${loadavg()[0]?.toFixed(1) ?? ''}; ms at the most ${times.text()}\n`,
    );
    const codes = addresses.map((address) => codesTo(address).length);
    return { statuses: times.statuses, codes, mails: mails.length - mailsBefore };
  } finally {
    flood.kill();
  }
}

describe.each([1, 10_000])('a flood of 200 logins a second from %d networks', (count) => {
  it.each(['dashboard', 'console'] as const)(
    'at the %s keeps no operator out, and no owner with a known browser or a passkey',
    { timeout: 600_000 },
    async (flooded) => {
      const { statuses, codes, mails: sent } = await logInDuring('codes', flooded, count);
      expect(statuses).toEqual(ALL_ARE_IN);
      // Two more where the owner or the operator asked, before the flood and meanwhile.
      expect(Math.max(...codes)).toBeLessThanOrEqual(CODES_OF_STRANGERS + 2);
      // Beside codes, each login from a new browser is told to its person. Nobody else gets a mail.
      expect(sent).toBeLessThanOrEqual(codes.length * CODES_OF_STRANGERS + 2 * 4 * ROUNDS);
    },
  );

  // A new browser has room for its passkey while there are less than 240 a second: more come at once after a stall.
  it(
    'with made-up passkeys keeps out no operator and no owner with a known browser',
    { timeout: 600_000 },
    async () => {
      const { statuses } = await logInDuring('passkeys', 'console', count);
      expect(statuses).toMatchObject(KNOWN_ARE_IN);
    },
  );
});
