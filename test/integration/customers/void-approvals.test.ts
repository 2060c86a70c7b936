import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disableOperator } from '../../../src/modules/customers/access/disable-operator.ts';
import { ApprovalRefused } from '../../../src/modules/approvals/approval-refused.ts';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { APPROVAL_EFFECTS } from '../../../src/modules/operations/approval-effects.ts';
import { approveProposal } from '../../../src/modules/operations/approve-proposal.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { useApproval } from '../../../src/modules/approvals/use-approval.ts';
import { withdrawApproval } from '../../../src/modules/approvals/void-approval.ts';
import { findApproval, type ApprovalRow } from '../../../src/db/approvals/approval-store.ts';
import { APPROVAL_LIFE_MS } from '../../../src/domain/approvals/approval.ts';
import type { OperatorRole } from '../../../src/domain/customers/access/operator-rights.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { createTwoOperators } from '../../support/two-operators.ts';

let database: TestDatabase;
let superuser: pg.Client;
let scope: Scope;
let ada: string;
let ben: string;
let subjects = 0;
let clock = createTestClock();
const people = () => ({ people: database.people, vault: createTestVault(), clock });
const deps = () => createTwoOperators(database.people, clock).deps;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  const customerId = await database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'live' };
});
afterAll(async () => {
  await superuser.end();
  await database.close();
});
beforeEach(async () => {
  clock = createTestClock();
  subjects += 1;
  [ada, ben] = [await operator(), await operator()];
});

const operator = async (role: OperatorRole = 'COMPLIANCE') =>
  (await addTestOperator(people(), role)).id;
const by = (id: string) => ({ operator: id, reason: 'as agreed' });
const content = () =>
  ({
    action: 'KYC_OVERRIDE',
    ...{ subjectId: `kyc_${String(subjects)}`, subjectVersion: 1 },
    content: { to: 'APPROVED' },
  }) as const;
async function propose(first = ada): Promise<string> {
  const id = await proposeApproval(deps(), scope, content(), by(first));
  if (id === null) throw new Error('a proposal is already open');
  return id;
}
async function approved(): Promise<ApprovalRow> {
  return decideApproval(deps(), await propose(), 'APPROVED', by(ben));
}
const use = (approval: ApprovalRow, at = clock.now(), version = 1) =>
  database.people.write(scope, (tx) => useApproval(tx, scope, approval, version, at));
const row = async (id: string) => {
  const found = await database.people.system((tx) => findApproval(tx, id));
  if (found === null) throw new Error(`${id} is gone`);
  return found;
};
const audit = async (id: string) =>
  (
    await superuser.query<{ text: string }>(
      `SELECT actor || ' ' || action AS text FROM audit_log WHERE subject = $1 ORDER BY id`,
      [id],
    )
  ).rows.map(({ text }) => text);

/** An effect of this test's: what the given function does to the subject at this version. */
const effects = (work: (approval: ApprovalRow) => Promise<unknown>) => ({
  ...APPROVAL_EFFECTS,
  KYC_OVERRIDE: async (_deps: unknown, approval: ApprovalRow) => {
    await work(approval);
    return 'Done.';
  },
});
const approve = (id: string, work: (approval: ApprovalRow) => Promise<unknown> = use, who = ben) =>
  approveProposal(deps(), id, by(who), effects(work));

describe('an approval whose effect is refused', () => {
  it('is void with the reason, and no operator brings it into effect later', async () => {
    const id = await propose();
    await expect(approve(id, (approval) => use(approval, clock.now(), 2))).rejects.toThrow(
      'has changed since the proposal',
    );
    expect(await row(id)).toMatchObject({
      ...{ decision: 'APPROVED', usedAt: null, voidAs: 'EFFECT_REFUSED', voidBy: ben },
      voidReason: expect.stringContaining('has changed since the proposal') as string,
    });
    // The subject is at the approved version again: one operator alone changes nothing.
    for (const who of [ada, ben]) await expect(approve(id, use, who)).rejects.toThrow('void');
    await expect(use(await row(id))).rejects.toThrow(ApprovalRefused);
    expect((await row(id)).usedAt).toBeNull();
    expect(await audit(id)).toEqual([
      `operator:${ada} approval.propose`,
      ...[`operator:${ben} approval.approve`, `operator:${ben} approval.void`],
    ]);
  });

  it('makes room for a new proposal, which two operators approve', async () => {
    await expect(
      approve(await propose(), () => Promise.reject(new ApprovalRefused('It is gone.'))),
    ).rejects.toThrow('It is gone.');
    expect(await approve(await propose(ben), use, ada)).toBe('Done.');
  });

  it('stays approved where the effect was only cut off, and the same again does it', async () => {
    const id = await propose();
    const cutOff = approve(id, () => Promise.reject(new Error('the connection ended')));
    await expect(cutOff).rejects.toThrow('the connection ended');
    expect(await row(id)).toMatchObject({ decision: 'APPROVED', voidAt: null });
    expect(await approve(id)).toBe('Done.');
    expect(await audit(id)).toContain(`operator:${ben} approval.apply_again`);
  });

  it('is in effect once where two operators approve it at once, and not void', async () => {
    const id = await propose();
    const both = await Promise.allSettled([approve(id), approve(id, use, await operator())]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await row(id)).toMatchObject({ voidAt: null, usedAt: clock.now() });
  });
});

