import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertPasskey } from '../../../src/db/customers/passkey-store.ts';
import { OPERATOR_ROLES } from '../../../src/domain/customers/access/operator-rights.ts';
import { rolesWith } from '../../../src/domain/customers/access/rights.ts';
import type { IdPrefix } from '../../../src/domain/ids.ts';
import {
  sameness,
  startDashboard,
  type TestDashboard,
} from '../../support/web/dashboard/dashboard-harness.ts';
import { fixtureFor, PATH_FIXTURES } from '../../support/api/id-fixtures.ts';
import type { Payer } from '../../support/payment-harness.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { sumOfDatabase } from '../../support/whole-database.ts';
import { forgeForm } from '../../support/web/forge-form.ts';
import { pathOf, withRoutes, type RegisteredRoute } from '../../support/web/registered-routes.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { VALID_FIELDS } from '../../support/web/valid-fields.ts';

/** Parameters that are no ids: who knows such a token may use it, and an asset is public. */
const NO_IDS = ['env', 'token', 'hash', 'name'];
const idsOf = ({ params }: RegisteredRoute) => params.filter((name) => !NO_IDS.includes(name));

/** Whose the ids are: a customer in one environment, and one of its users. */
interface Owner {
  readonly payer: Payer;
  readonly userId: string;
}
type Ids = Readonly<Record<string, string>>;
type Make = (owner: Owner, before: Ids) => Promise<string>;

let dashboard: TestDashboard;
let pages: readonly RegisteredRoute[];
let mine: Owner;
let strangers: readonly (readonly [string, Owner])[];

async function newestId(table: string, userId: string): Promise<string> {
  const [row] = await dashboard.harness.rows<{ id: string }>(
    `SELECT id FROM ${table} WHERE user_id = $1 ORDER BY id DESC LIMIT 1`,
    [userId],
  );
  return row?.id ?? '';
}

const ofApi =
  (id: string): Make =>
  ({ payer }) =>
    fixtureFor(PATH_FIXTURES, id, id)(dashboard.harness, payer);

const addKey = ({ payer: { scope } }: Owner) =>
  dashboard.db.system((tx) =>
    addApiKey(tx, dashboard.site.vault, { ...scope, approvedRanges: ['192.0.2.0/24'] }),
  );

/** How to make what an id of a path names; `id` by what stands before it. */
const MAKERS: Readonly<Record<string, readonly [IdPrefix, Make]>> = {
  paymentId: ['pay', ofApi('paymentId')],
  limitId: [
    'lim',
    async ({ payer: { scope } }) => {
      const id = newId('lim');
      await dashboard.harness.rows(
        `INSERT INTO payment_limits (id, customer_id, environment, currency, allowed_beneficiaries_only, set_by, set_at)
         VALUES ($1, $2, $3, 'EUR', false, 'user:usr_1', now())
         ON CONFLICT (customer_id, environment, api_key_id, currency) DO UPDATE SET id = excluded.id`,
        [id, scope.customerId, scope.environment],
      );
      return id;
    },
  ],
  destinationId: [
    'ba',
    async ({ payer: { scope, bankAccountId } }) => {
      await dashboard.harness.rows(
        `INSERT INTO allowed_beneficiaries VALUES ($1, $2, $3, 'user:usr_1', now()) ON CONFLICT DO NOTHING`,
        [scope.customerId, scope.environment, bankAccountId],
      );
      return bankAccountId;
    },
  ],
  depositId: ['dep', ofApi('depositId')],
  depositAddressId: ['da', ofApi('depositAddressId')],
  walletId: ['wal', ofApi('walletId')],
  endUserId: ['eu', async ({ payer }) => payer.endUserId],
  'webhooks/:id': ['whe', ofApi('webhookEndpointId')],
  eventId: ['evt', ofApi('eventId')],
  keyId: ['key', async (owner) => (await addKey(owner)).id],
  addressId: [
    'alw',
    async (owner, { keyId }) => {
      const key = keyId ?? (await addKey(owner)).id;
      const [row] = await dashboard.harness.rows<{ id: string }>(
        'SELECT id FROM api_key_addresses WHERE api_key_id = $1',
        [key],
      );
      return row?.id ?? '';
    },
  ],
  'users/:id': [
    'usr',
    async ({ payer }) =>
      (await addTestUser(dashboard.site.people, payer.scope.customerId, 'DEVELOPER')).id,
  ],
  'sessions/:id': [
    'ses',
    async ({ userId }) => {
      await dashboard.site.logIn(userId);
      return newestId('sessions', userId);
    },
  ],
  'passkeys/:id': [
    'psk',
    async ({ userId, payer }) => {
      const id = newId('psk');
      const passkey = {
        ...{ id, personId: userId, customerId: payer.scope.customerId, counter: 0n },
        ...{ credentialId: randomBytes(32), publicKey: randomBytes(64), transports: [] },
        ...{ browser: 'Firefox on Linux', createdAt: dashboard.clock.now() },
      };
      await dashboard.site.people.people.system((tx) => insertPasskey(tx, passkey));
      return id;
    },
  ],
};

