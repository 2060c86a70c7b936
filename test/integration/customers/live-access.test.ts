import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addOperator } from '../../../src/modules/customers/access/add-person.ts';
import { ApprovalRefused } from '../../../src/modules/approvals/approval-refused.ts';
import { proposeLiveAccess } from '../../../src/modules/customers/live/grant-live-access.ts';
import {
  declineLiveAccess,
  withdrawLiveAccess,
} from '../../../src/modules/customers/live/narrow-live-access.ts';
import { LiveRefused } from '../../../src/modules/customers/live/live-refused.ts';
import { readUnscreenedCompanies } from '../../../src/db/customers/company-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  findLiveRequest,
  insertLiveRequest,
} from '../../../src/db/customers/live-request-store.ts';
import { createKeyFinder } from '../../../src/api/find-key.ts';
import { identifyKey, judgeKey } from '../../../src/api/judge-key.ts';
import { parseApiKeyToken } from '../../../src/modules/customers/api-key-token.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createGoingLive, SAMPLE_COMPANY } from '../../support/going-live.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';

const REASON = 'the papers are in order';
const RENAMED = {
  ...SAMPLE_COMPANY,
  business: { ...SAMPLE_COMPANY.business, legalName: 'Another Trading GmbH' },
};

let database: TestDatabase;
let going: ReturnType<typeof createGoingLive>;
let operators: TwoOperators;
let mailIds: string[];
let customerId: string;
let ownerId: string;
const clock = createTestClock();

beforeAll(async () => {
  database = await createTestDatabase();
  going = createGoingLive(database.people, clock);
  operators = createTwoOperators(database.people, clock);
  await going.publish();
});
afterAll(() => database.close());
beforeEach(async () => {
  mailIds = [];
  ({ customerId, ownerId } = await going.newCustomer());
});

const system = <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  database.people.system((tx) => tx.query<Row>(text, values));
async function isLive(): Promise<boolean> {
  const rows = await system<{ isLive: boolean }>(
    'SELECT live_access AS "isLive" FROM customers WHERE id = $1',
    [customerId],
  );
  return rows[0]?.isLive === true;
}
const requestOf = async (id: string) => {
  const row = await database.people.system((tx) => findLiveRequest(tx, id));
  if (row === null) throw new Error('there is no such request');
  return row;
};
async function propose(id: string, name = 'ada'): Promise<string> {
  const act = { operator: await operators.operator(name), reason: REASON };
  const { db } = operators.deps;
  return (await proposeLiveAccess({ db, clock }, await requestOf(id), act)) ?? 'is already open';
}
/** A request that waits, and a proposal about it. */
async function proposed() {
  await going.prepare(customerId, ownerId);
  const requestId = await going.request(customerId, ownerId);
  return { requestId, proposalId: await propose(requestId) };
}
const mailing = () => ({
  ...{ vault: going.deps.vault, clock, dashboardUrl: 'http://dashboard.localhost' },
  dispatchMail: (id: string) => void mailIds.push(id),
});
const withdraw = async () => {
  const act = { operator: await operators.operator('ada'), reason: REASON };
  return database.people.system((tx) => withdrawLiveAccess(mailing(), tx, customerId, act));
};
const kindsOfMail = async (): Promise<string[]> =>
  (
    await system<{ kind: string }>('SELECT kind FROM mails WHERE customer_id = $1', [customerId])
  ).map(({ kind }) => kind);

