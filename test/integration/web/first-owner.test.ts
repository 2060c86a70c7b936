import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let customerId: string;
let ada: { readonly id: string; readonly cookie: string };
let path: string;
beforeAll(async () => {
  site = await startSite('console');
});
afterAll(() => site.close());
beforeEach(async () => {
  site.clock.advance(3_600_000);
  customerId = await site.database.db.system((tx) => addCustomer(tx));
  const { id } = await addTestOperator(site.people, 'COMPLIANCE');
  ada = { id, cookie: await site.logIn(id) };
  path = `/customers/${customerId}/owner`;
});

const rows = <Row extends object>(sql: string) =>
  site.people.people.system((tx) => tx.query<Row>(sql, [customerId]));
const users = () =>
  rows<{ role: string; status: string }>(
    'SELECT role, status FROM users WHERE customer_id = $1 ORDER BY id',
  );
const audit = () =>
  rows<{ actor: string; action: string; details: object }>(
    'SELECT actor, action, details FROM audit_log WHERE customer_id = $1 ORDER BY id',
  );
const openLinks = () =>
  rows('SELECT FROM invitations WHERE customer_id = $1 AND used_at IS NULL AND ended_at IS NULL');
const form = (address: string) => ({ name: 'Grace Sample', address, reason: 'asked by phone' });
async function invite(address = 'grace@sample.example') {
  const second = await site.submit(path, path, form(address), ada.cookie);
  return second.status === 200 ? site.confirm(second, path, ada.cookie) : second;
}

describe('a customer that no user can log in for', () => {
  it('gets its first owner invited, by a link in a mail, proven and audited', async () => {
    const page = await site.get(`/customers/${customerId}`, ada.cookie);
    expect(page.body).toContain(`href="${path}"`);
    const second = await site.submit(path, path, form('grace@sample.example'), ada.cookie);
    expect([second.status, await users()]).toEqual([200, []]);
    expect((await site.lastMail()).text).not.toMatch(/grace|Grace/);
    expect((await site.confirm(second, path, ada.cookie)).status).toBe(303);
    expect(await users()).toEqual([{ role: 'OWNER', status: 'INVITED' }]);
    const mail = await site.lastMail();
    expect([mail.kind, /\/verify\/[\w-]{43}/.test(mail.text)]).toEqual(['INVITATION', true]);
    expect(await audit()).toEqual([
      {
        ...{ actor: `operator:${ada.id}`, action: 'user.invited' },
        details: { role: 'OWNER', reason: 'asked by phone' },
      },
    ]);
  });

  it('gets another one where the first has not come, whose link is over', async () => {
    expect((await invite('wrong@sample.example')).status).toBe(303);
    expect((await invite('right@sample.example')).status).toBe(303);
    expect(await users()).toEqual([
      { role: 'OWNER', status: 'DISABLED' },
      { role: 'OWNER', status: 'INVITED' },
    ]);
    expect(await openLinks()).toHaveLength(1);
    expect((await audit()).map(({ action }) => action)).toEqual([
      ...['user.invited', 'user.invited', 'user.invitation_withdrawn'],
    ]);
  });

  it('gets one of two that are invited at once, with one link', async () => {
    const seconds = [];
    for (const name of ['one', 'two']) {
      const { id } = await addTestOperator(site.people, 'COMPLIANCE');
      const cookie = await site.logIn(id);
      const second = await site.submit(path, path, form(`${name}@sample.example`), cookie);
      const fields = site.hiddenFields(second.body, path);
      fields.append('proof', (await site.lastMail()).code);
      seconds.push(() => site.post(path, fields, cookie));
    }
    const ends = await Promise.all(seconds.map((send) => send()));
    expect(ends.map(({ status }) => status)).toEqual([303, 303]);
    expect((await users()).filter(({ status }) => status === 'INVITED')).toHaveLength(1);
    expect(await openLinks()).toHaveLength(1);
  });

  it('names what is wrong with the form, and an address that is taken', async () => {
    const wrong = await site.submit(path, path, { ...form('nope'), name: '' }, ada.cookie);
    expect([wrong.status, wrong.body.includes('href="#address"')]).toEqual([422, true]);
    const viewer = await addTestUser(site.people, customerId, 'VIEWER');
    expect((await invite(viewer.address)).status).toBe(409);
    expect(await users()).toEqual([{ role: 'VIEWER', status: 'ACTIVE' }]);
  });
});

describe('a customer that has an owner', () => {
  it('gets none from an operator, neither from a form that was opened before', async () => {
    const opened = site.hiddenFields((await site.get(path, ada.cookie)).body, path);
    await addTestUser(site.people, customerId, 'OWNER');
    expect((await site.get(path, ada.cookie)).status).toBe(409);
    const page = await site.get(`/customers/${customerId}`, ada.cookie);
    expect(page.body).not.toContain(`href="${path}"`);
    for (const [name, text] of Object.entries(form('eve@sample.example')))
      opened.append(name, text);
    expect((await site.post(path, opened, ada.cookie)).status).toBe(409);
    expect(await users()).toHaveLength(1);
  });
});

it.each(['SUPPORT', 'OPERATIONS', 'ADMIN'] as const)('no %s invites an owner', async (role) => {
  const { id } = await addTestOperator(site.people, role);
  const cookie = await site.logIn(id);
  expect((await site.get(path, cookie)).status).toBe(403);
  expect((await site.post(path, new URLSearchParams(), cookie)).status).toBe(403);
  expect((await site.get(`/customers/${customerId}`, cookie)).body).not.toContain(`href="${path}"`);
});

it('the platform account has none', async () => {
  expect((await site.get('/customers/cus_platform/owner', ada.cookie)).status).toBe(404);
  expect((await site.get('/customers/cus_none/owner', ada.cookie)).status).toBe(404);
});