/** Its second version waits for a user. */
async function holdForApproval(paymentId: string): Promise<void> {
  await dashboard.harness.rows(
    `INSERT INTO payment_limit_checks (payment_id, customer_id, environment, currency, amount, reasons, checked_at)
     SELECT id, customer_id, environment, source_currency, source_amount, '{PER_DAY}', now()
     FROM payments WHERE id = $1`,
    [paymentId],
  );
  await dashboard.change(paymentId, { status: 'ON_HOLD', statusDetail: 'CUSTOMER_APPROVAL' });
}

function makerOf({ url, name }: RegisteredRoute, id: string): readonly [IdPrefix, Make] {
  const of = id === 'id' ? (/([a-z-]+)\/:id/.exec(url)?.[1] ?? '') : '';
  const maker = MAKERS[id === 'id' ? `${of}/:id` : id];
  if (maker === undefined) throw new Error(`${name}: MAKERS does not say how to make its ${id}`);
  return maker;
}

beforeAll(async () => {
  const { made, routes } = await withRoutes(() => startDashboard());
  dashboard = made;
  pages = routes.filter((route) => idsOf(route).length > 0);
  const { customerId } = dashboard.payer.scope;
  const addUser = async (customer: string) =>
    (await addTestUser(dashboard.site.people, customer, 'OWNER')).id;
  mine = { payer: dashboard.payer, userId: await addUser(customerId) };
  const stranger = await dashboard.addStranger();
  const live = await dashboard.harness.addPayer({ customerId, environment: 'live' });
  strangers = [
    ['another customer', { payer: stranger, userId: await addUser(stranger.scope.customerId) }],
    ['the other environment, or a colleague', { payer: live, userId: await addUser(customerId) }],
  ];
});
afterAll(() => dashboard.close());

/** Ids of one's own for a route, each made for those before it. */
async function ownIds(route: RegisteredRoute): Promise<Ids> {
  const ids: Record<string, string> = {};
  for (const id of idsOf(route)) ids[id] = await makerOf(route, id)[1](mine, ids);
  return ids;
}

/** Ids that are none of one's own: by parameter, whose they are, and the id. */
const made = new Map<Make, ReadonlyMap<Owner, string>>();
async function foreignIds(route: RegisteredRoute, index: number) {
  const tried: (readonly [string, string, string])[] = [];
  for (const id of idsOf(route)) {
    const [prefix, make] = makerOf(route, id);
    for (const [whose, owner] of strangers) {
      // Users see each other.
      if (route.url.startsWith('/users/') && whose !== 'another customer') continue;
      // Nothing is changed, so one of a kind is enough for all routes.
      const known = made.get(make)?.get(owner) ?? (await make(owner, {}));
      made.set(make, new Map([...(made.get(make) ?? []), [owner, known]]));
      tried.push([id, whose, known]);
    }
    const texts = nothings(prefix);
    const some = [0, 1, 2].map((next) => texts[(3 * index + next) % texts.length] ?? '');
    for (const text of some) tried.push([id, 'no owner', text]);
  }
  return tried;
}

async function ask(site: Site, route: RegisteredRoute, cookie: string, values: Ids) {
  const path = pathOf(route.url, values);
  if (route.method === 'GET') return site.get(path, cookie);
  const surface = site === dashboard.site ? 'dashboard' : 'console';
  const form = await forgeForm(site, surface, cookie, path);
  for (const [name, text] of Object.entries(VALID_FIELDS[route.name] ?? {})) form.set(name, text);
  return site.post(path, form, cookie);
}

/**
 * All that is stored, but that a form was sent (what was answered need not be taken once more), and the log of
 * the API's requests, which is written behind those that made the ids.
 */
