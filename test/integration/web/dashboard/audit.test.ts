import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '../../../../src/db/operations/audit-list-store.ts';
import { recordAudit } from '../../../../src/db/operations/audit-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { SHOWN_OPERATOR_ACTS } from '../../../../src/domain/customers/access/shown-operator-acts.ts';
import type { Actor } from '../../../../src/domain/actor.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../../support/test-people.ts';
import { startSite, type Site } from '../../../support/web/site.ts';

let site: Site;
let owner: string;
let customerId: string;
let userId: string;
let operatorId: string;
const keyId = newId('key');
const SECRET_WORDS = 'because of a hit on the list';

const record = (actor: Actor, action: string, of = customerId, subject: string = keyId) =>
  site.database.people.system((tx) =>
    recordAudit(tx, {
      ...{ at: site.clock.now(), actor, action, subject, details: { reason: SECRET_WORDS } },
      scope: { customerId: of, environment: 'test' },
    }),
  );

beforeAll(async () => {
  site = await startSite('dashboard');
  customerId = await site.database.db.system((tx) => addCustomer(tx));
  userId = (await addTestUser(site.people, customerId, 'OWNER')).id;
  operatorId = (await addTestOperator(site.people, 'COMPLIANCE')).id;
  owner = await site.logIn(userId);
  await record({ kind: 'USER', id: userId }, 'api_key.created');
  await record({ kind: 'OPERATOR', name: operatorId }, 'address.approved');
  await record({ kind: 'OPERATOR', name: 'ada' }, 'payment.retry');
  await record({ kind: 'OPERATOR', name: operatorId }, 'screening.refuse', customerId, 'scr_1');
  await record({ kind: 'OPERATOR', name: operatorId }, 'approval.propose', customerId, 'apr_1');
  await record({ kind: 'SYSTEM', part: 'engine' }, 'end_user.erase');
  for (const inside of ['release.stop', 'release.resume', 'kyc.override', 'unheard.of']) {
    await record({ kind: 'OPERATOR', name: operatorId }, inside, customerId, 'inside_1');
  }
});
afterAll(() => site.close());

const open = (query = '') => site.get(`/audit${query}`, owner);
const acts = (html: string) => html.match(/<tr>/g)?.length ?? 1;

describe('the audit log on the dashboard', () => {
  it('names users, calls operators by their id, and links what it was about', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).toContain('Sample OWNER');
    expect(body).toContain('Api key: created');
    expect(body).toContain(`Operator ${operatorId}`);
    expect(body).toContain(`href="/test/keys/${keyId}"`);
    expect(body).not.toMatch(/\bada\b/);
    expect(body).not.toContain('Sample COMPLIANCE');
  });

  it('leads from what was done about their own company to the checklist, not to an end-user', async () => {
    const another = await site.database.db.system((tx) => addCustomer(tx));
    const { id } = await addTestUser(site.people, another, 'OWNER');
    await record({ kind: 'USER', id }, 'company.check', another, newId('eu'));
    const { body } = await site.get('/audit', await site.logIn(id));
    expect(body).toContain('href="/going-live"');
    expect(body).not.toContain('/end-users/');
  });

  it('shows neither screening, nor what is not decided, nor operators’ words', async () => {
    const { body } = await open();
    expect(acts(body)).toBe(1 + 3);
    for (const inside of [SECRET_WORDS, 'creening', 'pproval', 'erase']) {
      expect(body).not.toContain(inside);
    }
    // Nor does the database give them to the role of the dashboard, whatever it is asked.
    const scope = { customerId, environment: 'test' } as const;
    const ask = (sql: string) =>
      site.database.people.read(scope, (tx) => tx.query<{ action: string }>(sql));
    const actions = (await ask('SELECT action FROM audit_log')).map(({ action }) => action);
    expect(actions.sort()).toEqual(['address.approved', 'api_key.created', 'payment.retry']);
    await expect(ask('SELECT details FROM audit_log')).rejects.toThrow('permission denied');
    // Whole words: an id may hold any few letters.
    expect(body).not.toMatch(/\b(release|kyc|unheard)\b/i);
  });

  it('names in code what the database shows', async () => {
    const [policy] = await site.database.people.system((tx) =>
      tx.query<{ qual: string }>(
        "SELECT qual FROM pg_policies WHERE policyname = 'own_acts_are_seen'",
      ),
    );
    const named = [...(policy?.qual ?? '').matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map((one) => one[1]);
    expect(named).toEqual([...SHOWN_OPERATOR_ACTS]);
  });

  it.each([
    ['users', '?by=user', 1],
    ['operators', '?by=operator', 2],
    ['the beginning of an action', '?action=api%20key', 1],
    ['what it was about', '?subject=scr_1', 0],
  ])('is filtered by %s', async (_by, query, rows) => {
    expect(acts((await open(query)).body) - 1).toBe(rows);
  });

  it('is the owners’ alone, and no other customer’s', async () => {
    const other = await site.database.db.system((tx) => addCustomer(tx));
    const stranger = await site.logIn((await addTestUser(site.people, other, 'OWNER')).id);
    const { status, body } = await site.get(`/audit?subject=${keyId}`, stranger);
    expect([status, acts(body) - 1]).toEqual([200, 0]);
    for (const role of ['DEVELOPER', 'FINANCE', 'VIEWER'] as const) {
      const cookie = await site.logIn((await addTestUser(site.people, customerId, role)).id);
      expect((await site.get('/audit', cookie)).status).toBe(403);
    }
  });

  it('goes on by cursor through everything once', async () => {
    for (let n = 0; n < 45; n += 1) {
      await record({ kind: 'USER', id: userId }, 'user.counted', customerId, `usr_${String(n)}`);
    }
    const seen: string[] = [];
    let path = '/audit?action=user.counted';
    while (path !== '') {
      const { body } = await site.get(path, owner);
      seen.push(...[...body.matchAll(/<code>(usr_\d+)<\/code>/g)].map(([, id]) => id ?? ''));
      const next = /href="(\/audit\?[^"]*cursor=[^"]*)"/.exec(body)?.[1] ?? '';
      path = next.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_none, n) => `usr_${String(44 - n)}`));
  });
});

describe('the audit log of every customer', () => {
  it('is read by operators with words and names, of all or of one', async () => {
    const stranger = await site.database.db.system((tx) => addCustomer(tx));
    await record({ kind: 'OPERATOR', name: operatorId }, 'customer.suspend', stranger);
    const page = { limit: 100, before: null };
    const list = (filter: Parameters<typeof listAudit>[1]) =>
      site.database.people.system((tx) => listAudit(tx, filter, page));
    const all = (await list({})).items;
    expect(all[0]).toMatchObject({ customerId: stranger, details: { reason: SECRET_WORDS } });
    expect(all[0]?.operatorName).toBeInstanceOf(Buffer);
    expect(all.map(({ action }) => action)).toContain('screening.refuse');
    const ours = (await list({ customerId, by: 'operator' })).items;
    expect(ours.map(({ action }) => action)).toEqual([
      ...['unheard.of', 'kyc.override', 'release.resume', 'release.stop'],
      ...['approval.propose', 'screening.refuse', 'payment.retry', 'address.approved'],
    ]);
  });
});
