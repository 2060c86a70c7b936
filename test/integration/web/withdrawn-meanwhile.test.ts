import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setCustomerStatus } from '../../support/set-customer-status.ts';
import { startSlowPost } from '../../support/slow-post.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { until } from '../../support/until.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const rowsOf = <Row extends object>(site: Site, sql: string, values: unknown[] = []) =>
  site.database.people.system((tx) => tx.query<Row>(sql, values));

/** A form whose head was sent, and judged: the use of its session is written. Its body is still to come. */
async function startForm(
  site: Site,
  { id, cookie }: { readonly id: string; readonly cookie: string },
  { page, action, fields }: { page: string; action: string; fields: Record<string, string> },
) {
  const sent = site.hiddenFields((await site.get(page, cookie)).body, action);
  for (const [name, text] of Object.entries(fields)) sent.append(name, text);
  site.clock.advance(60_000);
  const headers = {
    ...{ host: site.host, origin: site.origin, cookie, 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/x-www-form-urlencoded',
  };
  const slow = await startSlowPost(site.port, action, headers, sent.toString());
  const sql = `SELECT FROM sessions WHERE $1 IN (user_id, operator_id) AND last_used_at = $2`;
  await until('the head to be judged', async () =>
    (await rowsOf(site, sql, [id, site.clock.now()])).length > 0 ? true : null,
  );
  return slow;
}

describe.each(['dashboard', 'console'] as const)(
  'while the body of a form for the %s is still coming',
  (surface) => {
    const table = surface === 'dashboard' ? 'users' : 'operators';
    let site: Site;
    let person: { readonly id: string; readonly cookie: string };
    beforeAll(async () => {
      site = await startSite(surface);
    });
    afterAll(() => site.close());
    beforeEach(async () => {
      const customerId = await site.database.db.system((tx) => addCustomer(tx));
      if (surface === 'dashboard') await addTestUser(site.people, customerId, 'OWNER');
      const { id } =
        surface === 'dashboard'
          ? await addTestUser(site.people, customerId, 'OWNER')
          : await addTestOperator(site.people, 'ADMIN');
      person = { id, cookie: await site.logIn(id) };
    });

    const startTheme = () =>
      startForm(site, person, {
        ...{ page: '/settings', action: '/settings/display' },
        fields: { timeZone: 'Asia/Tokyo', theme: 'dark' },
      });
    const shown = async () => {
      const sql = `SELECT time_zone, theme FROM ${table} WHERE id = $1`;
      return (await rowsOf(site, sql, [person.id]))[0];
    };

    it('nothing is withdrawn, and the form is acted upon', async () => {
      expect((await (await startTheme()).finish()).status).toBe(303);
      expect(await shown()).toEqual({ time_zone: 'Asia/Tokyo', theme: 'dark' });
    });

    const lowest = surface === 'dashboard' ? 'VIEWER' : 'SUPPORT';
    const withdrawals: Readonly<Record<string, () => Promise<unknown>>> = {
      'the session is ended': () =>
        rowsOf(site, `UPDATE sessions SET ended_at = now() WHERE $1 IN (user_id, operator_id)`, [
          person.id,
        ]),
      'the account is disabled': () =>
        rowsOf(site, `UPDATE ${table} SET status = 'DISABLED' WHERE id = $1`, [person.id]),
      'the role is lowered': () =>
        rowsOf(site, `UPDATE ${table} SET role = '${lowest}' WHERE id = $1`, [person.id]),
      'the session is over': async () => site.clock.advance(24 * 3_600_000),
    };
    it.each(Object.keys(withdrawals))('%s: refused, and nothing changed', async (what) => {
      const slow = await startTheme();
      await withdrawals[what]?.();
      const answer = await slow.finish();
      expect([answer.status, answer.text.includes('location: /login\r\n')]).toEqual([303, true]);
      expect(await shown()).toEqual({ time_zone: 'UTC', theme: 'auto' });
    });
  },
);

describe('while the body of a user’s form is still coming', () => {
  let site: Site;
  let customerId: string;
  let person: { readonly id: string; readonly cookie: string };
  beforeAll(async () => {
    site = await startSite('dashboard');
    customerId = await site.database.db.system((tx) => addCustomer(tx));
    const { id } = await addTestUser(site.people, customerId, 'OWNER');
    person = { id, cookie: await site.logIn(id) };
  });
  afterAll(() => site.close());

  it('the customer is suspended: refused, and nothing changed', async () => {
    const { db } = site.database;
    const key = await db.system((tx) => addApiKey(tx, site.vault, { customerId }));
    const page = `/test/keys/${key.id}/revoke`;
    const slow = await startForm(site, person, { page, action: page, fields: {} });
    await setCustomerStatus(site.database.url, customerId, 'SUSPENDED');
    expect((await slow.finish()).status).toBe(403);
    const revoked = () => rowsOf(site, 'SELECT revoked_at FROM api_keys WHERE id = $1', [key.id]);
    expect(await revoked()).toEqual([{ revoked_at: null }]);
    await setCustomerStatus(site.database.url, customerId, 'ACTIVE');
    const again = await startForm(site, person, { page, action: page, fields: {} });
    expect((await again.finish()).status).toBe(303);
    expect(await revoked()).not.toEqual([{ revoked_at: null }]);
  });

  it('passkeys are required of every user: who has none is led to add one', async () => {
    const fields = { timeZone: 'Asia/Tokyo', theme: 'dark' };
    const form = { page: '/settings', action: '/settings/display', fields };
    const slow = await startForm(site, person, form);
    const sql = 'UPDATE customers SET requires_passkeys = true WHERE id = $1';
    await rowsOf(site, sql, [customerId]);
    expect((await slow.finish()).text).toContain('location: /settings\r\n');
    const [row] = await rowsOf(site, 'SELECT theme FROM users WHERE id = $1', [person.id]);
    expect(row).toEqual({ theme: 'auto' });
  });
});
