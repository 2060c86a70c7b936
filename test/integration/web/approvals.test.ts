import { signedBy, SOFTWARE_KEYS } from '../../support/software-signing.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { removeAddress } from '../../../src/modules/customers/remove-address.ts';
import { findApproval, insertApproval } from '../../../src/db/approvals/approval-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../../src/domain/customers/access/operator-rights.ts';
import {
  APPROVAL_ACTIONS,
  APPROVAL_LIFE_MS,
  type ApprovalAction,
} from '../../../src/domain/approvals/approval.ts';
import { APPROVAL_RIGHTS } from '../../../src/domain/approvals/approval-rights.ts';
import { rolesWith } from '../../../src/domain/customers/access/rights.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createGoingLive } from '../../support/going-live.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

interface LoggedIn {
  readonly id: string;
  readonly cookie: string;
}

const RANGE = '203.0.113.0/24';
let site: Site;
let ada: LoggedIn;
let ben: LoggedIn;
let customerId: string;
let scope: Scope;
let subjects = 0;

async function person(role: OperatorRole): Promise<LoggedIn> {
  const { id } = await addTestOperator(site.people, role);
  return { id, cookie: await site.logIn(id) };
}
const deps = () => ({
  ...{ db: site.people.people, clock: site.clock, operatorKeys: SOFTWARE_KEYS },
});
const by = ({ id }: LoggedIn) => signedBy(id);

beforeAll(async () => {
  site = await startSite('console');
  [ada, ben] = [await person('COMPLIANCE'), await person('COMPLIANCE')];
});
afterAll(() => site.close());
beforeEach(async () => {
  customerId = await site.database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'live' };
});

const rows = <Row extends object>(sql: string, ...values: unknown[]) =>
  site.people.people.system((tx) => tx.query<Row>(sql, values));
async function act(path: string, cookie: string, reason = 'as agreed') {
  const second = await site.submit(path, path, { reason }, cookie);
  return second.status === 200 ? site.confirm(second, path, cookie) : second;
}
async function propose(first = ada, action: ApprovalAction = 'KYC_OVERRIDE'): Promise<string> {
  const subjectId = `kyc_${String((subjects += 1))}`;
  const content = { action, subjectId, subjectVersion: 1, content: { to: 'APPROVED' } };
  return String(await proposeApproval(deps(), scope, content, by(first)));
}
async function cutOff(): Promise<string> {
  return (await decideApproval(deps(), await propose(), 'APPROVED', by(ben))).id;
}
/** An address of a live key that waits, and its owner. */
async function pendingAddress() {
  await addTestUser(site.people, customerId, 'OWNER');
  const { id: apiKeyId } = await site.database.db.system((tx) =>
    addApiKey(tx, site.vault, { customerId, environment: 'live', pendingRanges: [RANGE] }),
  );
  const [row] = await rows<{ id: string }>(
    'SELECT id FROM api_key_addresses WHERE api_key_id = $1',
    apiKeyId,
  );
  const id = row?.id ?? '';
  return { apiKeyId, id, path: `/requests/addresses/${id}` };
}
const approvalOf = async (subjectId: string) =>
  (await rows<{ id: string }>('SELECT id FROM approvals WHERE subject_id = $1', subjectId))[0]
    ?.id ?? '';
/** What was mailed of a kind since there were so many mails: whom to, and the text. */
async function mailsSince(count: number, kind: string) {
  const ids = site.mailIds.slice(count);
  return rows<{ id: string; to: Buffer }>(
    'SELECT id, address_hash AS "to" FROM mails WHERE id = ANY ($1) AND kind = $2',
    ids,
    kind,
  );
}

