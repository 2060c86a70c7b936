import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeApiRequests } from '../../../../src/db/customers/api-request-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { HOLDER, IBAN } from '../../../support/payment-harness.ts';
import { setCustomerStatus } from '../../../support/set-customer-status.ts';
import type { SiteAnswer } from '../../../support/web/site-client.ts';
import {
  sameness,
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

const MISSING = 'pay_01k6b7q0e8f1htx9n3r5p7v2ab';

let dashboard: TestDashboard;
let owner: string;
let woken: string[];
let isTemporalDown = false;
beforeAll(async () => {
  dashboard = await startDashboard({
    wakePayment: async (_workflow, { paymentId }, why) => {
      if (isTemporalDown) throw new Error('Temporal is out of reach');
      woken.push(`${why} ${paymentId}`);
    },
  });
  owner = await dashboard.logIn('OWNER');
});
afterAll(() => dashboard.close());
beforeEach(() => {
  woken = [];
  isTemporalDown = false;
});

const pathOf = (id: string, act = ''): string => `/test/payments/${id}${act}`;
const open = async (id: string, cookie = owner) => {
  const answer = await dashboard.site.get(pathOf(id), cookie);
  expect(answer.status, answer.body).toBe(200);
  return answer.body;
};
/** The element `div` that begins there, with all that is in it. */
function insideOf(html: string, from: number): string {
  let depth = 0;
  for (const { 0: tag, index } of html.slice(from).matchAll(/<(\/?)div\b/g)) {
    depth += tag === '<div' ? 1 : -1;
    if (depth === 0) return html.slice(from, from + index);
  }
  throw new Error('the element does not end');
}
const statusOf = async (id: string) => {
  const answer = await dashboard.harness.ask({ url: `/payments/${id}` });
  return answer.json<{ status: string; version: number }>();
};

describe('the page of a payment', () => {
  it('says where the money is, what happened, and what comes next from whom', async () => {
    const id = await dashboard.harness.accept({ amount: '1250.00', externalId: 'inv-1' });
    const queued = await open(id);
    expect(queued).toMatch(/progress-step-here[^>]*aria-current="step"[^>]*>.{0,80}Reserved/s);
    expect(queued).toContain('<b>1,250.00</b>');
    expect(queued).toContain('inv-1');
    expect(queued).toContain('Expected arrival');
    expect(queued).toContain(`/api/v1/payments/${id}`);
    await dashboard.settle(id, 'ACCEPTED');
    const sent = await open(id);
    expect(sent).toMatch(/progress-step-here[^>]*aria-current="step"[^>]*>.{0,80}At the bank/s);
    expect(sent).toContain('timeline-now');
    expect(sent).toMatch(/timeline-next.*Completed.*waits for the bank/s);
    expect(sent).not.toContain('Cancel this payment');
  });

  it('says why a payment failed, and where its money is again', async () => {
    const id = await dashboard.harness.accept();
    await dashboard.settle(id, 'REJECTED');
    const page = await open(id);
    expect(page).toMatch(/progress-step-here[^>]*aria-current="step"[^>]*>.{0,80}Balance/s);
    expect(page).toContain('Why it failed');
    expect(page).not.toContain('timeline-next');
  });

  it('says that it is unknown where the money is, where the bank does not know', async () => {
    const id = await dashboard.harness.accept();
    await dashboard.settle(id);
    await dashboard.change(id, { statusDetail: 'OUTCOME_UNKNOWN', fundsStatus: 'UNKNOWN' });
    expect(await open(id)).toContain('progress-step-unknown');
  });

  it('tells what was delivered of its events, to which endpoint', async () => {
    const answer = await dashboard.harness.ask({
      ...{ method: 'POST', url: '/webhook-endpoints' },
      body: { url: 'http://127.0.0.1:9/hooks' },
    });
    const endpoint = answer.json<{ id: string }>().id;
    const id = await dashboard.harness.accept();
    const page = await open(id);
    expect(page).toContain(`href="/test/webhooks/${endpoint}"`);
    expect(page).toContain('payment.created');
    expect(page).toContain('Waiting');
    await dashboard.harness.ask({
      method: 'DELETE',
      url: `/webhook-endpoints/${endpoint}`,
    } as never);
  });

  it('moves by itself: what is asked for again is the page as it is then, and no use of the session', async () => {
    const id = await dashboard.harness.accept();
    expect(await open(id)).toContain('data-refresh="2000"');
    await dashboard.settle(id, 'SETTLED');
    const again = await dashboard.site.ask(pathOf(id), {
      cookie: owner,
      'x-causeway-refresh': '1',
    });
    expect(again.body).toContain('Completed');
    // Forms stand outside: a new token would be a change of the region.
    const regions = [...again.body.matchAll(/<div[^>]*data-refresh[^>]*>/g)];
    expect(regions.length).toBeGreaterThan(2);
    for (const { index } of again.body.matchAll(/<div[^>]*data-refresh[^>]*>/g)) {
      expect(insideOf(again.body, index)).not.toContain('<form');
    }
  });

  it('shows no person’s name and digits, to any role', async () => {
    const id = await dashboard.harness.accept({ reference: 'planted-reference' });
    for (const role of ['OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER'] as const) {
      const page = await open(id, await dashboard.logIn(role));
      expect(page).toContain('A••• S•••');
      expect(page).toContain('DE •••• 3000');
      for (const secret of [HOLDER, IBAN, 'Sample</', 'planted-reference', '8937040044053']) {
        expect(page.replaceAll('Sample Ltd', ''), secret).not.toContain(secret);
      }
    }
  });
});

describe('the requests for a payment', () => {
  it('are on its page, newest first, and lead to the log; those about others are not', async () => {
    const { harness, payer, db, clock } = dashboard;
    const [id, other] = [await harness.accept(), await harness.accept()];
    const [key] = await harness.rows<{ id: string }>(
      `SELECT id FROM api_keys WHERE customer_id = $1 AND environment = 'test' LIMIT 1`,
      [payer.scope.customerId],
    );
    const about = (paymentId: string, method: string, status: number) => ({
      ...{ apiKeyId: key?.id ?? '', requestId: newId('req'), at: clock.now(), method, status },
      ...{ route: '/api/v1/payments', errorCode: null, durationMs: 3, address: null, paymentId },
    });
    const requests = [about(id, 'POST', 201), about(other, 'POST', 201), about(id, 'GET', 404)];
    await writeApiRequests(db, requests, clock.now());
    const page = await open(id);
    const [made, strange, last] = requests.map(({ requestId }) => page.indexOf(requestId));
    expect(strange).toBe(-1);
    expect(last).toBeGreaterThan(0);
    expect(made).toBeGreaterThan(last ?? 0);
    expect(page).toContain(`href="/test/requests?payment=${id}"`);
    const log = await dashboard.site.get(`/test/requests?payment=${id}`, owner);
    const inLog = requests.map(({ requestId }) => log.body.includes(requestId));
    expect([log.status, inLog]).toEqual([200, [true, false, true]]);
    expect((await dashboard.site.get('/test/requests?payment=x', owner)).status).toBe(422);
  });
});

describe('looking at what is masked', () => {
  it('shows it once, to who may, and writes the look down', async () => {
    const id = await dashboard.harness.accept({
      reference: 'Invoice 4711',
      metadata: { OrderID: 'x-9' },
    });
    const before = (await dashboard.audit()).length;
    const act = pathOf(id, '/unmask');
    const page = await dashboard.site.get(pathOf(id), owner);
    const fields = dashboard.site.hiddenFields(page.body, act);
    const shown = await dashboard.site.post(act, fields, owner);
    expect(shown.status).toBe(201);
    for (const text of [HOLDER, IBAN, 'Invoice 4711', 'metadata OrderID', 'x-9']) {
      expect(shown.body).toContain(text);
    }
    expect(shown.headers['cache-control']).toBe('no-store');
    const again = await dashboard.site.post(act, fields, owner);
    expect(again.status).toBe(409);
    expect(again.body).not.toContain(IBAN);
    const looks = (await dashboard.audit()).slice(before);
    expect(looks).toEqual([
      { actor: expect.stringMatching(/^user:usr_/), action: 'payment.unmask', subject: id },
    ]);
  });

  it.each(['DEVELOPER', 'VIEWER'] as const)(
    'is refused to a %s, who is not offered it',
    async (role) => {
      const id = await dashboard.harness.accept();
      const cookie = await dashboard.logIn(role);
      expect(await open(id, cookie)).not.toContain('unmask');
      const before = (await dashboard.audit()).length;
      const answer = await dashboard.site.post(
        pathOf(id, '/unmask'),
        new URLSearchParams(),
        cookie,
      );
      expect(answer.status).toBe(403);
      expect(answer.body).not.toContain(IBAN);
      expect(await dashboard.audit()).toHaveLength(before);
    },
  );

  it('is the same 404 for a foreign payment as for none, even of a form of ours; nothing is written down', async () => {
    const { payer, harness } = dashboard;
    const live = await harness.addPayer({ ...payer.scope, environment: 'live' });
    const foreign = [
      await dashboard.payAs(await dashboard.addStranger()),
      await dashboard.payAs(live),
    ];
    const before = (await dashboard.audit()).length;
    for (const [act, fields] of [
      ['unmask', {}],
      ['cancel', { version: '1' }],
    ] as const) {
      const answers: SiteAnswer[] = [];
      for (const id of [MISSING, 'nonsense', ...foreign]) {
        const form = await dashboard.forge(owner, pathOf(id, `/${act}`));
        for (const [name, text] of Object.entries(fields)) form.set(name, text);
        answers.push(await dashboard.site.post(pathOf(id, `/${act}`), form, owner));
      }
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(new Set(answers.map(sameness)).size).toBe(1);
    }
    expect(await dashboard.audit()).toHaveLength(before);
  });

  it('is not offered to a suspended customer’s users, and refused', async () => {
    const id = await dashboard.harness.accept();
    const page = await dashboard.site.get(pathOf(id), owner);
    const fields = dashboard.site.hiddenFields(page.body, pathOf(id, '/unmask'));
    const suspend = (status: string) =>
      setCustomerStatus(dashboard.harness.database.url, dashboard.payer.scope.customerId, status);
    await suspend('SUSPENDED');
    try {
      expect(await open(id)).not.toContain('unmask');
      expect((await dashboard.site.post(pathOf(id, '/unmask'), fields, owner)).status).toBe(403);
    } finally {
      await suspend('ACTIVE');
    }
  });
});

describe('canceling', () => {
  const ask = (id: string, cookie = owner) =>
    dashboard.site.submit(pathOf(id), pathOf(id, '/cancel'), {}, cookie);

  it('takes a code that was mailed for it, releases the funds once, and leaves its trace', async () => {
    const id = await dashboard.harness.accept({ amount: '77.00' });
    const before = await dashboard.harness.balance();
    const second = await ask(id);
    expect(second.status).toBe(200);
    expect((await statusOf(id)).status).toBe('PROCESSING');
    const mail = await dashboard.site.lastMail();
    expect(mail.text).toContain(`Cancel the payment ${id}`);
    expect(mail.text).not.toContain('77.00');
    const done = await dashboard.site.confirm(second, pathOf(id, '/cancel'), owner);
    expect([done.status, done.headers.location]).toEqual([303, pathOf(id)]);
    expect(await statusOf(id)).toMatchObject({ status: 'CANCELED', version: 2 });
    const after = await dashboard.harness.balance();
    expect(BigInt(after.available) - BigInt(before.available)).toBe(7_700n);
    expect((await dashboard.audit()).at(-1)).toMatchObject({
      action: 'payment.cancel',
      subject: id,
    });
    const [history] = await dashboard.harness.rows<{ actor: string }>(
      'SELECT actor FROM payment_history WHERE payment_id = $1 AND version = 2',
      [id],
    );
    expect(history?.actor).toMatch(/^user:usr_/);
    expect(woken).toEqual([`cancel ${id}`]);
  });

  it('is done once, however often the right code is posted at once', async () => {
    const id = await dashboard.harness.accept();
    const action = pathOf(id, '/cancel');
    const second = await ask(id);
    const fields = dashboard.site.hiddenFields(second.body, action);
    fields.append('proof', (await dashboard.site.lastMail()).code);
    const before = (await dashboard.audit()).length;
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => dashboard.site.post(action, fields, owner)),
    );
    // The first one's proof renewed the session: the others come with the token of before.
    const done = ends.filter(({ headers }) => headers.location === pathOf(id));
    expect(done).toHaveLength(1);
    expect(ends.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await statusOf(id)).toMatchObject({ status: 'CANCELED', version: 2 });
    expect(await dashboard.audit()).toHaveLength(before + 1);
  });

  it('of a version that is not the newest is refused, and says what it is now', async () => {
    const id = await dashboard.harness.accept();
    const page = await dashboard.site.get(pathOf(id), owner);
    const fields = dashboard.site.hiddenFields(page.body, pathOf(id, '/cancel'));
    await dashboard.hold(id);
    const mails = dashboard.site.mailIds.length;
    const answer = await dashboard.site.post(pathOf(id, '/cancel'), fields, owner);
    expect(answer.status).toBe(409);
    expect(answer.body).toContain('You saw version 1 of this payment. It is now version 2.');
    expect(answer.body).toContain('On hold');
    expect(dashboard.site.mailIds).toHaveLength(mails);
    expect((await statusOf(id)).status).toBe('ON_HOLD');
  });

  it('that was proven for one version does not cancel another', async () => {
    const id = await dashboard.harness.accept();
    const second = await ask(id);
    await dashboard.hold(id);
    const answer = await dashboard.site.confirm(second, pathOf(id, '/cancel'), owner);
    expect(answer.status).toBe(409);
    expect(answer.body).toContain('It is now version 2');
    expect((await statusOf(id)).status).toBe('ON_HOLD');
    expect((await dashboard.audit()).filter(({ subject }) => subject === id)).toEqual([]);
  });

  it('of a payment that was sent while its person looked for the code is refused', async () => {
    const id = await dashboard.harness.accept();
    const second = await ask(id);
    await dashboard.settle(id, 'SETTLED');
    const answer = await dashboard.site.confirm(second, pathOf(id, '/cancel'), owner);
    expect(answer.status).toBe(409);
    expect((await statusOf(id)).status).toBe('COMPLETED');
  });

  it('needs a version that is one', async () => {
    const id = await dashboard.harness.accept();
    const action = pathOf(id, '/cancel');
    for (const version of ['', '0', '-1', '1e3', '9'.repeat(10), '2']) {
      const page = await dashboard.site.get(pathOf(id), owner);
      const fields = dashboard.site.hiddenFields(page.body, action);
      fields.set('version', version);
      const answer = await dashboard.site.post(action, fields, owner);
      expect(answer.status, version).toBe(version === '2' ? 409 : 400);
    }
    expect((await statusOf(id)).status).toBe('PROCESSING');
  });

  it.each(['DEVELOPER', 'VIEWER'] as const)(
    'is refused to a %s, who is not offered it',
    async (role) => {
      const id = await dashboard.harness.accept();
      const cookie = await dashboard.logIn(role);
      expect(await open(id, cookie)).not.toContain('Cancel this payment');
      const action = pathOf(id, '/cancel');
      const page = await dashboard.site.get(pathOf(id), owner);
      const fields = dashboard.site.hiddenFields(page.body, action);
      expect((await dashboard.site.post(action, fields, cookie)).status).toBe(403);
      expect((await statusOf(id)).status).toBe('PROCESSING');
    },
  );

  it('still succeeds while Temporal is out of reach: the reconciler ends the workflow', async () => {
    const id = await dashboard.harness.accept();
    const second = await ask(id);
    isTemporalDown = true;
    const done = await dashboard.site.confirm(second, pathOf(id, '/cancel'), owner);
    expect(done.status).toBe(303);
    expect((await statusOf(id)).status).toBe('CANCELED');
  });
});

it('the books hold after all of it', () => dashboard.harness.expectBooksToHold());
