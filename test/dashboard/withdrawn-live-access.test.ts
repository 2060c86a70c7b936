import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCustomer, setLiveAccess } from '../support/test-customer.ts';
import { startDashboard, type TestDashboard } from './dashboard-harness.ts';

const NOT_LIVE = 'You are not live';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
}, 60_000);
afterAll(() => dashboard.close());

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

  it('is told apart from one that never was live', async () => {
    const customerId = await dashboard.db.system((tx) => addCustomer(tx, { hasLiveAccess: false }));
    const cookie = await dashboard.logIn('OWNER', customerId);
    const { body } = await dashboard.site.get('/live/payments', cookie);
    expect(body).toContain(NOT_LIVE);
  });
});