describe('what was approved and is not in effect', () => {
  it('is put into effect again from its page, and not by an operator who saw it undecided', async () => {
    const id = await cutOff();
    await expect(decideApproval(deps(), id, 'APPROVED', by(ben))).rejects.toThrow(
      'It was already decided: APPROVED.',
    );
    const again = { operator: ben.id, reason: 'as agreed' };
    expect((await decideApproval(deps(), id, 'APPROVED', again)).id).toBe(id);
  });

  it('is withdrawn on its page, once, and stands there with who and why', async () => {
    const id = await cutOff();
    const path = `/approvals/${id}`;
    const page = await site.get(path, ada.cookie);
    expect(page.body).toContain(`href="${path}/withdraw"`);
    const late = await site.get(`${path}/approve`, ben.cookie);
    expect((await act(`${path}/withdraw`, ada.cookie, 'it was a mistake')).status).toBe(303);
    const shown = await site.get(path, ben.cookie);
    for (const text of ['Void', `Withdrawn by ${ada.id}`, 'it was a mistake'])
      expect(shown.body).toContain(text);
    for (const verb of ['approve', 'withdraw'])
      expect(shown.body).not.toContain(`${path}/${verb}"`);
    // The other browser's form, which was opened before.
    const fields = site.hiddenFields(late.body, `${path}/approve`);
    fields.append('reason', 'late');
    const second = await site.post(`${path}/approve`, fields, ben.cookie);
    const answer = await site.confirm(second, `${path}/approve`, ben.cookie);
    expect([answer.status, answer.body.includes('it was a mistake')]).toEqual([409, true]);
    expect((await act(`${path}/withdraw`, ben.cookie)).status).toBe(409);
  });

  it('is withdrawn by one of the two in another role, and by no other operator of that role', async () => {
    const carl = await person('COMPLIANCE');
    const id = (await decideApproval(deps(), await propose(carl), 'APPROVED', by(ben))).id;
    await rows(`UPDATE operators SET role = 'OPERATIONS' WHERE id = $1`, carl.id);
    const path = `/approvals/${id}`;
    const other = await person('OPERATIONS');
    expect((await site.get(`${path}/withdraw`, other.cookie)).status).toBe(403);
    expect((await site.get(path, other.cookie)).body).not.toContain('/withdraw"');
    const cookie = await site.logIn(carl.id);
    expect((await site.get(path, cookie)).body).toContain(`href="${path}/withdraw"`);
    expect((await act(`${path}/withdraw`, cookie)).status).toBe(303);
  });

  it('that was withdrawn waits no more on the first page', async () => {
    const count = async () => {
      const home = await site.get('/', ada.cookie);
      const row = /(\d+) approvals? ha(?:s|ve) not taken effect/.exec(home.body);
      return Number(row?.[1] ?? 0);
    };
    const before = await count();
    const id = await cutOff();
    expect(await count()).toBe(before + 1);
    expect((await act(`/approvals/${id}/withdraw`, ada.cookie)).status).toBe(303);
    expect(await count()).toBe(before);
  });

  it('whose effect is refused is void, with the reason, and is not done again', async () => {
    const { apiKeyId, id, path } = await pendingAddress();
    expect((await act(`${path}/propose`, ada.cookie)).status).toBe(303);
    const approval = `/approvals/${await approvalOf(id)}`;
    const opened = await site.get(`${approval}/approve`, ben.cookie);
    await site.people.people.write(scope, (tx) =>
      removeAddress(deps(), tx, scope, { apiKeyId, id, by: { kind: 'USER', id: 'usr_x' } }),
    );
    const fields = site.hiddenFields(opened.body, `${approval}/approve`);
    fields.append('reason', 'fits');
    const second = await site.post(`${approval}/approve`, fields, ben.cookie);
    const refused = await site.confirm(second, `${approval}/approve`, ben.cookie);
    expect(refused.status).toBe(409);
    for (const text of ['is no longer pending', 'The approval is void.'])
      expect(refused.body).toContain(text);
    const shown = await site.get(approval, ada.cookie);
    for (const text of ['Void', 'its effect was refused', 'is no longer pending'])
      expect(shown.body).toContain(text);
    expect(shown.body).not.toContain(`${approval}/approve"`);
    expect((await act(`${approval}/approve`, ada.cookie)).status).toBe(409);
  });
});