async function sumOfData() {
  const {
    'public.form_uses': _uses,
    'public.api_requests': _log,
    ...sums
  } = await sumOfDatabase(dashboard.harness.rows);
  return sums;
}

/** Ids of nothing: of the kind that the route takes, of another kind, and what is no id. A route takes three in turn. */
const nothings = (prefix: IdPrefix): readonly string[] => [
  ...[newId(prefix), 'nonsense', "' OR '1'='1", newId('quo'), '0', '../home'],
  ...[newId(prefix).toUpperCase(), 'é', `${newId(prefix)} `],
];

describe('an id in a path of the dashboard that is not the own', () => {
  it('is tried on every page that takes one', () => {
    expect(pages.length).toBeGreaterThan(25);
    for (const page of pages) for (const id of idsOf(page)) makerOf(page, id);
  });

  it('answers 404, byte for byte that of what never was, and nothing is changed', async () => {
    const { site } = dashboard;
    const own = new Map<RegisteredRoute, Ids>();
    const foreign = new Map<RegisteredRoute, readonly (readonly [string, string, string])[]>();
    for (const [index, route] of pages.entries()) {
      own.set(route, await ownIds(route));
      foreign.set(route, await foreignIds(route, index));
    }
    const cookie = await site.logIn(mine.userId);
    const before = await sumOfData();
    for (const route of pages) {
      const ids = { env: 'test', ...own.get(route) };
      const expectMissing = async (what: string, values: Ids) => {
        const answer = await ask(site, route, cookie, { ...ids, ...values });
        expect([route.name, what, answer.status]).toEqual([route.name, what, 404]);
        expect([route.name, what, sameness(answer)]).toEqual([route.name, what, missing]);
      };
      const [first = ''] = idsOf(route);
      const nothing = { ...ids, [first]: newId(makerOf(route, first)[0]) };
      const missing = sameness(await ask(site, route, cookie, nothing));
      for (const [id, whose, value] of foreign.get(route) ?? []) {
        await expectMissing(`${id} of ${whose}: ${value}`, { [id]: value });
      }
      if (!route.params.includes('env')) continue;
      await expectMissing('one’s own, where it is not', { env: 'live' });
      await expectMissing('one’s own, in no environment', { env: 'moon' });
    }
    expect(await sumOfData()).toEqual(before);
    // The same requests about one's own are let in: it was the id alone that was refused.
    for (const route of pages) {
      const fresh = await site.logIn(mine.userId);
      const ids: Ids = { env: 'test', ...own.get(route) };
      if (route.url.includes('/sessions/')) Object.assign(ids, await ownIds(route));
      if (/\/(approve|decline)$/.test(route.url)) await holdForApproval(ids['paymentId'] ?? '');
      const answer = await ask(site, route, fresh, ids);
      expect([200, 201, 303], `${route.name}: ${String(answer.status)}`).toContain(answer.status);
      expect(answer.headers.location ?? '').not.toMatch(/^\/login/);
    }
  });
});

describe('an id in a path of the console that nothing has', () => {
  it('answers one 404, whatever it is, and nothing is changed', async () => {
    const { made: site, routes } = await withRoutes(() => startSite('console'));
    try {
      const cookies = new Map<string, string>();
      for (const role of OPERATOR_ROLES) {
        cookies.set(role, await site.logIn((await addTestOperator(site.people, role)).id));
      }
      await site.database.db.system((tx) => addCustomer(tx));
      const asked = routes.filter((route) => idsOf(route).length > 0);
      expect(asked.length).toBeGreaterThan(40);
      const values = [newId('usr'), newId('pay'), newId('apr'), 'nonsense', '0', "' OR ''='"];
      for (const [index, route] of asked.entries()) {
        const [id = ''] = idsOf(route);
        const roles = rolesWith('console', route.right) ?? OPERATOR_ROLES;
        const cookie = cookies.get(roles[index % roles.length] ?? '') ?? '';
        const answers = [];
        // One that could be there, and one that is no id.
        for (const value of [values[index % 3] ?? '', values[3 + (index % 3)] ?? '']) {
          const answer = await ask(site, route, cookie, { [id]: value });
          expect([route.name, value, answer.status]).toEqual([route.name, value, 404]);
          answers.push(sameness(answer));
        }
        expect([route.name, answers[1]]).toEqual([route.name, answers[0]]);
      }
    } finally {
      await site.close();
    }
  });
});
