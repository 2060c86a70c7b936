import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordAudit } from '../../../src/db/operations/audit-store.ts';
import type { OperatorRole } from '../../../src/domain/customers/access/operator-rights.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let operatorId: string;
let customers: readonly [string, string];
const cookies = new Map<OperatorRole, string>();

beforeAll(async () => {
  site = await startSite('console');
  for (const role of ['SUPPORT', 'OPERATIONS', 'COMPLIANCE', 'ADMIN'] as const) {
    const { id } = await addTestOperator(site.people, role);
    cookies.set(role, await site.logIn(id));
    if (role === 'COMPLIANCE') operatorId = id;
  }
  const add = () => site.database.db.system((tx) => addCustomer(tx));
  customers = [await add(), await add()];
  const record = (customerId: string, action: string, subject: string) =>
    site.database.people.system((tx) =>
      recordAudit(tx, {
        ...{ at: site.clock.now(), action, subject, details: { reason: `because of ${subject}` } },
        actor: { kind: 'OPERATOR', name: operatorId },
        scope: { customerId, environment: 'test' },
      }),
    );
  for (let count = 0; count < 25; count += 1) {
    await record(customers[0], 'release.stop', `first_${String(count)}`);
  }
  await record(customers[1], 'kyc.override', 'second');
});
afterAll(() => site.close());

const open = (query = '', role: OperatorRole = 'ADMIN') =>
  site.get(`/audit${query}`, cookies.get(role) ?? '');

describe('the audit log in the console', () => {
  it('shows who did what, why, and of which customer; the rest by its cursor', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).toContain('because of second');
    expect(body).toContain('Sample COMPLIANCE');
    expect(body).toContain(`/customers/${customers[1]}`);
    expect(body).not.toContain('because of first_0<');
    const older = /href="(\/audit\?cursor=[^"]+)"/.exec(body)?.[1] ?? '';
    const next = await site.get(older.replaceAll('&amp;', '&'), cookies.get('ADMIN') ?? '');
    expect(next.body).toContain('because of first_0<');
    expect(next.body).not.toContain('because of second');
  });

  it.each([
    ['a customer', () => `?customer=${customers[1]}`],
    ['an action', () => '?action=kyc'],
    ['what it was about', () => '?subject=second'],
  ])('is filtered by %s', async (_by, query) => {
    const { body } = await open(query());
    expect(body).toContain('because of second');
    expect(body).not.toContain('because of first');
    expect((await open('?by=user')).body).not.toContain('because of');
    expect((await open('?by=sample')).status).toBe(422);
  });

  it('is compliance’s and admins’, and no other role is shown a link to it', async () => {
    for (const role of ['COMPLIANCE', 'ADMIN'] as const) {
      expect((await open('', role)).status).toBe(200);
      expect((await site.get('/', cookies.get(role) ?? '')).body).toContain('href="/audit"');
    }
    for (const role of ['SUPPORT', 'OPERATIONS'] as const) {
      expect((await open('', role)).status).toBe(403);
      expect((await site.get('/', cookies.get(role) ?? '')).body).not.toContain('href="/audit"');
    }
  });
});
