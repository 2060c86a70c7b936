import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockPerson } from '../../../src/db/customers/passkey-store.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';

describe.each(['dashboard', 'console'] as const)(
  'a login to the %s locks its person first',
  (surface) => {
    const table = surface === 'dashboard' ? 'users' : 'operators';
    let site: Site;
    beforeAll(async () => {
      site = await startSite(surface);
    });
    afterAll(() => site.close());

    const isBlocked = () =>
      expect
        .poll(() =>
          site.database.db.system((tx) =>
            tx.query(
              `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
               WHERE NOT l.granted AND a.datname = current_database()`,
            ),
          ),
        )
        .not.toEqual([]);

    it.each([
      ['disabled', `status = 'DISABLED'`],
      ['given another address', `address_hash = sha256(address_hash)`],
    ])('and is over where they are %s until then', async (_what, change) => {
      site.clock.advance(3_600_000);
      const customerId = await site.database.db.system((tx) => addCustomer(tx));
      const person =
        surface === 'dashboard'
          ? await addTestUser(site.people, customerId, 'VIEWER')
          : await addTestOperator(site.people, 'SUPPORT');
      // As many sessions as there may be: the login ends the oldest, and so does the change.
      for (let nth = 0; nth < 5; nth += 1) await site.logIn(person.id);
      const browser = createSiteBrowser(site);
      await browser.askForCode(person.address);
      const { code } = await site.lastMail();
      await browser.get('/login/code');
      const { login } = await site.people.people.system(async (tx) => {
        await lockPerson(tx, person.id);
        const answer = browser.sendCode(code);
        await isBlocked();
        await tx.query(`UPDATE ${table} SET ${change}, version = version + 1 WHERE id = $1`, [
          person.id,
        ]);
        return { login: answer };
      });
      expect((await login).headers.location ?? '').not.toBe('/');
      expect((await browser.get('/settings')).status).toBe(303);
      const sessions = await site.people.people.system((tx) =>
        tx.query('SELECT id FROM sessions WHERE user_id = $1 OR operator_id = $1', [person.id]),
      );
      expect(sessions).toHaveLength(5);
    });
  },
);
