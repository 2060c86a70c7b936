import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertPasskey, listPasskeys } from '../../../src/db/customers/passkey-store.ts';
import type { UserRole } from '../../../src/domain/customers/access/user-rights.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let dashboard: Site;
let ops: Site;
let customerId: string;
let ownerId: string;
let owner: string;
let first: string;
let firstId: string;
let second: string;
let secondId: string;
beforeAll(async () => {
  dashboard = await startSite('dashboard');
  ops = await startSite('console', { on: dashboard });
});
afterAll(async () => {
  await ops.close();
  await dashboard.close();
});
beforeEach(async () => {
  dashboard.clock.advance(3_600_000);
  customerId = await dashboard.database.db.system((tx) => addCustomer(tx));
  ownerId = await userOf('OWNER');
  owner = await dashboard.logIn(ownerId);
  firstId = (await addTestOperator(ops.people, 'COMPLIANCE')).id;
  secondId = (await addTestOperator(ops.people, 'COMPLIANCE')).id;
  [first, second] = [await ops.logIn(firstId), await ops.logIn(secondId)];
});

const system = <Row extends object>(sql: string, values: unknown[] = []) =>
  dashboard.people.people.system((tx) => tx.query<Row>(sql, values));
const userOf = async (role: UserRole, of = customerId) =>
  (await addTestUser(dashboard.people, of, role)).id;
const addPasskey = (personId: string, of: string | null) =>
  dashboard.people.people.system((tx) =>
    insertPasskey(tx, {
      ...{ id: newId('psk'), credentialId: randomBytes(32), publicKey: randomBytes(77) },
      ...{ counter: 0n, transports: [], browser: 'Chrome on Linux' },
      ...{ createdAt: dashboard.clock.now(), personId, customerId: of },
    }),
  );
const passkeysOf = async (personId: string) =>
  (await dashboard.people.people.system((tx) => listPasskeys(tx, personId))).length;
const proposalsOf = (subjectId: string) =>
  system<{ id: string; proposed_by: string | null; submitted_by: string | null }>(
    `SELECT id, proposed_by, submitted_by FROM approvals
     WHERE action = 'REMOVE_PASSKEYS' AND subject_id = $1`,
    [subjectId],
  );

/** Sends the form of a page and proves it; what the form is answered with where it takes no proof. */
async function act(site: Site, page: string, path: string, cookie: string, fields = {}) {
  const answer = await site.submit(page, path, fields, cookie);
  return answer.status === 200 ? site.confirm(answer, path, cookie) : answer;
}
const ask = (userId: string) =>
  act(dashboard, `/users/${userId}`, `/users/${userId}/lost-passkeys`, owner);
const decide = async (path: string, cookie: string) =>
  act(ops, path, path, cookie, { reason: 'called back' });