describe('an approval that is not in effect', () => {
  it.each(['first', 'second', 'third'] as const)('is withdrawn by a %s operator', async (who) => {
    const approval = await approved();
    const one = { first: ada, second: ben, third: await operator() }[who];
    await withdrawApproval(deps(), approval.id, { operator: one, reason: 'a mistake' });
    expect(await row(approval.id)).toMatchObject({
      ...{ voidAs: 'WITHDRAWN', voidBy: one, voidReason: 'a mistake', voidAt: clock.now() },
    });
    await expect(use(approval)).rejects.toThrow(ApprovalRefused);
    await expect(approve(approval.id)).rejects.toThrow('a mistake');
    await expect(withdrawApproval(deps(), approval.id, by(one))).rejects.toThrow('void');
    expect(await audit(approval.id)).toContain(`operator:${one} approval.withdraw`);
  });

  it('is withdrawn by one of the two whose role is another one by now', async () => {
    const approval = await approved();
    await superuser.query(`UPDATE operators SET role = 'OPERATIONS' WHERE id = $1`, [ada]);
    await withdrawApproval(deps(), approval.id, by(ada));
    expect((await row(approval.id)).voidBy).toBe(ada);
  });

  it('is not withdrawn by another role, a disabled account, or an unknown operator', async () => {
    const approval = await approved();
    const gone = await operator();
    const admin = await operator('ADMIN');
    await disableOperator(deps(), gone, by(admin));
    for (const who of [await operator('OPERATIONS'), admin, gone, 'opr_01m7y71j9ffev8ndxzafvqhs4a'])
      await expect(withdrawApproval(deps(), approval.id, by(who)), who).rejects.toThrow(
        ApprovalRefused,
      );
    expect((await row(approval.id)).voidAt).toBeNull();
    await use(approval);
  });

  it('is withdrawn only before it is in effect, and only once approved', async () => {
    const waiting = await propose();
    await expect(withdrawApproval(deps(), waiting, by(ada))).rejects.toThrow(ApprovalRefused);
    const approval = await decideApproval(deps(), waiting, 'APPROVED', by(ben));
    await use(approval);
    await expect(withdrawApproval(deps(), approval.id, by(ada))).rejects.toThrow(
      'already taken effect',
    );
    expect((await row(approval.id)).voidAt).toBeNull();
  });

  it('is withdrawn or in effect, never both, where both are asked for at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      subjects += 1;
      const approval = await approved();
      const ends = await Promise.allSettled([
        use(approval),
        withdrawApproval(deps(), approval.id, by(ada)),
      ]);
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const { usedAt, voidAt } = await row(approval.id);
      expect((usedAt === null) !== (voidAt === null)).toBe(true);
    }
  });
});