describe('an address of a live key is approved in one place', () => {
  it('which its page leads to; its own form is gone', async () => {
    const { id, path } = await pendingAddress();
    await act(`${path}/propose`, ada.cookie);
    const approval = `/approvals/${await approvalOf(id)}`;
    const page = await site.get(path, ben.cookie);
    expect(page.body).toContain(`href="${approval}"`);
    expect(page.body).not.toContain(`${path}/approve`);
    expect((await site.get(`${path}/approve`, ben.cookie)).status).toBe(404);
    expect((await site.get(approval, ben.cookie)).body).toContain(`href="${path}"`);
  });

  it('and the owners’ mails are handed on at once', async () => {
    const { id, path } = await pendingAddress();
    await act(`${path}/propose`, ada.cookie);
    const before = site.mailIds.length;
    expect((await act(`/approvals/${await approvalOf(id)}/approve`, ben.cookie)).status).toBe(303);
    expect(await mailsSince(before, 'RANGE_DECIDED')).toHaveLength(1);
    const [address] = await rows(
      'SELECT FROM api_key_addresses WHERE id = $1 AND status = $2',
      id,
      'APPROVED',
    );
    expect(address).toBeDefined();
    expect((await site.get(path, ada.cookie)).body).toContain('Approved');
  });
});

describe('who may approve is told', () => {
  const compliance = async () =>
    (await rows(`SELECT FROM operators WHERE role = 'COMPLIANCE' AND status = 'ACTIVE'`)).length;

  it('of an address that is proposed, without the address or whose it is', async () => {
    const { id, path } = await pendingAddress();
    const before = site.mailIds.length;
    expect((await act(`${path}/propose`, ada.cookie)).status).toBe(303);
    const told = await mailsSince(before, 'OPS_APPROVAL_WAITING');
    expect(told).toHaveLength((await compliance()) - 1);
    const { text } = await site.lastMail();
    expect(text).toContain(`/approvals/${await approvalOf(id)}`);
    for (const secret of [RANGE, customerId, ada.id]) expect(text).not.toContain(secret);
  });

  it('of live access that is proposed, and not of a form that failed', async () => {
    const going = createGoingLive(site.people.people, site.clock);
    await going.publish();
    const { customerId: customer, ownerId } = await going.newCustomer();
    await going.prepare(customer, ownerId);
    const id = await going.request(customer, ownerId);
    const path = `/requests/live/${id}/propose`;
    const before = site.mailIds.length;
    expect((await act(path, ada.cookie)).status).toBe(303);
    const told = await mailsSince(before, 'OPS_APPROVAL_WAITING');
    expect(told).toHaveLength((await compliance()) - 1);
    const { text } = await site.lastMail();
    expect(text).toContain(`/approvals/${await approvalOf(id)}`);
    expect(text).not.toContain(customer);
    const again = site.mailIds.length;
    expect((await act(path, ben.cookie)).status).toBe(409);
    expect(await mailsSince(again, 'OPS_APPROVAL_WAITING')).toEqual([]);
    // What is approved is a way to what it is about.
    const approval = await site.get(`/approvals/${await approvalOf(id)}`, ben.cookie);
    expect(approval.body).toContain(`href="/requests/live/${id}"`);
  });
});

describe('a customer with live access', () => {
  it('has a way to take it away on its page, for who may, and no other one has', async () => {
    const path = `/customers/${customerId}`;
    const withdraw = `href="${path}/withdraw-live-access"`;
    const { cookie: support } = await person('SUPPORT');
    const page = async (cookie: string) => (await site.get(path, cookie)).body.includes(withdraw);
    expect([await page(ada.cookie), await page(support)]).toEqual([true, false]);
    expect((await act(`${path}/withdraw-live-access`, ada.cookie)).status).toBe(303);
    expect(await page(ada.cookie)).toBe(false);
  });
});

