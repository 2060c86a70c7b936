import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

/** Paths of each surface with text of the asker's choice in them, and pages that take filters. */
const PATHS = {
  dashboard: {
    named: [
      ...['/@/home', '/test/payments/@', '/test/end-users/@', '/test/webhooks/@', '/test/keys/@'],
      ...['/users/@', '/verify/@', '/confirm-address/@', '/assets/@/site.css'],
    ],
    filtered: [
      ...['/test/payments', '/test/payments.csv', '/test/end-users', '/test/requests', '/audit'],
      ...['/test/webhooks', '/login', '/settings', '/users'],
    ],
  },
  console: {
    named: [
      ...['/requests/@', '/approvals/@', '/customers/@', '/payments/@', '/statements/@'],
      ...['/addresses/@', '/live-requests/@', '/confirm-address/@'],
    ],
    filtered: [
      ...['/payments', '/customers', '/approvals', '/release', '/mails', '/reviews', '/requests'],
      ...['/reconciliation', '/operators', '/login'],
    ],
  },
} as const;

describe.each(['dashboard', 'console'] as const)(
  'an address that no page of the %s has',
  (surface) => {
    let site: Site;
    let cookie: string;
    const faults: string[] = [];
    beforeAll(async () => {
      site = await startSite(surface, {
        onLogLine: (line) => {
          if ((JSON.parse(line) as { level: number | string }).level === 'error') faults.push(line);
        },
      });
      const customerId = await site.database.db.system((tx) => addCustomer(tx));
      const { id } =
        surface === 'dashboard'
          ? await addTestUser(site.people, customerId, 'OWNER')
          : await addTestOperator(site.people, 'ADMIN');
      cookie = await site.logIn(id);
    });
    afterAll(() => site.close());

    it.each(['%00', 'a%00b', 'pay_%00', '%ff', '%C3', '%E0%A4', '%', '%zz', '%ED%A0%80'])(
      '%s in the path is answered with 404, logged in or not',
      async (text) => {
        for (const pattern of PATHS[surface].named) {
          const path = pattern.replace('@', text);
          const answers = [await site.get(path, cookie), await site.get(path)];
          expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 404, 404]);
          const body = new URLSearchParams();
          expect([path, (await site.post(path, body, cookie)).status]).toEqual([path, 404]);
        }
        expect(faults).toEqual([]);
      },
    );

    it.each(['a=%00', '%00=a', 'cursor=%00', 'search=a%00', 'q=%ff', '%ff', 'next=%C3', 'a=%'])(
      '?%s is answered with 400, logged in or not',
      async (query) => {
        for (const page of PATHS[surface].filtered) {
          const path = `${page}?${query}`;
          const answers = [await site.get(path, cookie), await site.get(path)];
          expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 400, 400]);
        }
        expect(faults).toEqual([]);
      },
    );

    it('is told from one that is only unknown', async () => {
      const [pattern = ''] = PATHS[surface].filtered;
      expect((await site.get(`${pattern}?search=${newId('pay')}`, cookie)).status).toBe(200);
    });
  },
);