describe('at the moment of use the database asks again', () => {
  it.each([
    ['status', 'DISABLED'],
    ['role', 'SUPPORT'],
    ['role', 'OPERATIONS'],
  ] as const)(
    'whether both may: not with one whose %s is %s by then, first or second',
    async (column, value) => {
      for (const which of ['first', 'second'] as const) {
        subjects += 1;
        [ada, ben] = [await operator(), await operator()];
        const approval = await approved();
        const set = `UPDATE operators SET ${column} = $2 WHERE id = $1`;
        await superuser.query(set, [which === 'first' ? ada : ben, value]);
        const third = await operator();
        const late = approve(approval.id, use, third);
        await expect(late, which).rejects.toThrow(
          'Both must be active and confirmed, and have the right',
        );
        expect(await row(approval.id), which).toMatchObject({
          ...{ usedAt: null, voidAs: 'EFFECT_REFUSED', voidBy: third },
        });
      }
    },
  );

  it('and keeps both accounts as they are until the commit', async () => {
    const approval = await approved();
    const admin = await operator('ADMIN');
    let isDisabled = false;
    let disabling: Promise<unknown> = Promise.resolve();
    await database.people.write(scope, async (tx) => {
      await useApproval(tx, scope, approval, 1, clock.now());
      disabling = disableOperator(deps(), ada, by(admin)).then(() => {
        isDisabled = true;
      });
      await expect
        .poll(async () => {
          const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
            AND datname = current_database()`;
          return (await superuser.query(waiting)).rowCount;
        })
        .toBeGreaterThan(0);
      expect(isDisabled).toBe(false);
    });
    await disabling;
    expect((await row(approval.id)).usedAt).not.toBeNull();
  });

  it('whether it is in time, by the time that is claimed', async () => {
    const approval = await approved();
    const at = new Date(clock.now().getTime() + APPROVAL_LIFE_MS);
    await expect(use(approval, at)).rejects.toThrow('expired');
    const before = new Date(clock.now().getTime() - 3_600_000);
    await expect(use(approval, before)).rejects.toThrow('expired');
  });

  it('and by its own clock, whatever time is claimed', async () => {
    const { id: other } = await approved();
    subjects += 1;
    const id = await propose();
    await superuser.query('BEGIN');
    await superuser.query('SET LOCAL session_replication_role = replica');
    await superuser.query(
      `UPDATE approvals SET recorded_at = recorded_at - interval '168 hours'
       WHERE id IN ($1, $2)`,
      [id, other],
    );
    await superuser.query('COMMIT');
    await expect(use(await row(other))).rejects.toThrow('expired');
    await expect(decideApproval(deps(), id, 'APPROVED', by(ben))).rejects.toThrow('expired');
  });
});

describe('the database alone refuses', () => {
  const asConsole = (sql: string, ...values: unknown[]) =>
    database.people.system((tx) => tx.query(sql, values));
  const refused = (work: Promise<unknown>, code = '23001') =>
    expect(work).rejects.toMatchObject({ code });
  const VOID = `UPDATE approvals SET void_as = 'WITHDRAWN', void_by = $2, void_at = now(),
    void_reason = 'x' WHERE id = $1`;
  const FORGE = `INSERT INTO approvals (id, customer_id, environment, action, subject_id,
      subject_version, content, proposed_by, proposed_at, reason, expires_at, recorded_at)
    SELECT 'apr_forged', customer_id, environment, action, 'kyc_forged', 1, content, proposed_by,
      proposed_at, reason, expires_at + $2::interval, recorded_at + interval '1 year'
    FROM approvals WHERE id = $1`;

  it('to make void what waits, what was refused, and what is in effect', async () => {
    const waiting = await propose();
    await refused(asConsole(VOID, waiting, ada));
    await decideApproval(deps(), waiting, 'REFUSED', by(ben));
    await refused(asConsole(VOID, waiting, ada));
    subjects += 1;
    const approval = await approved();
    await use(approval);
    await refused(asConsole(VOID, approval.id, ada));
  });

  it('to take back that it is void, or to say another reason', async () => {
    const { id } = await approved();
    await asConsole(VOID, id, ada);
    await refused(asConsole(VOID, id, ben));
    const back = `UPDATE approvals SET void_as = NULL, void_by = NULL, void_at = NULL,
      void_reason = NULL WHERE id = $1`;
    await refused(asConsole(back, id));
  });

  it('to void with another change, or under the id of no operator', async () => {
    const { id } = await approved();
    const more = VOID.replace('SET', `SET decision_reason = 'y',`);
    await refused(asConsole(more, id, ada));
    await refused(asConsole(VOID, id, 'system:expiry'), '23514');
    const effect = VOID.replace('WITHDRAWN', 'EFFECT_REFUSED');
    await refused(asConsole(effect, id, 'Ada'), '23514');
  });

  it('a proposal that would stand longer than seven days, or say when it was written', async () => {
    const { id } = await approved();
    await refused(asConsole(FORGE, id, '1 second'), '23514');
    await asConsole(FORGE, id, '0 seconds');
    const [forged] = (
      await superuser.query<{ isNow: boolean }>(
        `SELECT recorded_at <= clock_timestamp() AS "isNow" FROM approvals WHERE id = 'apr_forged'`,
      )
    ).rows;
    expect(forged?.isNow).toBe(true);
  });

  it('API and worker, who use no approval', async () => {
    const approval = await approved();
    const useOf = `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
      VALUES ($1, $2, $3, $4)`;
    const values = [approval.id, scope.customerId, scope.environment, clock.now()];
    await refused(
      database.db.write(scope, (tx) => tx.query(useOf, values)),
      '42501',
    );
    await refused(
      database.db.system((tx) => tx.query(useOf, values)),
      '42501',
    );
    await refused(
      database.db.system((tx) => tx.query(VOID, [approval.id, ada])),
      '42501',
    );
    await refused(
      database.people.write(scope, (tx) => tx.query(VOID, [approval.id, ada])),
      '42501',
    );
  });
});