describe('a request for live access', () => {
  it('is taken once everything is there, and refused while any part is missing', async () => {
    const refused = () => expect(going.request(customerId, ownerId)).rejects.toThrow(LiveRefused);
    await refused();
    await going.say(customerId, ownerId, SAMPLE_COMPANY);
    await refused();
    await going.approve(customerId);
    await refused();
    await going.accept(customerId, ownerId);
    expect(await going.request(customerId, ownerId)).toMatch(/^lar_/);
    const acts = await system<{ action: string; actor: string }>(
      'SELECT action, actor FROM audit_log WHERE customer_id = $1 ORDER BY id',
      [customerId],
    );
    expect(acts).toEqual([
      { action: 'company.create', actor: `user:${ownerId}` },
      { action: 'live_terms.accept', actor: `user:${ownerId}` },
      { action: 'live_access.request', actor: `user:${ownerId}` },
    ]);
  });

  it('is not taken while the company was not looked up, by the use case and the database: the reconciler finds it', async () => {
    const screened = async (id: string) => {
      const until = new Date(clock.now().getTime() + 1_000);
      const found = await system<{ id: string }>(
        'SELECT id FROM end_users WHERE external_id = $1',
        [customerId],
      );
      expect(found).toEqual([{ id }]);
      const lost = await database.db.system((tx) => readUnscreenedCompanies(tx, until, '', 500));
      return !lost.includes(id);
    };
    const id = await going.say(customerId, ownerId, SAMPLE_COMPANY);
    await going.approve(customerId, null, false);
    await going.accept(customerId, ownerId);
    expect(await screened(id)).toBe(false);
    await expect(going.request(customerId, ownerId)).rejects.toThrow(LiveRefused);
    const { company, check, terms } = await going.standing(customerId);
    const insert = () =>
      database.people.write({ customerId, environment: 'live' }, (tx) =>
        insertLiveRequest(
          tx,
          { customerId, environment: 'live' },
          {
            ...{ id: newId('lar'), requestedBy: ownerId, at: clock.now(), companyId: id },
            ...{ companyVersion: company?.identityVersion ?? 0, kycCheckId: check?.id ?? '' },
            termsVersion: terms?.version ?? 0,
          },
        ),
      );
    await expect(insert()).rejects.toMatchObject({ constraint: 'a_company_is_screened_first' });
    await going.approve(customerId);
    expect(await screened(id)).toBe(true);
    expect(await going.request(customerId, ownerId)).toMatch(/^lar_/);
  });

  it('brings no live access where the company’s names were taken for new since', async () => {
    const { proposalId } = await proposed();
    await system(`UPDATE end_users SET screening_status = 'UNSCREENED' WHERE external_id = $1`, [
      customerId,
    ]);
    expect(await operators.approve(proposalId, 'grace')).not.toMatchObject({ code: 0 });
    expect(await isLive()).toBe(false);
  });

  it('is one, also of ten that come at once', async () => {
    await going.prepare(customerId, ownerId);
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, () => going.request(customerId, ownerId)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of asked) {
      if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(LiveRefused);
    }
  });

  it('is not taken on a check that was revoked, or has run out', async () => {
    await going.say(customerId, ownerId, SAMPLE_COMPANY);
    await going.approve(customerId, new Date(clock.now().getTime() + 1_000));
    await going.accept(customerId, ownerId);
    clock.advance(2_000);
    await expect(going.request(customerId, ownerId)).rejects.toThrow(LiveRefused);
    const other = await going.newCustomer();
    await going.prepare(other.customerId, other.ownerId);
    await going.revoke(other.customerId);
    await expect(going.request(other.customerId, other.ownerId)).rejects.toThrow(LiveRefused);
  });

  it('that is outdated makes room for one about what is now', async () => {
    await going.prepare(customerId, ownerId);
    const first = await going.request(customerId, ownerId);
    await going.say(customerId, ownerId, RENAMED);
    await expect(going.request(customerId, ownerId)).rejects.toThrow(LiveRefused);
    await going.approve(customerId);
    const second = await going.request(customerId, ownerId);
    expect([(await requestOf(first)).decision, (await requestOf(second)).decision]).toEqual([
      'OUTDATED',
      null,
    ]);
  });
});

