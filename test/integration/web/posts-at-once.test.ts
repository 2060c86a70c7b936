import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

/** More than a pool has connections. */
const AT_ONCE = 20;

describe.each(['dashboard', 'console'] as const)('twenty posts at once to the %s', (surface) => {
  let site: Site;
  let customerId: string;
  beforeAll(async () => {
    site = await startSite(surface);
    customerId = await site.database.db.system((tx) => addCustomer(tx));
    await site.database.people.system((tx) =>
      tx.query(
        `INSERT INTO form_uses (form_id, expires_at)
           SELECT decode(md5(n::text), 'hex'), '2026-01-01'::timestamptz + n * interval '1 second'
           FROM generate_series(1, 400) n`,
      ),
    );
  });
  afterAll(() => site.close());

  async function openForm(action: string, more: Record<string, string>) {
    const { id } =
      surface === 'dashboard'
        ? await addTestUser(site.people, customerId, 'VIEWER')
        : await addTestOperator(site.people, 'SUPPORT');
    await site.logIn(id);
    const cookie = await site.logIn(id);
    const fields = site.hiddenFields((await site.get('/settings', cookie)).body, action);
    for (const [name, text] of Object.entries(more)) fields.append(name, text);
    return () => site.post(action, fields, cookie);
  }

  it('of different people are all acted upon', async () => {
    const sends = [];
    for (let person = 0; person < AT_ONCE; person += 1) {
      sends.push(
        person % 2 === 0
          ? await openForm('/settings/display', { timeZone: 'UTC', theme: 'dark' })
          : await openForm('/settings/sessions/end-others', {}),
      );
    }
    const answers = await Promise.all(sends.map((send) => send()));
    expect(answers.map(({ status }) => status)).toEqual(sends.map(() => 303));
  });

  it('of one form are acted upon once', async () => {
    const send = await openForm('/settings/sessions/end-others', {});
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([303, ...Array.from({ length: AT_ONCE - 1 }, () => 409)]);
  });
});
