import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proposeResumption } from '../../../src/modules/customers/resume-customer.ts';
import { findCustomer } from '../../../src/db/customers/customer-status-store.ts';
import { disableOperator } from '../../../src/modules/customers/access/disable-operator.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import type { SiteAnswer } from '../../support/web/site-client.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let ada: Awaited<ReturnType<typeof person>>;
let ben: typeof ada;
let support: typeof ada;
let admin: typeof ada;
let customerId: string;

async function person(role: 'SUPPORT' | 'OPERATIONS' | 'COMPLIANCE' | 'ADMIN') {
  const { id } = await addTestOperator(site.people, role);
  return { id, cookie: await site.logIn(id) };
}

beforeAll(async () => {
  site = await startSite('console');
  [ada, ben] = [await person('COMPLIANCE'), await person('COMPLIANCE')];
  [support, admin] = [await person('SUPPORT'), await person('ADMIN')];
});
afterAll(() => site.close());
beforeEach(async () => {
  customerId = await site.database.db.system((tx) => addCustomer(tx));
});

const rows = <Row extends object>(sql: string, ...values: unknown[]) =>
  site.people.people.system((tx) => tx.query<Row>(sql, values));
const statusOf = async () =>
  (await rows<{ status: string }>('SELECT status FROM customers WHERE id = $1', customerId))[0]
    ?.status;
const auditOf = async (subject: string) =>
  (
    await rows<{ text: string }>(
      `SELECT actor || ' ' || action AS text FROM audit_log WHERE subject = $1 ORDER BY id`,
      subject,
    )
  ).map(({ text }) => text);

/** Fills in the form of an act, and proves it with the code from the mail. */
async function act(path: string, fields: Record<string, string>, cookie: string) {
  const second = await site.submit(path, path, { reason: 'as agreed', ...fields }, cookie);
  if (second.status !== 200) return second;
  return site.confirm(second, path, cookie);
}
const whereTo = ({ status, headers }: SiteAnswer) => [status, headers.location];

const suspend = (cookie = ada.cookie) => act(`/customers/${customerId}/suspend`, {}, cookie);
async function propose(cookie = ada.cookie): Promise<string> {
  const { status, headers } = await act(`/customers/${customerId}/resume`, {}, cookie);
  expect(status).toBe(303);
  return String(headers.location);
}

describe('suspending takes one operator', () => {
  it('and holds at once, with its audit row, and a mail to the owner', async () => {
    const { address } = await addTestUser(site.people, customerId, 'OWNER');
    expect(whereTo(await suspend())).toEqual([303, `/customers/${customerId}`]);
    expect(await statusOf()).toBe('SUSPENDED');
    expect(await auditOf(customerId)).toContain(`operator:${ada.id} customer.suspend`);
    const mail = await site.lastMail();
    expect(mail.kind).toBe('CUSTOMER_SUSPENDED');
    expect(mail.text).not.toContain(address);
  });

  it('nothing happens without the code from the mail, and one code does one act', async () => {
    const path = `/customers/${customerId}/suspend`;
    const second = await site.submit(path, path, { reason: 'no' }, ada.cookie);
    expect([second.status, await statusOf()]).toEqual([200, 'ACTIVE']);
    const fields = site.hiddenFields(second.body, path);
    fields.append('proof', '0000 0000');
    expect((await site.post(path, fields, ada.cookie)).status).toBe(422);
    expect(await statusOf()).toBe('ACTIVE');
    expect(await auditOf(customerId)).toEqual([]);
  });

  it('a form that is sent twice, or late, changes nothing more', async () => {
    const path = `/customers/${customerId}/suspend`;
    const opened = await site.get(path, ada.cookie);
    expect((await suspend()).status).toBe(303);
    const late = site.hiddenFields(opened.body, path);
    late.append('reason', 'late');
    expect((await site.post(path, late, ada.cookie)).status).toBe(409);
    expect(await auditOf(customerId)).toHaveLength(1);
  });

  it('without a reason the form comes back as it was, and says so', async () => {
    const path = `/customers/${customerId}/suspend`;
    const answer = await site.submit(path, path, { reason: '  ' }, ada.cookie);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('Enter a reason.');
  });
});

