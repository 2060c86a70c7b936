import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IBAN } from '../../../support/payment-harness.ts';
import type { SiteAnswer } from '../../../support/web/site-client.ts';
import {
  sameness,
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

const MISSING = 'eu_01k6b7q0e8f1htx9n3r5p7v2ab';
const PERSON = {
  type: 'INDIVIDUAL',
  externalId: 'client-1',
  individual: {
    ...{ firstName: 'Grace', lastName: 'Planted', dateOfBirth: '1906-12-09' },
    taxIds: [{ country: 'DE', number: '12345678911' }],
  },
  email: 'grace@planted.example',
  phone: '+4930123456',
  address: { line1: 'Planted Street 1', city: 'Plantedtown', country: 'DE' },
};
const SECRETS = ['Grace', 'Planted', '1906', '345678911', 'grace@', '123456', 'Street'];

let dashboard: TestDashboard;
let owner: string;
let personId: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.logIn('OWNER');
  const answer = await dashboard.harness.ask({ method: 'POST', url: '/end-users', body: PERSON });
  personId = answer.json<{ id: string }>().id;
});
afterAll(() => dashboard.close());

const get = async (path: string, cookie = owner) => {
  const answer = await dashboard.site.get(`/test/end-users${path}`, cookie);
  expect(answer.status, answer.body).toBe(200);
  return answer.body;
};
const idsOf = (html: string) =>
  [...html.matchAll(/href="\/test\/end-users\/(eu_[0-9a-z]+)"/g)].map(([, id]) => id);

describe('the list of end-users', () => {
  it('shows them newest first, masked, and is narrowed by KYC, type, status and ids', async () => {
    const { endUserId } = dashboard.payer;
    const all = await get('');
    expect(idsOf(all)).toEqual([personId, endUserId]);
    expect(all).toContain('G••• P•••');
    for (const secret of SECRETS) expect(all, secret).not.toContain(secret);
    expect(idsOf(await get('?kyc=APPROVED'))).toEqual([endUserId]);
    expect(idsOf(await get('?kyc=NOT_STARTED&type=INDIVIDUAL'))).toEqual([personId]);
    expect(idsOf(await get('?type=BUSINESS'))).toEqual([]);
    expect(idsOf(await get(`?search=${endUserId}`))).toEqual([endUserId]);
    expect(idsOf(await get('?search=client-1&status=ACTIVE'))).toEqual([personId]);
    expect(idsOf(await get(`?search=${MISSING}`))).toEqual([]);
    const wrong = await dashboard.site.get('/test/end-users?kyc=MAYBE', owner);
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain('<a href="#kyc">');
  });

  it('begins with the request that registers the first one', async () => {
    const customerId = (await dashboard.addStranger()).scope.customerId;
    const cookie = await dashboard.logIn('VIEWER', customerId);
    const [row] = await dashboard.harness.rows<{ live_access: boolean }>(
      'SELECT live_access FROM customers WHERE id = $1',
      [customerId],
    );
    expect(row?.live_access).toBe(true);
    const page = await dashboard.site.get('/live/end-users', cookie);
    expect(page.body).toContain('No end-user yet');
    expect(page.body).toContain('/api/v1/end-users');
  });
});

describe('the page of an end-user', () => {
  it('shows rounds of KYC with their reasons, accounts and payments, and nothing personal', async () => {
    const { endUserId, kycCheckId } = dashboard.payer;
    const paymentId = await dashboard.harness.accept();
    await dashboard.harness.rows(
      `UPDATE kyc_checks SET reasons = '[{"code":"DOCUMENT_EXPIRED","message":"A document has expired.","retryable":true}]'
       WHERE id = $1`,
      [kycCheckId],
    );
    for (const role of ['OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER'] as const) {
      const page = await get(`/${endUserId}`, await dashboard.logIn(role));
      expect(page).toContain('A••• S•••');
      expect(page).toMatch(/Round .*1.*Approved.*A document has expired\..*DOCUMENT_EXPIRED/s);
      expect(page).toContain('DE •••• 3000');
      expect(page).toContain(`/test/payments/${paymentId}`);
      expect(page).toContain(`/test/payments?search=${endUserId}`);
      expect(page).not.toContain(IBAN);
      expect(page.replaceAll('Sample Ltd', '')).not.toContain('Sample');
      expect(page).not.toContain('/kyc/');
    }
    const other = await get(`/${personId}`);
    for (const secret of SECRETS) expect(other, secret).not.toContain(secret);
    expect(other).toContain('No KYC check was started.');
  });

  it('shows what is masked once, to who may, and writes the look down', async () => {
    const path = `/test/end-users/${personId}`;
    const page = await dashboard.site.get(path, owner);
    const fields = dashboard.site.hiddenFields(page.body, `${path}/unmask`);
    const shown = await dashboard.site.post(`${path}/unmask`, fields, owner);
    expect(shown.status).toBe(201);
    for (const secret of SECRETS) expect(shown.body, secret).toContain(secret);
    expect((await dashboard.site.post(`${path}/unmask`, fields, owner)).status).toBe(409);
    expect(await dashboard.audit()).toEqual([
      { actor: expect.stringMatching(/^user:usr_/), action: 'end_user.unmask', subject: personId },
    ]);
    for (const role of ['DEVELOPER', 'VIEWER'] as const) {
      const cookie = await dashboard.logIn(role);
      expect(await get(`/${personId}`, cookie)).not.toContain('unmask');
      const form = await dashboard.forge(cookie, `${path}/unmask`);
      expect((await dashboard.site.post(`${path}/unmask`, form, cookie)).status).toBe(403);
    }
    expect(await dashboard.audit()).toHaveLength(1);
  });

  it('says of one who was erased that nothing can be read', async () => {
    const answer = await dashboard.harness.ask({
      ...{ method: 'POST', url: '/end-users', body: { ...PERSON, externalId: 'client-2' } },
    });
    const { id } = answer.json<{ id: string }>();
    await dashboard.harness.rows(
      `UPDATE end_user_keys SET wrapped_key = NULL, erased_at = now() WHERE end_user_id = $1`,
      [id],
    );
    expect(await get(`/${id}`)).toContain('Erased');
    const path = `/test/end-users/${id}`;
    const shown = await dashboard.site.submit(path, `${path}/unmask`, {}, owner);
    expect(shown.status).toBe(201);
    expect(shown.body).toContain('The data was erased');
  });

  it('is the same 404 for a missing, a foreign and the other environment’s one, also of a form', async () => {
    const { harness, payer } = dashboard;
    const live = await harness.addPayer({ ...payer.scope, environment: 'live' });
    const wanted = [MISSING, 'nonsense', (await dashboard.addStranger()).endUserId, live.endUserId];
    const before = await dashboard.audit();
    for (const act of ['', '/unmask']) {
      const answers: SiteAnswer[] = [];
      for (const id of wanted) {
        const path = `/test/end-users/${id}${act}`;
        answers.push(
          act === ''
            ? await dashboard.site.get(path, owner)
            : await dashboard.site.post(path, await dashboard.forge(owner, path), owner),
        );
      }
      expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 404));
      expect(new Set(answers.map(sameness)).size).toBe(1);
    }
    expect(await dashboard.audit()).toEqual(before);
  });
});
