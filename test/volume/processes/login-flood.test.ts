import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../../src/sandbox/mailbox/read-mail.ts';
import { createSmtpSink } from '../../../src/sandbox/mailbox/smtp-sink.ts';
import { vaultConfig } from '../../../src/server/config/vault-config.ts';
import { createVault } from '../../../src/vault/vault.ts';
import { sizeOf } from '../../support/campaign.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { until } from '../../support/until.ts';
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

const PER_SECOND = 200;
/** Long enough for its pace to be the one that the people meet, before the first of them comes. */
const LEAD_MS = sizeOf(1, 20) * 1_000;
/** Codes an hour that strangers get for an address (src/domain/customers/access/login-code.ts). */
const CODES_OF_STRANGERS = 20;
const ROUNDS = sizeOf(1, 5);
const QUIET_MS = 1_500;

type Browser = ReturnType<typeof createSiteBrowser>;

const { ENCRYPTION_KEYS, PEPPER } = SAMPLE_KEYS;
const vault = createVault(vaultConfig({ encryptionKeys: ENCRYPTION_KEYS, pepper: PEPPER }));
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

let networks = 0;
/** A browser that was never here, in a network that no flood comes from. */
function newBrowser(surface: 'dashboard' | 'console'): Browser {
  networks += 1;
  return createSiteBrowser(siteOf(surface), { 'x-forwarded-for': `198.51.${String(networks)}.1` });
}

const codesTo = (address: string): readonly string[] =>
  mails
    .filter(({ to }) => to === address)
    .flatMap(({ text }) => /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? []);

/** Once no mail of the flood comes any more: its addresses have no code left that a stranger can ask for. */
async function untilNoMailComes(): Promise<void> {
  let seen = -1;
  while (seen !== mails.length) {
    seen = mails.length;
    await pause(QUIET_MS);
  }
}

/** Types the codes that came since, one after the other: a late one of the flood may be among them. */
async function typeCodes(browser: Browser, address: string, before: number): Promise<number> {
  let status = 0;
  for (const code of codesTo(address).slice(before)) {
    if (status === 303) break;
    ({ status } = await browser.sendCode(code));
  }
  return status;
}

async function logInByPasskey(browser: Browser, passkey: PasskeyHolder) {
  const page = await browser.get('/login');
  if (page.status !== 200) return page.status;
  return (await browser.post('/login/passkey', passkey.answer(page.body, '/login/passkey'))).status;
}

/** A browser that its person has logged in with before. */
async function knownBrowser(surface: 'dashboard' | 'console', address: string): Promise<Browser> {
  const browser = newBrowser(surface);
  // What the flood before left of its last second may still be there.
  await until('a code before the flood', async () =>
    (await browser.askForCode(address)).status === 303 ? true : null,
  );
  await until('its mail', () => codesTo(address)[0]);
  expect(await typeCodes(browser, address, 0)).toBe(303);
  browser.cookies.delete(SESSION_COOKIES[surface]);
  return browser;
}

/** Prints how long each took, and keeps what each came to. */
function createTimes() {
  const statuses: Record<string, number> = {};
  const times: string[] = [];
  return {
    statuses,
    print: (head: string) => process.stdout.write(`${head}; ${times.join(', ')}\n`),
    async time(what: string, work: () => Promise<number>): Promise<void> {
      const since = performance.now();
      statuses[what] = await work();
      times.push(`${what} ${String(Math.round(performance.now() - since))} ms`);
    },
  };
}

/** The first number of addresses; each flood has its own, since budgets are of a clock hour. */
let floods = 10;

describe.each([1, 10_000])('a flood of 200 logins a second from %d networks', (count) => {
  it.each([
    ['codes', 'dashboard'],
    ['codes', 'console'],
    ['passkeys', 'console'],
  ] as const)(
    'for %s at the %s keeps no operator out, and no owner with a known browser or a passkey',
    { timeout: 600_000 },
    async (of, flooded) => {
      const [dashboard, console] = [siteOf('dashboard'), siteOf('console')];
      const deps = { people: database.people, vault, clock };
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const owners = await addOwners(deps, customerId, dashboard.origin);
        const operators = await addOperators(deps, console.origin);
        const known = await knownBrowser('dashboard', owners.withDevice.address);
        rounds.push({ owners, operators, known, atDesk: newBrowser('console') });
      }
      const addresses = rounds.flatMap(({ owners, operators }) =>
        flooded === 'dashboard'
          ? [owners.withDevice.address, owners.withPasskey.address]
          : [operators.first.address, operators.second.address],
      );
      const backendPid = (admin as unknown as { readonly processID: number }).processID;
      const { host, port, pid } = siteOf(flooded);

      floods += 1;
      const mailsBefore = mails.length;
      const before = processorUse(pid, backendPid);
      const flood = floodLogins({
        ...{ of, surface: flooded, host, port, addresses },
        ...{ perSecond: PER_SECOND, network: floods, networks: count },
      });
      const times = createTimes();
      await pause(LEAD_MS);
      await untilNoMailComes();
      for (const { owners, operators, known, atDesk } of rounds) {
        const { time } = times;
        await time('operator by passkey', () => logInByPasskey(atDesk, operators.first.passkey));
        await time('operator page', async () => (await atDesk.get('/')).status);
        await time('owner by passkey', () =>
          logInByPasskey(newBrowser('dashboard'), owners.passkey),
        );
        const { address } = owners.withDevice;
        const before = codesTo(address).length;
        await time('owner asks from a known browser', async () => {
          const asked = await known.askForCode(address);
          return asked.status;
        });
        await until('a code', () => codesTo(address)[before]);
        await time('owner by code', () => typeCodes(known, address, before));
        await time('owner page', async () => (await known.get('/test/home')).status);
      }
      const report = await flood.stop();
      const after = processorUse(pid, backendPid);
      const each = (ms: number) => (ms / report.sent).toFixed(2);
      times.print(
        `${String(count)} networks for ${of} at the ${flooded}: ${JSON.stringify(report)}, ` +
          `each ${each(after.siteMs - before.siteMs)} ms of the site's processor, ` +
          `${each(after.postgresMs - before.postgresMs)} ms of PostgreSQL's; ` +
          `load ${loadavg()
            .map((load) => load.toFixed(1))
            .join(' ')}`,
      );
      expect(times.statuses).toEqual({
        'operator by passkey': 303,
        'operator page': 200,
        'owner by passkey': 303,
        'owner asks from a known browser': 303,
        'owner by code': 303,
        'owner page': 200,
      });
      // One more for the known browser before the flood, and one for it meanwhile.
      for (const address of addresses) {
        expect(codesTo(address).length).toBeLessThanOrEqual(CODES_OF_STRANGERS + 2);
      }
      expect(mails.length - mailsBefore).toBeLessThan(
        addresses.length * (CODES_OF_STRANGERS + 3) + 10,
      );
    },
  );
});