describe('a user who has lost every passkey', () => {
  let userId: string;
  beforeEach(async () => {
    userId = await userOf('DEVELOPER');
    await addPasskey(userId, customerId);
  });

  it('is asked for by the owner; two operators remove them, and the user is logged out', async () => {
    const user = await dashboard.logIn(userId);
    expect((await ask(userId)).status).toBe(303);
    const page = await dashboard.get(`/users/${userId}`, owner);
    expect(page.body).toContain('You requested the removal');
    const [proposal] = await proposalsOf(userId);
    expect(proposal).toMatchObject({ proposed_by: null, submitted_by: `user:${ownerId}` });
    const audit = await system(
      `SELECT actor, action FROM audit_log WHERE subject = $1 AND customer_id = $2`,
      [proposal?.id, customerId],
    );
    expect(audit).toEqual([{ actor: `user:${ownerId}`, action: 'approval.hand_in' }]);
    const path = `/approvals/${proposal?.id ?? ''}`;
    expect((await ops.get('/approvals', first)).body).toContain(`user:${ownerId} (an owner)`);
    expect((await decide(`${path}/take-up`, first)).status).toBe(303);
    expect(await passkeysOf(userId)).toBe(1);
    expect((await decide(`${path}/approve`, second)).status).toBe(303);
    expect(await passkeysOf(userId)).toBe(0);
    expect((await dashboard.get('/settings', user)).status).toBe(303);
    expect((await dashboard.get(`/users/${userId}`, owner)).body).not.toContain('Lost passkeys');
  });

  it('is asked for once while it waits, and not from a page that is out of date', async () => {
    const path = `/users/${userId}/lost-passkeys`;
    const opened = await dashboard.get(`/users/${userId}`, owner);
    const fields = dashboard.hiddenFields(opened.body, path);
    expect((await ask(userId)).status).toBe(303);
    const again = await dashboard.post(path, fields, owner);
    const answer = await dashboard.confirm(again, path, owner);
    expect([answer.status, answer.body.includes('You already requested it')]).toEqual([409, true]);
    await system(
      `UPDATE approvals SET decision = 'REFUSED', decided_by = $2, decided_at = $3,
      decision_reason = 'no' WHERE subject_id = $1`,
      [userId, firstId, dashboard.clock.now()],
    );
    const stale = dashboard.hiddenFields(
      (await dashboard.get(`/users/${userId}`, owner)).body,
      path,
    );
    await addPasskey(userId, customerId);
    const later = await dashboard.post(path, stale, owner);
    expect((await dashboard.confirm(later, path, owner)).status).toBe(409);
    expect(await proposalsOf(userId)).toHaveLength(1);
  });

  it('is offered where there is a passkey, and for no owner', async () => {
    const without = await userOf('VIEWER');
    const otherOwner = await userOf('OWNER');
    await addPasskey(otherOwner, customerId);
    for (const id of [without, otherOwner]) {
      expect((await dashboard.get(`/users/${id}`, owner)).body).not.toContain('lost-passkeys');
    }
    const viewer = await dashboard.logIn(without);
    expect((await dashboard.get(`/users/${userId}`, viewer)).body).not.toContain('lost-passkeys');
  });

  it('of another customer, an owner, or through a command’s name: PostgreSQL takes none of it', async () => {
    const stranger = await dashboard.database.db.system((tx) => addCustomer(tx));
    const strangersUser = await userOf('VIEWER', stranger);
    const otherOwner = await userOf('OWNER');
    const viewer = await userOf('VIEWER');
    const insert = (subject: string, by: string, action = 'REMOVE_PASSKEYS') =>
      system(
        `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version,
           content, submitted_by, proposed_at, reason, expires_at)
         VALUES ($1, $2, 'live', $3, $4, 1, '{}', $5, $6::timestamptz, 'x',
           $6::timestamptz + interval '7 days')`,
        [newId('apr'), customerId, action, subject, by, dashboard.clock.now()],
      );
    const refused = { constraint: 'owners_ask_about_their_users' };
    for (const [subject, by, action] of [
      [strangersUser, `user:${ownerId}`],
      [otherOwner, `user:${ownerId}`],
      [userId, `user:${viewer}`],
      [userId, 'USER:sample'],
      [userId, `user:${ownerId}`, 'KYC_OVERRIDE'],
    ] as const) {
      await expect(insert(subject, by, action)).rejects.toMatchObject(refused);
    }
    await insert(userId, `user:${ownerId}`);
  });
});

describe('an operator of compliance', () => {
  it('proposes it for an owner, and another one approves', async () => {
    await addPasskey(ownerId, customerId);
    const path = `/owners/${ownerId}/lost-passkeys`;
    expect((await ops.get(`/customers/${customerId}`, first)).body).toContain(path);
    const proposed = await decide(path, first);
    const [proposal] = await proposalsOf(ownerId);
    expect([proposed.status, proposed.headers.location]).toEqual([
      ...[303, `/approvals/${proposal?.id ?? ''}`],
    ]);
    expect(proposal?.proposed_by).toBe(firstId);
    expect((await ops.lastMail()).kind).toBe('OPS_APPROVAL_WAITING');
    expect((await decide(path, first)).status).toBe(409);
    const approve = `/approvals/${proposal?.id ?? ''}/approve`;
    expect((await decide(approve, second)).status).toBe(303);
    expect(await passkeysOf(ownerId)).toBe(0);
  });

  it('proposes it for another operator, not for oneself, and not where there is none', async () => {
    await addPasskey(secondId, null);
    const path = `/operators/${secondId}/lost-passkeys`;
    expect((await ops.get('/operators', first)).body).toContain(path);
    expect((await ops.get('/operators', second)).body).not.toContain(path);
    expect((await ops.get(path, second)).status).toBe(409);
    expect((await ops.get(`/operators/${firstId}/lost-passkeys`, second)).status).toBe(409);
    expect((await decide(path, first)).status).toBe(303);
    expect(await proposalsOf(secondId)).toHaveLength(1);
  });

  it('finds no page for a user who has an owner', async () => {
    const userId = await userOf('FINANCE');
    await addPasskey(userId, customerId);
    expect((await ops.get(`/owners/${userId}/lost-passkeys`, first)).status).toBe(404);
    expect((await ops.get(`/customers/${customerId}`, first)).body).not.toContain(userId);
  });
});