describe('resuming takes two', () => {
  beforeEach(async () => {
    expect((await suspend()).status).toBe(303);
  });

  it('what one proposed stays so until another one approves; the first is refused', async () => {
    const proposal = await propose();
    expect(await statusOf()).toBe('SUSPENDED');
    const alone = await act(`${proposal}/approve`, {}, ada.cookie);
    expect(alone.status).toBe(409);
    expect(alone.body).toContain('cannot approve it');
    expect(await statusOf()).toBe('SUSPENDED');
    expect(whereTo(await act(`${proposal}/approve`, {}, ben.cookie))).toEqual([303, proposal]);
    expect(await statusOf()).toBe('ACTIVE');
    const shown = await site.get(proposal, ben.cookie);
    expect(shown.body).toContain('In effect');
    expect(await auditOf(proposal.slice('/approvals/'.length))).toEqual([
      `operator:${ada.id} approval.propose`,
      `operator:${ben.id} approval.approve`,
    ]);
  });

  it('who may approve gets a mail, who proposed it does not', async () => {
    const before = (await rows('SELECT FROM mails')).length;
    const proposal = await propose();
    const mails = await rows<{ kind: string }>('SELECT kind FROM mails OFFSET $1', before);
    const told = mails.filter(({ kind }) => kind === 'OPS_APPROVAL_WAITING');
    const [count] = await rows<{ count: bigint }>(
      `SELECT count(*) FROM operators WHERE role = 'COMPLIANCE' AND status = 'ACTIVE'`,
    );
    expect(told).toHaveLength(Number(count?.count) - 1);
    expect((await site.lastMail()).text).toContain(proposal);
  });

  it('one that was handed in by a command is taken up first', async () => {
    const deps = { db: site.people.people, clock: site.clock };
    const row = await deps.db.system((tx) => findCustomer(tx, customerId));
    if (row === null) throw new Error('the customer is gone');
    const id = await proposeResumption(deps, row, { operator: 'cleo', reason: 'by command' });
    const path = `/approvals/${String(id)}`;
    expect((await site.get(path, ben.cookie)).body).toContain('From the command line');
    expect((await act(`${path}/approve`, {}, ben.cookie)).body).toContain('take it up first');
    expect((await act(`${path}/take-up`, {}, ada.cookie)).status).toBe(303);
    expect((await act(`${path}/approve`, {}, ada.cookie)).status).toBe(409);
    expect(await statusOf()).toBe('SUSPENDED');
    expect((await act(`${path}/approve`, {}, ben.cookie)).status).toBe(303);
    expect(await statusOf()).toBe('ACTIVE');
  });

  it('not where the customer was suspended anew in between', async () => {
    const proposal = await propose();
    await act(`${proposal}/approve`, {}, ben.cookie);
    const second = await site.submit(
      ...[`/customers/${customerId}/suspend`, `/customers/${customerId}/suspend`],
      { reason: 'again' },
      ada.cookie,
    );
    await site.confirm(second, `/customers/${customerId}/suspend`, ada.cookie);
    expect((await act(`${proposal}/approve`, {}, ben.cookie)).status).toBe(409);
    expect(await statusOf()).toBe('SUSPENDED');
  });

  it('not where who proposed it was disabled meanwhile', async () => {
    const carl = await person('COMPLIANCE');
    const proposal = await propose(carl.cookie);
    const act1 = { operator: admin.id, reason: 'left the company' };
    await disableOperator({ db: site.people.people, clock: site.clock }, carl.id, act1);
    const answer = await act(`${proposal}/approve`, {}, ben.cookie);
    expect([answer.status, await statusOf()]).toEqual([409, 'SUSPENDED']);
  });

  it('the database refuses it ACTIVE without an approval in use, from every role', async () => {
    const sql = `UPDATE customers SET status = 'ACTIVE' WHERE id = $1`;
    const { db, people } = site.database;
    await expect(people.system((tx) => tx.query(sql, [customerId]))).rejects.toMatchObject({
      code: '23514',
    });
    // The worker changes no customer at all.
    await expect(db.system((tx) => tx.query(sql, [customerId]))).rejects.toMatchObject({
      code: '42501',
    });
    const scope = { customerId, environment: 'live' } as const;
    await expect(
      people.write(scope, (tx) => tx.query('SELECT resume_customer($1)', [customerId])),
    ).rejects.toMatchObject({ code: '23514' });
    expect(await statusOf()).toBe('SUSPENDED');
  });

  it('one operator refuses it, and none approves it then', async () => {
    const proposal = await propose();
    expect((await act(`${proposal}/refuse`, {}, ben.cookie)).status).toBe(303);
    expect((await act(`${proposal}/approve`, {}, ben.cookie)).status).toBe(409);
    expect((await site.get(proposal, ben.cookie)).body).toContain('Refused');
  });
});

