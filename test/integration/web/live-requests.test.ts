import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approveProposal } from '../../../src/modules/operations/approve-proposal.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { OperatorRole } from '../../../src/domain/customers/access/operator-rights.ts';
import { countStatements } from '../../support/count-statements.ts';
import { createGoingLive, SAMPLE_COMPANY } from '../../support/going-live.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { createTwoOperators } from '../../support/two-operators.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const ACTS = ['propose', 'decline', 'withdraw'] as const;

let site: Site;
let going: ReturnType<typeof createGoingLive>;
let customerId: string;
let ownerId: string;
let requestId: string;
let first: string;
let second: string;
const cookies = new Map<OperatorRole | 'SECOND', string>();

beforeAll(async () => {
  site = await startSite('console');
  going = createGoingLive(site.database.people, site.clock);
  await going.publish();
});
afterAll(async () => {
  await site.close();
});
const browser = useBrowser();
beforeEach(async () => {
  ({ customerId, ownerId } = await going.newCustomer());
  await going.prepare(customerId, ownerId);
  requestId = await going.request(customerId, ownerId);
  first = (await addTestOperator(site.people, 'COMPLIANCE')).id;
  second = (await addTestOperator(site.people, 'COMPLIANCE')).id;
  cookies.set('COMPLIANCE', await site.logIn(first));
  cookies.set('SECOND', await site.logIn(second));
});

const cookieOf = (role: OperatorRole | 'SECOND' = 'COMPLIANCE') => cookies.get(role) ?? '';
const pathOf = (name: string): string => {
  if (name === 'withdraw') return `/customers/${customerId}/withdraw-live-access`;
  return `/requests/live/${requestId}${name === '' ? '' : `/${name}`}`;
};
async function act(name: (typeof ACTS)[number], role: 'COMPLIANCE' | 'SECOND' = 'COMPLIANCE') {
  const path = pathOf(name);
  const reason = { reason: 'the papers say so' };
  const asked = await site.submit(path, path, reason, cookieOf(role));
  return asked.status === 200 ? site.confirm(asked, path, cookieOf(role)) : asked;
}
const query = <Row extends object>(text: string) =>
  site.database.people.system((tx) => tx.query<Row>(text, [customerId]));
const isLive = async () =>
  (await query<{ is: boolean }>('SELECT live_access AS "is" FROM customers WHERE id = $1'))[0]?.is;
async function approve(): Promise<string> {
  const [proposal] = await query<{ id: string }>(
    `SELECT id FROM approvals WHERE customer_id = $1 AND action = 'LIVE_ACCESS' ORDER BY seq DESC`,
  );
  const { deps } = createTwoOperators(site.database.people, site.clock);
  return approveProposal(deps, proposal?.id ?? '', { operator: second, reason: 'so do I' });
}