describe('the list of approvals', () => {
  /** Proposals of this test, the oldest first, made so long ago. */
  async function seed(count: number, ageMs: number): Promise<readonly string[]> {
    const at = new Date(site.clock.now().getTime() - ageMs);
    const ids: string[] = [];
    await site.people.people.system(async (tx) => {
      for (let i = 0; i < count; i += 1) {
        const id = newId('apr');
        await insertApproval(tx, scope, {
          ...{ id, action: 'KYC_OVERRIDE', subjectId: `kyc_${String((subjects += 1))}` },
          ...{ subjectVersion: 1, content: {}, proposedBy: ada.id, submittedBy: null, reason: 'x' },
          ...{ at, expiresAt: new Date(at.getTime() + APPROVAL_LIFE_MS) },
        });
        ids.push(id);
      }
    });
    return ids;
  }
  const shownOn = (body: string) => [
    ...new Set(
      [...body.matchAll(/href="\/approvals\/(apr_[0-9a-z]+)"/g)].map(([, id]) => id ?? ''),
    ),
  ];
  /** Every page of a list, as its own links lead through it. */
  async function walk(path: string): Promise<readonly (readonly string[])[]> {
    const pages: (readonly string[])[] = [];
    for (let next: string | undefined = path; next !== undefined && pages.length < 20;) {
      const { status, body }: { status: number; body: string } = await site.get(next, ada.cookie);
      expect(status, next).toBe(200);
      pages.push(shownOn(body));
      const older: string | undefined = body.includes('>Older<')
        ? /href="([^"]*cursor=[^"]*)"[^>]*>\s*Older/.exec(body)?.[1]
        : undefined;
      next = older?.replaceAll('&amp;', '&');
    }
    return pages;
  }

  it('shows what waits; what ran out is under its own filter, and pages hold each one once', async () => {
    const waiting = await seed(25, 0);
    const expired = await seed(45, APPROVAL_LIFE_MS);
    const fresh = await seed(1, 0);
    const pages = await walk('/approvals');
    const seen = pages.flat();
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => expired.includes(id))).toEqual([]);
    for (const id of [...waiting, ...fresh]) expect(seen).toContain(id);
    expect(seen[0]).toBe(fresh[0]);
    const ranOut = (await walk('/approvals?state=RAN_OUT')).flat();
    expect(ranOut.filter((id) => expired.includes(id))).toEqual([...expired].reverse());
    expect(ranOut.filter((id) => waiting.includes(id))).toEqual([]);
    expect(new Set(ranOut).size).toBe(ranOut.length);
  });

  it('keeps its place while what was shown is decided', async () => {
    const ids = [...(await seed(30, 0))].reverse();
    const first = await site.get('/approvals', ada.cookie);
    const older = (/href="([^"]*cursor=[^"]*)"/.exec(first.body)?.[1] ?? '').replaceAll(
      '&amp;',
      '&',
    );
    for (const id of ids.slice(0, 3)) await decideApproval(deps(), id, 'REFUSED', by(ben));
    const second = shownOn((await site.get(older, ada.cookie)).body);
    expect(second.slice(0, 10)).toEqual(ids.slice(20));
    const decided = shownOn((await site.get('/approvals?state=DECIDED', ada.cookie)).body);
    expect(decided).toEqual(expect.arrayContaining(ids.slice(0, 3)));
  });

  it('says what is wrong with a filter or a place that are none', async () => {
    for (const query of ['state=OTHER', 'cursor=x', 'state=%00'])
      expect((await site.get(`/approvals?${query}`, ada.cookie)).status, query).toBeLessThan(500);
    expect((await site.get('/approvals?cursor=x', ada.cookie)).status).toBe(400);
  });

  it('takes at most twelve statements, and each of its pages too', async () => {
    const id = await cutOff();
    for (const path of [
      '/approvals',
      '/approvals?state=DECIDED',
      `/approvals/${id}`,
      `/approvals/${id}/withdraw`,
    ]) {
      const before = site.statements();
      expect((await site.get(path, ada.cookie)).status, path).toBe(200);
      expect(site.statements() - before, path).toBeLessThanOrEqual(12);
    }
  });
});

