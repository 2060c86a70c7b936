import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let keyId: string;
let path: string;
beforeAll(async () => {
  site = await startSite('console');
});
afterAll(() => site.close());
beforeEach(async () => {
  keyId = await site.database.db.system(async (tx) => {
    const customerId = await addCustomer(tx);
    const pendingRanges = ['203.0.113.0/24'];
    const key = { customerId, environment: 'live', pendingRanges } as const;
    return (await addApiKey(tx, site.vault, key)).id;
  });
  const [row] = await rows<{ id: string; customer_id: string }>(
    'SELECT id, customer_id FROM api_key_addresses WHERE api_key_id = $1',
    [keyId],
  );
  await addTestUser(site.people, row?.customer_id ?? '', 'OWNER');
  path = `/requests/addresses/${row?.id ?? ''}`;
});

const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
  site.database.people.system((tx) => tx.query<Row>(sql, values));
const status = async () =>
  (
    await rows<{ status: string }>('SELECT status FROM api_key_addresses WHERE api_key_id = $1', [
      keyId,
    ])
  )[0]?.status;
const compliance = async () => site.logIn((await addTestOperator(site.people, 'COMPLIANCE')).id);

/** Approves what was proposed about the address, where all approvals are. */
async function approve(cookie: string) {
  const [row] = await rows<{ id: string }>('SELECT id FROM approvals WHERE subject_id = $1', [
    path.split('/').at(-1),
  ]);
  const form = `/approvals/${row?.id ?? ''}/approve`;
  const second = await site.submit(form, form, { reason: 'fits' }, cookie);
  return second.status === 200 ? site.confirm(second, form, cookie) : second;
}

async function act(name: string, cookie: string) {
  const second = await site.submit(
    `${path}/${name}`,
    `${path}/${name}`,
    { reason: 'fits' },
    cookie,
  );
  return second.status === 200 ? site.confirm(second, `${path}/${name}`, cookie) : second;
}

describe('an address in the console', () => {
  it('is approved by two operators, and its owners are told', async () => {
    const [first, second] = [await compliance(), await compliance()];
    expect((await site.get('/requests/addresses', first)).body).toContain('Needs two operators');
    expect((await act('propose', first)).status).toBe(303);
    expect(await status()).toBe('PENDING');
    expect((await site.get(path, first)).body).toContain('Another operator has to approve it');
    expect((await approve(second)).status).toBe(303);
    expect(await status()).toBe('APPROVED');
    expect((await site.lastMail()).kind).toBe('RANGE_DECIDED');
    expect((await site.get('/requests/addresses', first)).body).not.toContain(path);
    const audited = await rows<{ action: string }>(
      `SELECT action FROM audit_log WHERE subject = $1 AND action LIKE 'key_address.%' ORDER BY id`,
      [path.split('/').at(-1)],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      ...['key_address.proposed', 'key_address.approved'],
    ]);
  });

  it('is not approved by the operator who proposed it', async () => {
    const first = await compliance();
    await act('propose', first);
    expect((await approve(first)).status).toBe(409);
    expect(await status()).toBe('PENDING');
    // The address has a guard of its own: the approval must be refused, too.
    const decided = await rows<{ decision: string | null }>(
      'SELECT decision FROM approvals WHERE subject_id = $1',
      [path.split('/').at(-1)],
    );
    expect(decided).toEqual([{ decision: null }]);
  });

  it('is declined by one, with a reason that the customer reads', async () => {
    const [first, second] = [await compliance(), await compliance()];
    await act('propose', first);
    expect((await act('decline', second)).status).toBe(303);
    expect(await status()).toBe('REJECTED');
    expect((await approve(first)).status).toBe(409);
  });

  it('that another operator acted on since is not acted on: the form says so', async () => {
    const [first, second] = [await compliance(), await compliance()];
    const old = await site.get(`${path}/propose`, second);
    await act('propose', first);
    const fields = site.hiddenFields(old.body, `${path}/propose`);
    fields.append('reason', 'fits');
    expect((await site.post(`${path}/propose`, fields, second)).status).toBe(409);
  });

  it('is seen by every operator and decided by compliance alone; a missing one is 404', async () => {
    for (const role of ['SUPPORT', 'OPERATIONS', 'ADMIN'] as const) {
      const cookie = await site.logIn((await addTestOperator(site.people, role)).id);
      expect((await site.get(path, cookie)).status).toBe(200);
      for (const name of ['propose', 'decline']) {
        expect((await site.get(`${path}/${name}`, cookie)).status, `${role} ${name}`).toBe(403);
      }
    }
    const one = await compliance();
    const missing = '/requests/addresses/alw_01k6b7q0e8f1htx9n3r5p7v2ab';
    expect((await site.get(missing, one)).status).toBe(404);
    expect((await site.get(`${missing}/propose`, one)).status).toBe(404);
  });
});
