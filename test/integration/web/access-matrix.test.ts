import type { OutgoingHttpHeaders } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishLiveTerms } from '../../../src/modules/customers/live/live-terms.ts';
import { OPERATOR_ROLES } from '../../../src/domain/customers/access/operator-rights.ts';
import {
  rolesWith,
  takesStepUp,
  type Surface,
} from '../../../src/domain/customers/access/rights.ts';
import { USER_ROLES } from '../../../src/domain/customers/access/user-rights.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { documentedOperations } from '../../support/api/documented-operations.ts';
import { createTestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser, logIn } from '../../support/test-people.ts';
import { sumOfDatabase } from '../../support/whole-database.ts';
import { CONSOLE_ACCESS, DASHBOARD_ACCESS, type Access } from '../../support/web/access-table.ts';
import { forgeForm } from '../../support/web/forge-form.ts';
import { pathOf, withRoutes, type RegisteredRoute } from '../../support/web/registered-routes.ts';
import { startOidcProvider } from '../../support/web/oidc-provider.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { VALID_FIELDS } from '../../support/web/valid-fields.ts';

const TABLES: Readonly<Record<Surface, Readonly<Record<string, Access<string>>>>> = {
  dashboard: DASHBOARD_ACCESS,
  console: CONSOLE_ACCESS,
};
const ROLES: Readonly<Record<Surface, readonly string[]>> = {
  dashboard: USER_ROLES,
  console: OPERATOR_ROLES,
};

/** Ids in their right form that nothing has: a person with the right is told that there is nothing. */
const NOTHING = {
  ...{ env: 'test', hash: 'none', name: 'none', token: 'A'.repeat(43) },
  ...{ paymentId: newId('pay'), endUserId: newId('eu'), keyId: newId('key') },
  ...{ addressId: newId('alw'), eventId: newId('evt'), id: newId('usr') },
  ...{ depositId: newId('dep'), depositAddressId: newId('da'), walletId: newId('wal') },
  ...{ limitId: newId('lim'), destinationId: newId('ba') },
};

/** A browser without a login, as a page of ours has marked it. */
const VISITOR = `__Host-visitor=${'V'.repeat(43)}`;

const rowOf = (surface: Surface, { name }: RegisteredRoute): Access<string> => {
  const row = TABLES[surface][name];
  if (row === undefined)
    throw new Error(`${name}: test/support/web/access-table.ts has no row for it`);
  return row;
};

