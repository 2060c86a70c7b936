import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askForAccess } from '../../../src/modules/customers/access/ask-for-access.ts';
import { acceptInvitation } from '../../../src/modules/customers/access/invitations.ts';
import { OPERATOR_ROLES } from '../../../src/domain/customers/access/operator-rights.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const DAY_MS = 24 * 3_600_000;

let site: Site;
let cookie: string;
let operatorId: string;
const woken: string[] = [];
beforeAll(async () => {
  site = await startSite('console', {
    workflows: {
      wakeOnboarding: async ({ requestId }) => {
        woken.push(requestId);
      },
    },
  });
});
afterAll(() => site.close());

const ASKED = {
  company: 'Wilhelmina Trading Ltd',
  name: 'Wilhelmina Sample',
  address: 'wilhelmina@sample.example',
  purpose: 'Salaries <script>alert(1)</script>',
};
let requestId: string;
let path: string;
beforeEach(async () => {
  operatorId = (await addTestOperator(site.people, 'COMPLIANCE')).id;
  cookie = await site.logIn(operatorId);
  requestId = await site.people.people.system((tx) => askForAccess(site.people, tx, ASKED));
  path = `/requests/${requestId}`;
});

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  site.database.people.system((tx) => tx.query<Row>(text, values));
const rowOf = async () =>
  (
    await sql<{ status: string; customer_id: string | null }>(
      'SELECT status, customer_id FROM access_requests WHERE id = $1',
      [requestId],
    )
  )[0];
const decide = async (act: 'approve' | 'decline', who = cookie) => {
  const fields: Record<string, string> = act === 'decline' ? { reason: 'ABUSE' } : {};
  const second = await site.submit(path, `${path}/${act}`, fields, who);
  return second.status === 200 ? site.confirm(second, `${path}/${act}`, who) : second;
};

describe('/requests', () => {
  it('lists what waits, newest first, and goes on where a page ends', async () => {
    for (let more = 0; more < 25; more += 1) {
      await site.people.people.system((tx) =>
        askForAccess(site.people, tx, { ...ASKED, company: `Company ${String(more)} Ltd` }),
      );
    }
    const first = await site.get('/requests', cookie);
    expect(first.body).toContain('Company 24 Ltd');
    expect(first.body).not.toContain('Company 4 Ltd');
    const [, next = ''] = /href="(\/requests\?[^"]*access-before=\d+)"/.exec(first.body) ?? [];
    const second = await site.get(next.replaceAll('&amp;', '&'), cookie);
    expect(second.body).toContain('Company 4 Ltd');
    expect(second.body).not.toContain('Company 5 Ltd');
    expect((await site.get('/requests?access=DECLINED', cookie)).body).toContain(
      'No access requests',
    );
    expect((await site.get('/requests?access-before=x', cookie)).status).toBe(404);
  });

  it.each(OPERATOR_ROLES)('shows %s what their role may see', async (role) => {
    const who = await site.logIn((await addTestOperator(site.people, role)).id);
    const pages = [await site.get('/requests', who), await site.get(path, who)];
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const text = pages.map(({ body }) => body).join('');
    const mayDecide = role === 'COMPLIANCE';
    for (const plain of [ASKED.company, ASKED.name, ASKED.address]) {
      expect(text.includes(plain), plain).toBe(mayDecide);
    }
    expect(text.includes(`${path}/approve`)).toBe(mayDecide);
    expect(text).not.toContain('<script>alert');
    if (mayDecide) return;
    const form = await site.get(path, cookie);
    const sent = await site.post(
      `${path}/approve`,
      site.hiddenFields(form.body, `${path}/approve`),
      who,
    );
    expect([sent.status, (await rowOf())?.status]).toEqual([403, 'WAITING']);
  });

  it('answers an id that is not there as any other missing page', async () => {
    const missing = `/requests/acr_${'0'.repeat(26)}`;
    const answers = [await site.get(missing, cookie), await site.get('/nothing', cookie)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
  });
});