describe('live access', () => {
  it('is given by two operators, and mailed to the owners', async () => {
    const { requestId, proposalId } = await proposed();
    expect(await isLive()).toBe(false);
    expect(await operators.approve(proposalId)).toMatchObject({ code: 0 });
    expect(await isLive()).toBe(true);
    expect((await requestOf(requestId)).decision).toBe('APPROVED');
    expect(await kindsOfMail()).toEqual(['LIVE_ACCESS_DECIDED']);
  });

  it('is not given by the operator who proposed it, nor by one without the right', async () => {
    const { proposalId } = await proposed();
    expect(await operators.approve(proposalId, 'ada')).toMatchObject({ code: 1 });
    const add = {
      address: `other-${customerId}@example.com`,
      name: 'Cy',
      role: 'OPERATIONS',
    } as const;
    const id = await database.people.system((tx) => addOperator(going.deps, tx, add));
    await expect(
      system(
        `UPDATE approvals SET decision = 'APPROVED', decided_by = $2, decided_at = now(),
           decision_reason = 'x' WHERE id = $1`,
        [proposalId, id],
      ),
    ).rejects.toThrow('no active operator with that right');
    expect(await isLive()).toBe(false);
  });

  it.each([
    ['the company’s name was changed', () => going.say(customerId, ownerId, RENAMED)],
    [
      'its name was changed, and approved anew',
      async () => {
        await going.say(customerId, ownerId, RENAMED);
        await going.approve(customerId);
      },
    ],
    ['the check was revoked', () => going.revoke(customerId)],
    [
      'the check was revoked, and another one approved',
      async () => {
        await going.revoke(customerId);
        await going.approve(customerId);
      },
    ],
    ['other terms are in force', () => going.publish('Other terms.')],
  ])('is refused by the database where between the two %s', async (_what, change) => {
    const { requestId, proposalId } = await proposed();
    await change();
    const { code, error } = await operators.approve(proposalId);
    expect([code, error]).toEqual([1, expect.stringContaining('must submit a new request')]);
    expect([await isLive(), (await requestOf(requestId)).decision]).toEqual([false, null]);
  });

  it('is given or not, never half, where the name changes while the second operator approves', async () => {
    const { requestId, proposalId } = await proposed();
    const [approved] = await Promise.all([
      operators.approve(proposalId),
      going.say(customerId, ownerId, RENAMED),
    ]);
    expect(await isLive()).toBe(approved.code === 0);
    expect((await requestOf(requestId)).decision).toBe(approved.code === 0 ? 'APPROVED' : null);
    expect((await going.standing(customerId)).company?.identityVersion).toBe(2);
  });

  it('stays where the company changes afterwards, until an operator withdraws it', async () => {
    const { proposalId } = await proposed();
    await operators.approve(proposalId);
    await going.say(customerId, ownerId, RENAMED);
    expect(await isLive()).toBe(true);
    await withdraw();
    expect(await isLive()).toBe(false);
    await expect(withdraw()).rejects.toThrow(ApprovalRefused);
    expect(await kindsOfMail()).toEqual(['LIVE_ACCESS_DECIDED', 'LIVE_ACCESS_DECIDED']);
  });

  it('once withdrawn is not given back by the approval that gave it', async () => {
    const { proposalId } = await proposed();
    await operators.approve(proposalId);
    await withdraw();
    expect(await operators.approve(proposalId)).toMatchObject({ code: 1 });
    expect(await isLive()).toBe(false);
    const next = await going.request(customerId, ownerId);
    expect(await operators.approve(await propose(next))).toMatchObject({ code: 0 });
    expect(await isLive()).toBe(true);
  });

  it('is taken from every key at once: the next look-up of one is refused', async () => {
    const { proposalId } = await proposed();
    await operators.approve(proposalId);
    const ranges = { environment: 'live', approvedRanges: ['127.0.0.0/16'] } as const;
    const { token } = await database.db.system((tx) =>
      addApiKey(tx, going.deps.vault, { customerId, ...ranges }),
    );
    const find = createKeyFinder(database.db);
    const ask = async () => {
      const found = await find(parseApiKeyToken(token)?.publicId ?? '');
      const now = new Date();
      const question = { address: '127.0.0.1', permission: 'any-key', now } as const;
      return judgeKey(identifyKey(going.deps.vault, found, token), question);
    };
    expect((await ask()).customerId).toBe(customerId);
    await withdraw();
    await expect(ask()).rejects.toMatchObject({ code: 'live_access_not_granted' });
  });

  it('is declined by one operator, with a reason that the customer reads', async () => {
    const { requestId, proposalId } = await proposed();
    const act = { operator: await operators.operator('ben'), reason: 'a paper is missing' };
    const request = await requestOf(requestId);
    await database.people.system((tx) => declineLiveAccess(mailing(), tx, request, act));
    expect((await going.standing(customerId)).request).toMatchObject({
      ...{ decision: 'DECLINED', decisionReason: 'a paper is missing' },
    });
    expect(await operators.approve(proposalId)).toMatchObject({ code: 1 });
    expect(await isLive()).toBe(false);
  });
});

