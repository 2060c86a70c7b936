import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/db/client/new-id.ts';
import { tellPaymentApprovers } from '../../../../src/modules/customers/mail/tell-payment-approvers.ts';
import { addApiKey } from '../../../support/test-customer.ts';
import { addTestUser } from '../../../support/test-people.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

const LIMITS = '/test/limits';

let dashboard: TestDashboard;
let owner: { readonly id: string; readonly cookie: string };
let finance: string;
let developer: string;
let woken: string[] = [];
beforeAll(async () => {
  dashboard = await startDashboard({
    wakePayment: async (_workflow, { paymentId }, why) => {
      woken.push(`${why} ${paymentId}`);
    },
  });
  const { id } = await addTestUser(
    dashboard.site.people,
    dashboard.payer.scope.customerId,
    'OWNER',
  );
  owner = { id, cookie: await dashboard.site.logIn(id) };
  finance = await dashboard.logIn('FINANCE');
  developer = await dashboard.logIn('DEVELOPER');
});
afterAll(() => dashboard.close());
beforeEach(() => {
  woken = [];
});

const FORM = { key: '', currency: 'EUR', perPayment: '', perDay: '', beneficiaries: 'any' };

/** A form sent and proven, by a user whose session may have a new token since. */
async function prove(page: string, action: string, fields: Record<string, string>, who = 'OWNER') {
  const cookie = who === 'OWNER' ? await dashboard.site.logIn(owner.id) : await cookieOf(who);
  const second = await dashboard.site.submit(page, action, fields, cookie);
  if (second.status !== 200) return second;
  return dashboard.site.confirm(second, action, cookie);
}
const cookieOf = (role: string) => dashboard.logIn(role as 'FINANCE');

const limits = () =>
  dashboard.harness.rows<{ currency: string; per_payment: string | null; per_day: string | null }>(
    'SELECT currency, per_payment::text, per_day::text FROM payment_limits ORDER BY currency',
  );

/** A payment that waits, made by a key; `createdBy`: the user who made that key. */
async function waiting(createdBy: string | null = null): Promise<string> {
  const { harness, payer } = dashboard;
  const { customerId, environment } = payer.scope;
  const id = await harness.accept({ amount: '55.00' });
  let keyId: string | null = null;
  if (createdBy !== null) {
    keyId = newId('key');
    await harness.rows(
      `INSERT INTO api_keys (id, customer_id, environment, public_id, name, token_hmac, last4, scopes, created_at,
         created_by)
       VALUES ($1, $2, $3, $4, 'payroll', $5, 'abcd', '{}', now(), $6)`,
      [
        ...[keyId, customerId, environment, newId('x').slice(-12)],
        ...[Buffer.alloc(32, 1), `user:${createdBy}`],
      ],
    );
  }
  await harness.rows(
    `INSERT INTO payment_limit_checks (payment_id, customer_id, environment, api_key_id, currency, amount, reasons,
       checked_at)
     VALUES ($1, $2, $3, $4, 'EUR', 5500, '{PER_PAYMENT,BENEFICIARY}', now())`,
    [id, customerId, environment, keyId],
  );
  await dashboard.change(id, { status: 'ON_HOLD', statusDetail: 'CUSTOMER_APPROVAL' });
  return id;
}

const pathOf = (id: string, act = '') => `/test/payments/${id}${act}`;
const decide = (id: string, act: string, who = 'OWNER') =>
  prove(pathOf(id), pathOf(id, `/${act}`), {}, who);
const stateOf = async (id: string) =>
  (await dashboard.harness.ask({ url: `/payments/${id}` })).json<object>();

describe('the limits of a customer', () => {
  it('are set, changed and removed by an owner with a code, and each change is audited', async () => {
    const set = await prove(`${LIMITS}/new`, LIMITS, { ...FORM, perPayment: '1000.00' });
    expect([set.status, set.headers.location]).toEqual([303, LIMITS]);
    expect(await limits()).toEqual([{ currency: 'EUR', per_payment: '100000', per_day: null }]);
    const change = `${LIMITS}/new?key=&currency=EUR`;
    const shown = await dashboard.site.get(change, await dashboard.site.logIn(owner.id));
    expect(shown.body).toContain('value="1000.00"');
    const changed = await prove(change, LIMITS, { ...FORM, perPayment: '0', perDay: '50' });
    expect(changed.status).toBe(303);
    expect(await limits()).toEqual([{ currency: 'EUR', per_payment: '0', per_day: '5000' }]);
    // From a page that is out of date.
    const late = await prove(`${LIMITS}/new`, LIMITS, { ...FORM, perPayment: '9999' });
    expect(late.status).toBe(409);
    const page = await dashboard.site.get(LIMITS, finance);
    expect(page.body).toContain('All payments');
    expect(page.body).toContain('50.00');
    expect(page.body).not.toContain('/remove');
    const [row] = await dashboard.harness.rows<{ id: string }>('SELECT id FROM payment_limits');
    const removed = await prove(LIMITS, `${LIMITS}/${row?.id ?? ''}/remove`, {});
    expect(removed.status).toBe(303);
    expect(await limits()).toEqual([]);
    const acts = (await dashboard.audit()).map(({ action }) => action);
    expect(acts.slice(-3)).toEqual([
      'payment_limit.set',
      'payment_limit.set',
      'payment_limit.remove',
    ]);
  });

  it.each([
    [{ currency: 'XXX' }, 'currency'],
    [{ perPayment: '1.001' }, 'perPayment'],
    [{ perDay: '-5' }, 'perDay'],
    [{ beneficiaries: 'some' }, 'beneficiaries'],
  ])('are not set by a form with %o', async (wrong, field) => {
    const answer = await prove(`${LIMITS}/new`, LIMITS, { ...FORM, ...wrong });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain(`${field}-problem`);
    expect(await limits()).toEqual([]);
  });

  it('go with a key that replaces another one', async () => {
    const { db, payer, site } = dashboard;
    const { customerId, environment } = payer.scope;
    const key = await db.system((tx) => addApiKey(tx, site.vault, { customerId, environment }));
    await prove(`${LIMITS}/new`, LIMITS, { ...FORM, key: key.id, perDay: '70' });
    const rotate = `/test/keys/${key.id}/rotate`;
    expect((await prove(rotate, rotate, { overlap: '2' })).status).toBe(201);
    const rows = await dashboard.harness.rows<{ api_key_id: string; per_day: string }>(
      'SELECT api_key_id, per_day::text FROM payment_limits',
    );
    expect(rows).toHaveLength(2);
    expect(rows.map(({ per_day }) => per_day)).toEqual(['7000', '7000']);
    await dashboard.harness.rows('DELETE FROM payment_limits');
  });

  it('allow beneficiaries of the customer alone', async () => {
    const action = `${LIMITS}/beneficiaries`;
    const { bankAccountId } = dashboard.payer;
    const stranger = await dashboard.addStranger();
    for (const destination of [stranger.bankAccountId, 'nonsense', newId('wal')]) {
      expect((await prove(LIMITS, action, { destination })).status).toBe(422);
    }
    expect((await prove(LIMITS, action, { destination: bankAccountId })).status).toBe(303);
    const page = await dashboard.site.get(LIMITS, finance);
    expect(page.body).toContain(bankAccountId);
    expect((await prove(LIMITS, `${action}/${bankAccountId}/remove`, {})).status).toBe(303);
    expect(await dashboard.harness.rows('SELECT 1 FROM allowed_beneficiaries')).toEqual([]);
  });
});