describe('a decision', () => {
  it('that approves makes customer, invited owner and link at once, and wakes the workflow', async () => {
    const answer = await decide('approve');
    expect([answer.status, answer.headers['location']]).toEqual([303, path]);
    const row = await rowOf();
    expect(row?.status).toBe('APPROVED');
    const users = await sql(`SELECT role, status FROM users WHERE customer_id = $1`, [
      row?.customer_id,
    ]);
    expect(users).toEqual([{ role: 'OWNER', status: 'INVITED' }]);
    const [customer] = await sql('SELECT name, live_access FROM customers WHERE id = $1', [
      row?.customer_id,
    ]);
    expect(customer).toEqual({ name: ASKED.company, live_access: false });
    const { kind, text } = await site.lastMail();
    expect(kind).toBe('INVITATION');
    expect(text).toMatch(/\/verify\/[A-Za-z0-9_-]{43}/);
    expect(woken.at(-1)).toBe(requestId);
    const acts = await sql('SELECT actor, action FROM audit_log WHERE subject = $1', [requestId]);
    expect(acts).toEqual([{ actor: `operator:${operatorId}`, action: 'access_request.approved' }]);
  });

  it('that declines says so by mail and makes nothing', async () => {
    expect((await decide('decline')).status).toBe(303);
    expect(await rowOf()).toEqual({ status: 'DECLINED', customer_id: null });
    expect((await site.lastMail()).kind).toBe('REQUEST_DECLINED');
    const acts = await sql('SELECT action, details FROM audit_log WHERE subject = $1', [requestId]);
    expect(acts).toEqual([{ action: 'access_request.declined', details: { reason: 'ABUSE' } }]);
  });

  it('of two operators at the same time is one', async () => {
    const other = await site.logIn((await addTestOperator(site.people, 'COMPLIANCE')).id);
    const acts = [
      ['approve', cookie],
      ['decline', other],
    ] as const;
    const confirmed: (() => ReturnType<Site['confirm']>)[] = [];
    for (const [act, who] of acts) {
      const fields: Record<string, string> = act === 'decline' ? { reason: 'OTHER' } : {};
      const second = await site.submit(path, `${path}/${act}`, fields, who);
      const sent = site.hiddenFields(second.body, `${path}/${act}`);
      sent.append('proof', (await site.lastMail()).code);
      confirmed.push(() => site.post(`${path}/${act}`, sent, who));
    }
    const ends = await Promise.all(confirmed.map((send) => send()));
    expect(ends.map(({ status }) => status).sort()).toEqual([303, 409]);
    const acted = await sql('SELECT FROM audit_log WHERE subject = $1', [requestId]);
    expect(acted).toHaveLength(1);
  });

  it('after another one, and after the time is over, is refused before a code is mailed', async () => {
    const form = await site.get(path, cookie);
    const fields = site.hiddenFields(form.body, `${path}/approve`);
    await decide('decline');
    const mails = site.mailIds.length;
    expect((await site.post(`${path}/approve`, fields, cookie)).status).toBe(409);
    expect(site.mailIds).toHaveLength(mails);
    expect((await rowOf())?.status).toBe('DECLINED');
  });

  it('is not made after 90 days', async () => {
    site.clock.advance(90 * DAY_MS);
    cookie = await site.logIn(operatorId);
    expect((await decide('approve')).status).toBe(409);
    expect((await rowOf())?.status).toBe('WAITING');
  });

  it('needs its code: without one nothing is decided', async () => {
    const second = await site.submit(path, `${path}/approve`, {}, cookie);
    expect([second.status, (await rowOf())?.status]).toEqual([200, 'WAITING']);
    const fields = site.hiddenFields(second.body, `${path}/approve`);
    fields.append('proof', '00000000');
    expect((await site.post(`${path}/approve`, fields, cookie)).status).toBe(422);
    expect((await rowOf())?.status).toBe('WAITING');
  });

  it('can send the first owner another link, until they have used one', async () => {
    await decide('approve');
    const link = async () => /\/verify\/[\w-]{43}/.exec((await site.lastMail()).text)?.[0];
    const first = await link();
    const again = `${path}/invite`;
    const second = await site.submit(path, again, {}, cookie);
    expect((await site.confirm(second, again, cookie)).status).toBe(303);
    expect(await link()).not.toBe(first);
    const open = await sql(
      'SELECT FROM invitations WHERE ended_at IS NULL AND user_id IN (SELECT user_id FROM access_requests WHERE id = $1)',
      [requestId],
    );
    expect(open).toHaveLength(1);
    const token = /[\w-]{43}$/.exec((await link()) ?? '')?.[0] ?? '';
    const stale = await site.submit(path, again, {}, cookie);
    const { people } = site.people;
    expect(await people.system((tx) => acceptInvitation(site.people, tx, token))).toBe(true);
    expect((await site.confirm(stale, again, cookie)).status).toBe(409);
  });
});