describe('what the database refuses by itself', () => {
  const TAKES_TWO = 'live access takes two operators';
  const attempt = async (role: string, text: string, values: unknown[]) => {
    const options = role === 'owner' ? '' : `-c role=${role}`;
    const client = new pg.Client({ connectionString: database.url, options });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `SELECT set_config('causeway.customer', $1, true), set_config('causeway.environment', 'live', true)`,
        [customerId],
      );
      return String((await client.query(text, values)).rowCount);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    } finally {
      await client.end();
    }
  };
  const ROLES = [
    'owner',
    'causeway_app',
    'causeway_system',
    'causeway_dashboard',
    'causeway_console',
  ];

  it('is live access by a direct UPDATE or INSERT, by whatever role', async () => {
    await proposed();
    for (const role of ROLES) {
      const update = await attempt(role, 'UPDATE customers SET live_access = true WHERE id = $1', [
        customerId,
      ]);
      expect(update, role).toMatch(/takes two operators|permission denied/);
      const insert = await attempt(
        role,
        `INSERT INTO customers (id, name, live_access, created_at) VALUES ('cus_x', 'X', true, now())`,
        [],
      );
      expect(insert, role).toMatch(/takes two operators|permission denied/);
    }
    expect(
      await attempt('causeway_console', 'SELECT grant_live_access($1, $2, now())', [
        (await going.standing(customerId)).request?.id,
        await operators.operator('ben'),
      ]),
    ).toContain(TAKES_TWO);
  });

  it('is an approved request without the two, and a change of one that was decided', async () => {
    const { requestId, proposalId } = await proposed();
    const decide = `UPDATE live_access_requests SET decision = 'APPROVED', decided_by = $2,
      decided_at = now() WHERE id = $1`;
    const ben = await operators.operator('ben');
    expect(await attempt('causeway_console', decide, [requestId, ben])).toContain('two operators');
    await operators.approve(proposalId);
    const again = `UPDATE live_access_requests SET decision = 'DECLINED' WHERE id = $1`;
    expect(await attempt('causeway_console', again, [requestId])).toContain('decided once');
    expect(
      await attempt('causeway_console', 'DELETE FROM live_access_requests WHERE id = $1', [
        requestId,
      ]),
    ).toContain('permission denied');
  });

  it('is an acceptance or a request written by api and worker, and one of another customer', async () => {
    await going.prepare(customerId, ownerId);
    const values = [customerId, ownerId];
    const write = `INSERT INTO terms_acceptances (customer_id, environment, terms_version, accepted_by,
      accepted_at) VALUES ($1, 'live', 1, $2, now()) ON CONFLICT DO NOTHING`;
    for (const role of ['causeway_app', 'causeway_system']) {
      expect(await attempt(role, write, values), role).toContain('permission denied');
    }
    const other = await going.newCustomer();
    expect(await attempt('causeway_dashboard', write, [other.customerId, other.ownerId])).toContain(
      'row-level security',
    );
    const publish = `INSERT INTO live_terms VALUES (99, 'x', 'x', now())`;
    for (const role of ['causeway_app', 'causeway_system', 'causeway_dashboard']) {
      expect(await attempt(role, publish, []), role).toContain('permission denied');
    }
  });
});