describe('a payment that waits for a user', () => {
  it('says what it is over, and is approved with a code', async () => {
    const id = await waiting();
    const page = await dashboard.site.get(pathOf(id), finance);
    expect(page.body).toContain('It is above the limit for one payment.');
    expect(page.body).toContain('not on the list of allowed beneficiaries');
    expect(page.body).toContain(`/limits?destination=${dashboard.payer.bankAccountId}`);
    expect(page.body).not.toContain('Cancel this payment');
    const done = await decide(id, 'approve', 'FINANCE');
    expect([done.status, done.headers.location]).toEqual([303, pathOf(id)]);
    expect(await stateOf(id)).toMatchObject({ status: 'PROCESSING', statusDetail: 'QUEUED' });
    expect((await dashboard.audit()).at(-1)).toMatchObject({
      action: 'payment.approve',
      subject: id,
    });
    expect(woken).toEqual([`approve ${id}`]);
  });

  it('is declined, which cancels it and gives its funds back', async () => {
    const id = await waiting();
    const before = await dashboard.harness.balance();
    expect((await decide(id, 'decline')).status).toBe(303);
    expect(await stateOf(id)).toMatchObject({ status: 'CANCELED' });
    const after = await dashboard.harness.balance();
    expect(BigInt(after.available) - BigInt(before.available)).toBe(5_500n);
    expect(woken).toEqual([`decline ${id}`]);
  });

  it('is not approved by the user who made its key, who may decline it', async () => {
    const id = await waiting(owner.id);
    const cookie = await dashboard.site.logIn(owner.id);
    const page = await dashboard.site.get(pathOf(id), cookie);
    expect(page.body).toContain('You created the API key that made this payment.');
    expect(page.body).not.toContain('/approve');
    const form = await dashboard.forge(cookie, pathOf(id, '/approve'));
    form.set('version', '2');
    const refused = await dashboard.site.post(pathOf(id, '/approve'), form, cookie);
    expect(refused.status).toBe(409);
    expect(await stateOf(id)).toMatchObject({ status: 'ON_HOLD' });
    expect((await decide(id, 'approve', 'FINANCE')).status).toBe(303);
  });

  it('is offered to no developer, and refused', async () => {
    const id = await waiting();
    const page = await dashboard.site.get(pathOf(id), developer);
    expect(page.body).toContain('An owner or finance user must approve it.');
    expect(page.body).not.toContain('/approve');
    const answer = await dashboard.site.post(
      pathOf(id, '/approve'),
      new URLSearchParams(),
      developer,
    );
    expect(answer.status).toBe(403);
    await decide(id, 'decline');
  });

  it('is mailed to owners and finance users, once an hour at most', async () => {
    const { site, db, clock, payer } = dashboard;
    const tell = () =>
      tellPaymentApprovers({
        db,
        clock,
        vault: site.vault,
        dashboardUrl: 'http://dashboard.localhost',
      });
    const mails = async () =>
      (
        await dashboard.harness.rows<{ n: number }>(
          `SELECT count(*)::integer AS n FROM mails WHERE kind = 'PAYMENTS_WAITING'`,
        )
      )[0]?.n ?? 0;
    const [users] = await dashboard.harness.rows<{ n: number }>(
      `SELECT count(*)::integer AS n FROM users
       WHERE customer_id = $1 AND role IN ('OWNER', 'FINANCE') AND status = 'ACTIVE'`,
      [payer.scope.customerId],
    );
    const each = users?.n ?? 0;
    await tell();
    expect(await mails()).toBe(0);
    const first = await waiting();
    await Promise.all([tell(), tell()]);
    await tell();
    expect(await mails()).toBe(each);
    const second = await waiting();
    await tell();
    expect(await mails()).toBe(each);
    clock.advance(3_600_000);
    await tell();
    await tell();
    expect(await mails()).toBe(2 * each);
    for (const id of [first, second]) await decide(id, 'decline');
  });
});