describe('a request for live access in the console', () => {
  it('is seen with its company, and without a name of a person', async () => {
    const list = await site.get('/requests/live', cookieOf());
    expect(list.body).toContain(requestId);
    const page = await site.get(pathOf(''), cookieOf());
    expect(page.body).toContain(SAMPLE_COMPANY.business.legalName);
    expect(page.body).not.toMatch(/\bAda\b/);
    for (const name of ['propose', 'decline'])
      expect(page.body).toContain(`href="${pathOf(name)}"`);
    expect(page.body).not.toContain(`href="${pathOf('withdraw')}"`);
  });

  it('takes at most twelve statements of a page', async () => {
    for (const path of ['/requests/live', pathOf(''), pathOf('propose')]) {
      const asked = await countStatements(async () => {
        expect((await site.get(path, cookieOf())).status, path).toBe(200);
      });
      expect(asked, path).toBeGreaterThan(3);
      expect(asked, path).toBeLessThanOrEqual(12);
    }
  });

  it('is proposed by one operator and approved by another, and one withdraws', async () => {
    expect((await act('propose')).status).toBe(303);
    expect(await isLive()).toBe(false);
    const again = await act('propose', 'SECOND');
    expect([again.status, again.body.includes('already proposed')]).toEqual([409, true]);
    await approve();
    expect(await isLive()).toBe(true);
    expect((await site.get(pathOf(''), cookieOf())).body).toContain('In effect');
    expect((await act('withdraw', 'SECOND')).status).toBe(303);
    expect(await isLive()).toBe(false);
    expect((await site.get(pathOf('withdraw'), cookieOf())).status).toBe(409);
    const acts = await query<{ action: string; actor: string }>(
      `SELECT action, actor FROM audit_log WHERE customer_id = $1 AND actor LIKE 'operator:%' ORDER BY id`,
    );
    expect(acts).toEqual([
      { action: 'approval.propose', actor: `operator:${first}` },
      { action: 'approval.approve', actor: `operator:${second}` },
      { action: 'live_access.grant', actor: `operator:${second}` },
      { action: 'live_access.withdraw', actor: `operator:${second}` },
    ]);
    const mails = await query<{ kind: string }>('SELECT kind FROM mails WHERE customer_id = $1');
    expect(mails.map(({ kind }) => kind)).toEqual(['LIVE_ACCESS_DECIDED', 'LIVE_ACCESS_DECIDED']);
  });

  it('is declined with words for the customer, and decided once', async () => {
    expect((await act('decline')).status).toBe(303);
    expect((await going.standing(customerId)).request).toMatchObject({
      ...{ decision: 'DECLINED', decidedBy: first, decisionReason: 'the papers say so' },
    });
    for (const name of ['propose', 'decline'] as const) {
      expect((await site.get(pathOf(name), cookieOf())).status).toBe(409);
    }
    expect(await isLive()).toBe(false);
  });

  it('cannot be proposed once it is outdated', async () => {
    const business = { ...SAMPLE_COMPANY.business, legalName: 'Another Name GmbH' };
    await going.say(customerId, ownerId, { ...SAMPLE_COMPANY, business });
    expect((await site.get(pathOf('propose'), cookieOf())).status).toBe(409);
    const page = await site.get(pathOf(''), cookieOf());
    expect(page.body).toContain('has to send a new request');
    expect(page.body).not.toContain(`href="${pathOf('propose')}"`);
  });

  it('takes a reason in one line, and one form once', async () => {
    const path = pathOf('decline');
    expect((await site.submit(path, path, { reason: '' }, cookieOf())).status).toBe(422);
    expect((await site.submit(path, path, { reason: 'a\nb' }, cookieOf())).status).toBe(422);
    const asked = await site.submit(path, path, { reason: 'no' }, cookieOf());
    const proven = site.hiddenFields(asked.body, path);
    proven.append('proof', (await site.lastMail()).code);
    const sent = await Promise.all([1, 2, 3].map(() => site.post(path, proven, cookieOf())));
    // The first one's proof renewed the session: the others come with the token of before.
    const done = sent.filter(
      ({ status, headers }) => status === 303 && headers.location !== '/login',
    );
    expect(done).toHaveLength(1);
  });

  it.each(['SUPPORT', 'OPERATIONS', 'ADMIN'] as const)(
    'is seen by %s, who decides nothing',
    async (role) => {
      const cookie = await site.logIn((await addTestOperator(site.people, role)).id);
      const page = await site.get(pathOf(''), cookie);
      expect([page.status, page.body.includes(pathOf('propose'))]).toEqual([200, false]);
      for (const name of ACTS) {
        expect((await site.get(pathOf(name), cookie)).status, name).toBe(403);
        expect((await site.post(pathOf(name), new URLSearchParams(), cookie)).status, name).toBe(
          403,
        );
      }
    },
  );

  it('that is missing is the page of anything that is missing', async () => {
    const ids = [newId('lar'), newId('cus'), 'x', '%00', customerId];
    const paths = ids.flatMap((id) => [`/requests/live/${id}`, `/requests/live/${id}/propose`]);
    paths.push(`/customers/${newId('cus')}/withdraw-live-access`);
    const answers = await Promise.all(paths.map((path) => site.get(path, cookieOf())));
    const bodies = new Set(answers.map(({ status, body }) => `${String(status)} ${body}`));
    expect([bodies.size, answers[0]?.status]).toEqual([1, 404]);
  });

  it('passes axe and the policy, wide and narrow', async () => {
    await act('propose');
    const context = await browser().newContext();
    try {
      const [name = '', value = ''] = cookieOf().split('=');
      const { hostname } = new URL(site.origin);
      const where = { domain: hostname, path: '/' };
      await context.addCookies([{ ...where, name, value, secure: true, httpOnly: true }]);
      const page = await context.newPage();
      const { problems } = await watch(page);
      for (const path of ['/requests/live', pathOf(''), pathOf('propose'), pathOf('decline')]) {
        expect((await page.goto(site.origin + path))?.status(), path).toBe(200);
        await look(page, path);
      }
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
