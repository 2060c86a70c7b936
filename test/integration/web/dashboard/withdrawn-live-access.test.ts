import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApiKey, addCustomer, setLiveAccess } from '../../../support/test-customer.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

const NOT_LIVE = 'You do not have live access';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

/** A customer with live access, its owner, and a live key. */
async function withLiveKey() {
  const { db } = dashboard;
  const customerId = await db.system((tx) => addCustomer(tx));
  const { vault } = dashboard.site;
  const { id: keyId } = await db.system((tx) =>
    addApiKey(tx, vault, { customerId, environment: 'live' }),
  );
  const cookie = await dashboard.logIn('OWNER', customerId);
  return { customerId, keyId, cookie, path: `/live/keys/${keyId}` };
}

/** Resolves when a transaction of this database waits for another one to end. */
const waitForBlockedRow = (db: TestDashboard['db']) =>
  expect
    .poll(() =>
      db.system((tx) =>
        tx.query(
          `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
           WHERE NOT l.granted AND a.datname = current_database()`,
        ),
      ),
    )
    .not.toEqual([]);

describe('a customer whose live access was withdrawn', () => {
  it('still sees the real money that moved, and can cancel what has not left', async () => {
    const { db, harness, site } = dashboard;
    const customerId = await db.system((tx) => addCustomer(tx));
    const payer = await harness.addPayer({ customerId, environment: 'live' });
    const id = await dashboard.payAs(payer);
    await db.system((tx) => setLiveAccess(tx, customerId, false));
    const cookie = await dashboard.logIn('OWNER', customerId);
    const list = await site.get('/live/payments', cookie);
    expect(list.body).toContain(id);
    expect(list.body).not.toContain(NOT_LIVE);
    const page = await site.get(`/live/payments/${id}`, cookie);
    expect(page.status).toBe(200);
    expect(page.body).toContain('Cancel this payment');
  });

  it('is offered no new live key in place of an old one, and gets no code mailed for it', async () => {
    const { db, site } = dashboard;
    const { customerId, cookie, path } = await withLiveKey();
    expect((await site.get(path, cookie)).body).toContain(`${path}/rotate`);
    const opened = await site.get(`${path}/rotate`, cookie);
    await db.system((tx) => setLiveAccess(tx, customerId, false));
    expect((await site.get(path, cookie)).body).not.toContain(`${path}/rotate`);
    expect((await site.get(`${path}/rotate`, cookie)).body).toContain(NOT_LIVE);
    const mails = site.mailIds.length;
    const fields = site.hiddenFields(opened.body, `${path}/rotate`);
    fields.append('overlap', '24');
    const answer = await site.post(`${path}/rotate`, fields, cookie);
    expect([answer.status, answer.body.includes('live access, which was withdrawn')]).toEqual([
      ...[409, true],
    ]);
    expect(site.mailIds).toHaveLength(mails);
  });

  it('withdrawn while a live key is rotated: said in words, and the old key is as it was', async () => {
    const { db, site } = dashboard;
    const { customerId, keyId, cookie, path } = await withLiveKey();
    const second = await site.submit(`${path}/rotate`, `${path}/rotate`, { overlap: '0' }, cookie);
    expect(second.body).toContain('Confirm with a code');
    const answered = await db.system(async (tx) => {
      await tx.query(`SELECT set_config('role', 'none', true)`);
      await tx.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
      const answer = site.confirm(second, `${path}/rotate`, cookie);
      await waitForBlockedRow(db);
      await setLiveAccess(tx, customerId, false);
      return { answer };
    });
    const answer = await answered.answer;
    expect([answer.status, answer.body.includes('live access, which is not granted')]).toEqual([
      ...[409, true],
    ]);
    const keys = await db.system((tx) =>
      tx.query('SELECT id, revoked_at, replaced_by FROM api_keys WHERE customer_id = $1', [
        customerId,
      ]),
    );
    expect(keys).toEqual([{ id: keyId, revoked_at: null, replaced_by: null }]);
  });

  it('is told apart from one that never was live', async () => {
    const customerId = await dashboard.db.system((tx) => addCustomer(tx, { hasLiveAccess: false }));
    const cookie = await dashboard.logIn('OWNER', customerId);
    const { body } = await dashboard.site.get('/live/payments', cookie);
    expect(body).toContain(NOT_LIVE);
  });
});