describe.each(['dashboard', 'console'] as const)('every route of the %s', (surface) => {
  let oidc: Awaited<ReturnType<typeof startOidcProvider>>;
  let site: Site;
  let routes: readonly RegisteredRoute[];
  let people: Readonly<Record<string, string>>;
  let cookies: Readonly<Record<string, string>>;
  let admin: pg.Client;
  const rows = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    (await admin.query<Row & pg.QueryResultRow>(sql, [...values])).rows as Row[];

  beforeAll(async () => {
    oidc = await startOidcProvider(new Map());
    const { made, routes: registered } = await withRoutes(() =>
      startSite(surface, { provider: (url) => oidc.createLogin(url) }),
    );
    site = made;
    routes = registered;
    admin = new pg.Client({ connectionString: site.database.url });
    await admin.connect();
    const customerId = await site.database.db.system((tx) => addCustomer(tx));
    const { people: db, clock } = site.people;
    const publisher = { operator: 'a test', reason: 'a test' };
    await publishLiveTerms({ db, clock }, 'Sample terms.', publisher);
    const added = ROLES[surface].map(async (role) => {
      const { id } = await (surface === 'dashboard'
        ? addTestUser(site.people, customerId, role as 'OWNER')
        : addTestOperator(site.people, role as 'ADMIN'));
      return [role, id, await site.logIn(id)] as const;
    });
    const all = await Promise.all(added);
    people = Object.fromEntries(all.map(([role, id]) => [role, id]));
    cookies = Object.fromEntries(all.map(([role, , cookie]) => [role, cookie]));
  });
  afterAll(async () => {
    await admin.end();
    await site.close();
    await oidc.close();
  });

  /** Asks as a browser does; a POST has a form that the surface made for that session and path. */
  async function ask({ name, method, url }: RegisteredRoute, cookie: string) {
    const path = pathOf(url, NOTHING);
    if (method === 'GET') return site.get(path, cookie);
    const form = await forgeForm(site, surface, cookie, path);
    for (const [field, text] of Object.entries(VALID_FIELDS[name] ?? {})) form.set(field, text);
    return site.post(path, form, cookie);
  }

  const askWith = ({ method, url }: RegisteredRoute, headers: OutgoingHttpHeaders) =>
    site.ask(
      pathOf(url, NOTHING),
      {
        ...{ origin: site.origin, 'sec-fetch-site': 'same-origin', ...headers },
        'content-type': 'application/x-www-form-urlencoded',
      },
      method === 'POST' ? 'form=none' : undefined,
    );

  it('has one row of the table, and every row a route', () => {
    expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(TABLES[surface]).sort());
  });

  it('takes a proof of each act exactly where the table says so', () => {
    const differing = routes.filter(
      (route) => takesStepUp(surface, route.right) !== rowOf(surface, route).takesStepUp,
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  it('lets in the roles that the table lets in, and refuses every other one, by the right that it names', () => {
    for (const route of routes) {
      const { roles } = rowOf(surface, route);
      const named =
        route.right === 'public' || route.right === 'any-person'
          ? route.right
          : rolesWith(surface, route.right);
      const isOfAll = named === 'any-person' && roles.length === ROLES[surface].length;
      expect([route.name, isOfAll ? roles : named]).toEqual([route.name, roles]);
    }
  });

  // The hook judges each right and role alike, and test/integration/web/rights.test.ts shows it of each.
  it('refuses a role that the table does not let in, and nothing is changed', async () => {
    const before = await sumOfDatabase(rows);
    const refused = new Set<string>();
    for (const [index, route] of routes.entries()) {
      const { roles } = rowOf(surface, route);
      if (roles === 'public') continue;
      const others = ROLES[surface].filter((one) => !roles.includes(one));
      const role = others[index % others.length];
      if (role === undefined) continue;
      const answer = await ask(route, cookies[role] ?? '');
      expect([answer.status, route.name, role]).toEqual([403, route.name, role]);
      // It names the roles that have the right, and no other one.
      const said = ROLES[surface].filter((one) => answer.body.includes(one.toLowerCase()));
      expect([route.name, said]).toEqual([route.name, roles]);
      refused.add(route.name).add(role);
    }
    expect(refused.size).toBeGreaterThan(30);
    expect([...refused]).toEqual(expect.arrayContaining(ROLES[surface].slice(1)));
    expect(await sumOfDatabase(rows)).toEqual(before);
  });

  it('lets in a role that the table lets in', async () => {
    for (const [index, route] of routes.entries()) {
      const { roles } = rowOf(surface, route);
      const role = roles === 'public' ? 'visitor' : (roles[index % roles.length] ?? '');
      // A session of its own: some of these end it.
      const cookie = roles === 'public' ? VISITOR : await site.logIn(people[role] ?? '');
      const { status, headers } = await ask(route, cookie);
      const what = `${route.name} ${role}: ${String(status)}`;
      expect(headers.location ?? '', what).not.toMatch(/^\/login\?/);
      const isOfOne = route.params.some((name) => name !== 'env');
      expect(isOfOne ? [404] : [200, 303, 409, 422], what).toContain(status);
    }
  });

  it('sends to the login who has another surface’s session, or a key, and changes nothing', async () => {
    const other = surface === 'dashboard' ? 'console' : 'dashboard';
    const customerId = await site.database.db.system((tx) => addCustomer(tx));
    const person =
      other === 'dashboard'
        ? await addTestUser(site.people, customerId, 'OWNER')
        : await addTestOperator(site.people, 'ADMIN');
    const foreign = await logIn(site.people, other, person.id);
    const token = foreign.slice(foreign.indexOf('=') + 1);
    const key = await site.database.db.system((tx) => addApiKey(tx, site.vault, { customerId }));
    const own = SESSION_COOKIES[surface];
    const before = await sumOfDatabase(rows);
    const tried = [
      { cookie: foreign },
      { cookie: `${own}=${token}; ${foreign}` },
      { cookie: `${own}=${key.token}` },
      { authorization: `Bearer ${key.token}` },
      { authorization: `Bearer ${token}` },
    ];
    const closed = routes.filter((one) => rowOf(surface, one).roles !== 'public');
    for (const [index, route] of closed.entries()) {
      const headers = tried[index % tried.length] ?? {};
      const answer = await askWith(route, headers);
      expect([route.name, answer.status], JSON.stringify(Object.keys(headers))).toEqual([
        ...[route.name, 303],
      ]);
      expect(answer.headers.location).toMatch(/^\/login(\?|$)/);
    }
    expect(await sumOfDatabase(rows)).toEqual(before);
  });
});

describe('every operation of the API', () => {
  it('takes no session, of either surface, in the place of a key', async () => {
    const harness = await createTestApp();
    try {
      const { vault, clock, database } = harness;
      const deps = { people: database.people, vault, clock };
      const tokens = [
        await logIn(
          deps,
          'dashboard',
          (await addTestUser(deps, harness.scope.customerId, 'OWNER')).id,
        ),
        await logIn(deps, 'console', (await addTestOperator(deps, 'ADMIN')).id),
      ].map((cookie) => [cookie, cookie.slice(cookie.indexOf('=') + 1)] as const);
      const tried = tokens.flatMap(([cookie, token]) => [
        { cookie },
        { authorization: `Bearer ${token}` },
      ]);
      const operations = (await documentedOperations()).filter(({ isPublic }) => !isPublic);
      expect(operations.length).toBeGreaterThan(20);
      for (const [index, { method, path, name, sampleBody }] of operations.entries()) {
        const answer = await harness.app.inject({
          ...{ method, url: path.replace(/\{[^}]+\}/g, NOTHING.paymentId) },
          headers: { ...tried[index % tried.length], 'idempotency-key': newId('req') },
          ...(sampleBody === undefined ? {} : { payload: sampleBody }),
        });
        expect([name, answer.statusCode]).toEqual([name, 401]);
      }
    } finally {
      await harness.close();
    }
  });
});