describe('no page of an approval offers what its operator is refused', () => {
  const acts = (body: string) =>
    [
      ...body.matchAll(
        /href="(\/(?:approvals|customers|requests|reviews|reconciliation|payments)\/[^"#?]+)"/g,
      ),
    ].map(([, href]) => href ?? '');

  /** Two of each role. */
  const team = new Map<OperatorRole, readonly [LoggedIn, LoggedIn]>();
  beforeAll(async () => {
    for (const role of OPERATOR_ROLES) team.set(role, [await person(role), await person(role)]);
  });
  const teamOf = (role: OperatorRole) => {
    const both = team.get(role);
    if (both === undefined) throw new Error(`there is no ${role}`);
    return both;
  };
  const decidersOf = (action: ApprovalAction) =>
    teamOf((rolesWith('console', APPROVAL_RIGHTS[action])?.[0] ?? '') as OperatorRole);
  /** Opens the page of an approval and each act that it offers; answers how many those are. */
  async function follow(id: string, { cookie }: LoggedIn): Promise<number> {
    const page = await site.get(`/approvals/${id}`, cookie);
    expect(page.status).toBe(200);
    const offered = acts(page.body).filter((one) => one.startsWith(`/approvals/${id}/`));
    for (const href of offered) expect((await site.get(href, cookie)).status, href).toBe(200);
    return offered.length;
  }

  const oneOfEachRight = APPROVAL_ACTIONS.filter(
    (action, at) =>
      APPROVAL_ACTIONS.findIndex((one) => APPROVAL_RIGHTS[one] === APPROVAL_RIGHTS[action]) === at,
  );

  it.each(oneOfEachRight)('%s, in every state, to each role', async (action) => {
    const [first, second] = decidersOf(action);
    const waiting = await propose(first, action);
    const decided = async (decision: 'APPROVED' | 'REFUSED') =>
      (await decideApproval(deps(), await propose(first, action), decision, by(second))).id;
    const handedIn = String(
      await proposeApproval(
        deps(),
        scope,
        { action, subjectId: `kyc_${String((subjects += 1))}`, subjectVersion: 1, content: {} },
        { operator: 'cleo', reason: 'by command' },
      ),
    );
    const ids = [waiting, await decided('APPROVED'), await decided('REFUSED'), handedIn];
    let followed = 0;
    for (const one of [...OPERATOR_ROLES.map((role) => teamOf(role)[1]), first]) {
      for (const id of ids) followed += await follow(id, one);
    }
    expect(followed).toBeGreaterThan(5);
    const known = await site.people.people.system((tx) => findApproval(tx, waiting));
    expect(known?.decision).toBeNull();
  });

  it('any other action that waits, to who decides it and to who does not', async () => {
    for (const action of APPROVAL_ACTIONS.filter((one) => !oneOfEachRight.includes(one))) {
      const [first, second] = decidersOf(action);
      const waiting = await propose(first, action);
      expect(await follow(waiting, second), action).toBe(2);
      expect(await follow(waiting, teamOf('SUPPORT')[0]), action).toBe(0);
    }
  });

  it('nor one that cannot be approved any more, where its proposer counts no more', async () => {
    const carl = await person('COMPLIANCE');
    const id = await propose(carl);
    expect((await site.get(`/approvals/${id}`, ben.cookie)).body).toContain(
      `/approvals/${id}/approve"`,
    );
    await rows(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, carl.id);
    const page = await site.get(`/approvals/${id}`, ben.cookie);
    expect(page.body).not.toContain(`/approvals/${id}/approve"`);
    expect(page.body).toContain('can no longer be approved');
    expect(page.body).toContain(`/approvals/${id}/refuse"`);
  });
});
