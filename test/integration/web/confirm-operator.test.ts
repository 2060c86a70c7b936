import { signedBy, SOFTWARE_KEYS } from '../../support/software-signing.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOperatorAddresses } from '../../../src/db/customers/person-store.ts';
import { confirmOperator } from '../../../src/modules/customers/access/confirm-operator.ts';
import { ApprovalRefused } from '../../../src/modules/approvals/approval-refused.ts';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addUnconfirmedOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let first: string;
let admin: string;
let adminCookie: string;
beforeAll(async () => {
  site = await startSite('console');
  first = (await addTestOperator(site.people, 'COMPLIANCE')).id;
  admin = (await addTestOperator(site.people, 'ADMIN')).id;
  adminCookie = await site.logIn(admin);
});
afterAll(() => site.close());

const deps = () => ({
  ...{ db: site.people.people, clock: site.clock, operatorKeys: SOFTWARE_KEYS },
});
async function propose(operator = first): Promise<string> {
  const customerId = await site.database.db.system((tx) => addCustomer(tx));
  const scope = { customerId, environment: 'live' } as const;
  const content = {
    action: 'CUSTOMER_RESUMPTION',
    subjectId: customerId,
    subjectVersion: 1,
  } as const;
  const act = signedBy(operator);
  return (await proposeApproval(deps(), scope, { ...content, content: {} }, act)) ?? '';
}
const approve = (id: string, operator: string) =>
  decideApproval(deps(), id, 'APPROVED', signedBy(operator, 'yes'));

describe('an account that a command adds once there is an admin', () => {
  it('sees and changes only its settings before the admin has confirmed it', async () => {
    const { id } = await addUnconfirmedOperator(site.people, 'ADMIN');
    const cookie = await site.logIn(id);
    for (const path of [
      '/',
      '/payments',
      '/customers',
      '/operators',
      `/operators/${first}/disable`,
    ]) {
      const answer = await site.get(path, cookie);
      expect([path, answer.status, answer.headers.location]).toEqual([path, 303, '/settings']);
    }
    const settings = await site.get('/settings', cookie);
    expect(settings.status).toBe(200);
    expect(settings.body).toContain('An admin has to confirm your account.');
    expect(settings.body).not.toContain('href="/customers"');
    await confirmOperator(deps(), id, { operator: admin, reason: 'is who they are' });
    expect((await site.get('/operators', cookie)).status).toBe(200);
  });

  it('gets no mail about work before the admin has confirmed it', async () => {
    const { id } = await addUnconfirmedOperator(site.people, 'COMPLIANCE');
    const told = async () => {
      const people = site.people.people;
      const rows = await people.system((tx) => listOperatorAddresses(tx, ['COMPLIANCE'], 100));
      return rows.map((one) => one.id);
    };
    expect(await told()).toContain(first);
    expect(await told()).not.toContain(id);
    await confirmOperator(deps(), id, { operator: admin, reason: 'is who they are' });
    expect(await told()).toContain(id);
  });

  it('proposes nothing either', async () => {
    const { id } = await addUnconfirmedOperator(site.people, 'COMPLIANCE');
    await expect(propose(id)).rejects.toMatchObject({ constraint: 'approvals_are_operators' });
  });

  it('approves nothing before the admin has confirmed it in the console', async () => {
    const { id } = await addUnconfirmedOperator(site.people, 'COMPLIANCE');
    const proposal = await propose();
    await expect(approve(proposal, id)).rejects.toThrow(ApprovalRefused);
    const list = await site.get('/operators', adminCookie);
    expect(list.body).toContain('Not confirmed');
    const path = `/operators/${id}/confirm`;
    const second = await site.submit(path, path, { reason: 'is who they are' }, adminCookie);
    const done = await site.confirm(second, path, adminCookie);
    expect(done.status).toBe(303);
    await approve(proposal, id);
    const again = await site.submit(path, path, { reason: 'twice' }, adminCookie);
    expect((await site.confirm(again, path, adminCookie)).status).toBe(409);
  });

  it('is confirmed neither by itself, nor by one who is no admin or not confirmed', async () => {
    const { id: second } = await addUnconfirmedOperator(site.people, 'ADMIN');
    const { id } = await addUnconfirmedOperator(site.people, 'COMPLIANCE');
    const by = (operator: string) => confirmOperator(deps(), id, { operator, reason: 'x' });
    expect(await confirmOperator(deps(), second, { operator: second, reason: 'x' })).toBe(false);
    const refused = { constraint: 'admins_confirm_operators' };
    await expect(by(first)).rejects.toMatchObject(refused);
    await expect(by(second)).rejects.toMatchObject(refused);
    const forge = site.people.people.system((tx) =>
      tx.query('UPDATE operators SET confirmed_at = now(), confirmed_by = id WHERE id = $1', [id]),
    );
    await expect(forge).rejects.toMatchObject(refused);
    expect(await by(admin)).toBe(true);
  });
});