describe('operators', () => {
  it('an admin disables another one, who is out with the answer', async () => {
    const dora = await person('OPERATIONS');
    expect((await site.get('/', dora.cookie)).status).toBe(200);
    expect((await act(`/operators/${dora.id}/disable`, {}, admin.cookie)).status).toBe(303);
    expect((await site.get('/', dora.cookie)).status).toBe(303);
    expect(await auditOf(dora.id)).toEqual([
      `operator:${admin.id} operator.confirm`,
      `operator:${admin.id} operator.disable`,
    ]);
    expect((await act(`/operators/${dora.id}/disable`, {}, admin.cookie)).status).toBe(409);
  });

  it('no admin disables their own account, and of two admins at once one stays', async () => {
    expect((await act(`/operators/${admin.id}/disable`, {}, admin.cookie)).status).toBe(409);
    const other = await person('ADMIN');
    const deps = { db: site.people.people, clock: site.clock };
    const both = await Promise.all([
      disableOperator(deps, other.id, { operator: admin.id, reason: 'x' }),
      disableOperator(deps, admin.id, { operator: other.id, reason: 'x' }),
    ]);
    expect(both.filter((one) => one === 'DONE')).toHaveLength(1);
    const active = await rows(`SELECT FROM operators WHERE role = 'ADMIN' AND status = 'ACTIVE'`);
    expect(active).toHaveLength(1);
  });
});

describe('who lacks the right', () => {
  it('sees the page without the act, and is refused its form and its post', async () => {
    const path = `/customers/${customerId}`;
    const page = await site.get(path, support.cookie);
    expect(page.status).toBe(200);
    expect(page.body).not.toContain('/suspend');
    const refused = await site.get(`${path}/suspend`, support.cookie);
    expect([refused.status, refused.body.includes('compliance')]).toEqual([403, true]);
    expect((await site.post(`${path}/suspend`, new URLSearchParams(), support.cookie)).status).toBe(
      403,
    );
  });

  it('of the approval’s action is refused, whatever else the role decides', async () => {
    await suspend();
    const proposal = await propose();
    const operations = await person('OPERATIONS');
    const refused = await site.get(`${proposal}/approve`, operations.cookie);
    expect(refused.status).toBe(403);
    expect((await site.get(proposal, operations.cookie)).body).not.toContain('/approve"');
  });

  it('is sent to the login without a session', async () => {
    for (const path of ['/', '/approvals', `/customers/${customerId}/suspend`]) {
      expect((await site.get(path)).status, path).toBe(303);
    }
  });
});

describe('what there is not', () => {
  it('is the same page for every id, byte for byte but for its own request', async () => {
    const paths = [
      ...['/approvals/apr_none', '/approvals/apr_none/approve', '/payments/pay_none'],
      ...['/payments/pay_none/retry', '/reconciliation/credits/fc_none', '/statements/1'],
      ...['/statements/x', '/statements/1/accept', '/reviews/scr_none', '/reviews/scr_none/refuse'],
      ...[
        '/customers/cus_none',
        '/release/9/resume',
        '/customers/cus_platform/suspend',
        '/nothing',
      ],
    ];
    const boss = await person('COMPLIANCE');
    const worker = await person('OPERATIONS');
    const bodies = new Set<string>();
    for (const path of paths) {
      const isMoney = /retry|accept|release/.test(path);
      const answer = await site.get(path, isMoney ? worker.cookie : boss.cookie);
      expect(answer.status, path).toBe(404);
      bodies.add(answer.body);
    }
    expect(bodies.size).toBe(1);
  });
});
