import { UNSIGNED_COUNTS } from '../../../support/unsigned-counts.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalRefused } from '../../../../src/modules/approvals/approval-refused.ts';
import { decideApproval } from '../../../../src/modules/approvals/decide-approval.ts';
import {
  proposeApproval,
  type OperatorAct,
} from '../../../../src/modules/approvals/propose-approval.ts';
import { takeUpProposal } from '../../../../src/modules/approvals/take-up-proposal.ts';
import { useApproval } from '../../../../src/modules/approvals/use-approval.ts';
import type { ApprovalRow } from '../../../../src/db/approvals/approval-store.ts';
import { rolesWith } from '../../../../src/domain/customers/access/rights.ts';
import { APPROVAL_ACTIONS, APPROVAL_LIFE_MS } from '../../../../src/domain/approvals/approval.ts';
import { APPROVAL_RIGHTS } from '../../../../src/domain/approvals/approval-rights.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import { seedPayingCustomer } from '../../../support/seed-payments.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
let scope: Scope;
let ada: OperatorAct;
let ben: OperatorAct;
let now = NOW;
let subjects = 0;
const deps = () => ({
  ...{ db: harness.database.people, clock: { now: () => now }, operatorKeys: UNSIGNED_COUNTS },
});
beforeAll(async () => {
  harness = await createOpsHarness();
  scope = (await seedPayingCustomer(harness.database.db, 'live')).scope;
  const of = async (name: string) => ({
    operator: await harness.operators.operator(name),
    reason: 'the register was read by hand',
  });
  [ada, ben] = [await of('ada'), await of('ben')];
});
afterAll(() => harness.close());
beforeEach(() => {
  now = NOW;
  subjects += 1;
});

const proposal = () =>
  ({
    action: 'KYC_OVERRIDE',
    subjectId: `kyc_${String(subjects)}`,
    subjectVersion: 3,
    content: { to: 'APPROVED' },
  }) as const;

async function propose(by = ada): Promise<string> {
  const id = await proposeApproval(deps(), scope, proposal(), by);
  if (id === null) throw new Error('a proposal is already open');
  return id;
}

/** What a command hands in. */
const handIn = () => propose({ operator: 'Ada', reason: 'typed on a server' });
const decide = (id: string, by: OperatorAct, decision: 'APPROVED' | 'REFUSED' = 'APPROVED') =>
  decideApproval(deps(), id, decision, by);

const use = (approval: ApprovalRow, version: number, at = now) =>
  harness.database.people.write(scope, (tx) => useApproval(tx, scope, approval, version, at));

const asConsole = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  harness.database.people.system((tx) => tx.query<Row>(sql, [...values]));

const setOperator = (id: string, column: 'status' | 'role', value: string) =>
  asConsole(`UPDATE operators SET ${column} = $2 WHERE id = $1`, [id, value]);

describe('an approval takes two operators', () => {
  it('the one who proposed it cannot approve it', async () => {
    const id = await propose();
    await expect(decide(id, ada)).rejects.toThrow('cannot approve it');
  });

  it('another one can, and both are in the audit log', async () => {
    const id = await propose();
    expect(await decide(id, ben)).toMatchObject({
      decision: 'APPROVED',
      proposedBy: ada.operator,
      decidedBy: ben.operator,
    });
    expect(
      await asConsole('SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id', [id]),
    ).toEqual([
      { actor: `operator:${ada.operator}`, action: 'approval.propose' },
      { actor: `operator:${ben.operator}`, action: 'approval.approve' },
    ]);
  });

  it('its proposer can take it back, and no operator approves it then', async () => {
    const id = await propose();
    await decide(id, ada, 'REFUSED');
    await expect(decide(id, ben)).rejects.toThrow('already decided');
  });

  it('only one of two operators who decide at once decides', async () => {
    const id = await propose();
    const decided = await Promise.allSettled([
      decide(id, ben, 'REFUSED'),
      decide(id, { ...ben, operator: await harness.operators.operator('cleo') }, 'REFUSED'),
    ]);
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('a proposal runs out after seven days and can be made anew', async () => {
    const id = await propose();
    expect(await proposeApproval(deps(), scope, proposal(), ben)).toBeNull();
    now = new Date(NOW.getTime() + APPROVAL_LIFE_MS);
    await expect(decide(id, ben)).rejects.toThrow('expired');
    expect(await propose(ben)).not.toBe(id);
  });
});

describe('what a command proposes is only handed in', () => {
  it('it is approved once an operator has taken it up, by another one', async () => {
    const id = await handIn();
    await expect(decide(id, ben)).rejects.toThrow('take it up first');
    await takeUpProposal(deps(), id, ada);
    await expect(decide(id, ada)).rejects.toThrow('cannot approve it');
    expect(await decide(id, ben)).toMatchObject({ submittedBy: 'Ada', proposedBy: ada.operator });
    const audit = 'SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id';
    expect(await asConsole(audit, [id])).toEqual([
      { actor: 'operator:Ada', action: 'approval.hand_in' },
      { actor: `operator:${ada.operator}`, action: 'approval.take_up' },
      { actor: `operator:${ben.operator}`, action: 'approval.approve' },
    ]);
  });

  it('it is one operator’s: of two who take it up at once one has it, and none later', async () => {
    const id = await handIn();
    const taken = await Promise.allSettled([
      takeUpProposal(deps(), id, ada),
      takeUpProposal(deps(), id, ben),
    ]);
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(takeUpProposal(deps(), id, ada)).rejects.toThrow('already the proposer');
  });

  it('it is refused by one operator without being taken up', async () => {
    const id = await handIn();
    await decide(id, ben, 'REFUSED');
    await expect(takeUpProposal(deps(), id, ada)).rejects.toThrow('already decided');
  });

  it('not after seven days', async () => {
    const id = await handIn();
    now = new Date(NOW.getTime() + APPROVAL_LIFE_MS);
    await expect(takeUpProposal(deps(), id, ada)).rejects.toThrow('expired');
  });
});

describe('only an active operator with the right counts', () => {
  const NO_RIGHT = 'Both must be active and confirmed, and have the right';

  it('the database knows the roles of each action as the table of rights does', async () => {
    const rows = await asConsole<{ action: string; roles: string[] }>(
      'SELECT action, roles FROM approval_actions',
    );
    const known = new Map(rows.map(({ action, roles }) => [action, roles]));
    for (const action of APPROVAL_ACTIONS) {
      expect(known.get(action), action).toEqual(rolesWith('console', APPROVAL_RIGHTS[action]));
    }
  });

  it.each(['OPERATIONS', 'SUPPORT', 'ADMIN'] as const)(
    'an operator of role %s neither proposes, takes up, refuses nor approves what compliance decides',
    async (role) => {
      const other = { ...ben, operator: await harness.operators.operator('dan', role) };
      await expect(propose(other)).rejects.toMatchObject({ constraint: 'approvals_are_operators' });
      const id = await handIn();
      await expect(takeUpProposal(deps(), id, other)).rejects.toThrow(NO_RIGHT);
      await expect(decide(id, other, 'REFUSED')).rejects.toThrow(NO_RIGHT);
      await takeUpProposal(deps(), id, ada);
      await expect(decide(id, other)).rejects.toThrow(NO_RIGHT);
      await decide(id, ben);
    },
  );

  it.each([
    ['status', 'DISABLED', 'ACTIVE'],
    ['role', 'SUPPORT', 'COMPLIANCE'],
  ] as const)(
    'neither counts whose %s has become %s meanwhile, first or second',
    async (column, value, before) => {
      const id = await propose();
      for (const { operator } of [ada, ben]) {
        await setOperator(operator, column, value);
        await expect(decide(id, ben)).rejects.toThrow(NO_RIGHT);
        await setOperator(operator, column, before);
      }
      await decide(id, ben);
    },
  );

  it('an id that is no operator’s counts for nothing', async () => {
    const unknown = { ...ada, operator: 'opr_01m7y71j9ffev8ndxzafvqhs4a' };
    await expect(propose(unknown)).rejects.toMatchObject({ constraint: 'approvals_are_operators' });
    await expect(decide(await propose(), unknown)).rejects.toThrow(NO_RIGHT);
  });
});

describe('an approval is good for what was approved, once', () => {
  it('not for a subject that has changed since', async () => {
    const approval = await decide(await propose(), ben);
    await expect(use(approval, 4)).rejects.toThrow(ApprovalRefused);
    await use(approval, 3);
  });

  it('not twice', async () => {
    const approval = await decide(await propose(), ben);
    const uses = await Promise.allSettled([use(approval, 3), use(approval, 3)]);
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(decide(approval.id, ben)).rejects.toThrow('already decided');
  });

  it('again where its effect was cut off, as long as it has not run out', async () => {
    const id = await propose();
    await decide(id, ben);
    const approval = await decide(id, ben);
    now = new Date(NOW.getTime() + APPROVAL_LIFE_MS);
    await expect(use(approval, 3)).rejects.toThrow('expired');
    await expect(decide(id, ben)).rejects.toThrow('expired');
  });

  it('the guards of an effect see it in the transaction that uses it, and in no other', async () => {
    const approval = await decide(await propose(), ben);
    const look = `SELECT (approval_in_use('KYC_OVERRIDE', $1, $2)).id`;
    const seen = await harness.database.people.write(scope, async (tx) => {
      await useApproval(tx, scope, approval, 3, now);
      return [
        ...(await tx.query(look, [approval.subjectId, 3])),
        ...(await tx.query(look, [approval.subjectId, 4])),
      ];
    });
    expect(seen).toEqual([{ id: approval.id }, { id: null }]);
    const later = await harness.database.people.write(scope, (tx) =>
      tx.query(look, [approval.subjectId, 3]),
    );
    expect(later).toEqual([{ id: null }]);
  });
});

describe('the database alone refuses', () => {
  const DECIDE = `UPDATE approvals SET decision = 'APPROVED', decided_by = $2, decided_at = $3,
    decision_reason = 'x' WHERE id = $1`;
  const FORGE = `INSERT INTO approvals (id, customer_id, environment, action, subject_id,
      subject_version, content, proposed_by, proposed_at, reason, expires_at)
    SELECT 'apr_forged', customer_id, environment, action, 'kyc_forged', 1, content, $2,
      $3, reason, expires_at FROM approvals WHERE id = $1`;

  it('a proposal or a decision that API, worker or dashboard write', async () => {
    const id = await propose();
    const { db, people } = harness.database;
    for (const sql of [DECIDE, FORGE]) {
      const values = [id, ben.operator, now];
      const attempts = [
        () => db.write(scope, (tx) => tx.query(sql, values)),
        () => people.write(scope, (tx) => tx.query(sql, values)),
        () => db.system((tx) => tx.query(sql, values)),
      ];
      for (const one of attempts) await expect(one()).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('the same operator twice, a name that was typed, and a proposal that no operator took up', async () => {
    const id = await propose();
    await expect(asConsole(DECIDE, [id, ada.operator, now])).rejects.toMatchObject({
      code: '23514',
    });
    await expect(asConsole(DECIDE, [id, 'Ben', now])).rejects.toMatchObject({ code: '23514' });
    subjects += 1;
    const handedIn = await handIn();
    await expect(asConsole(DECIDE, [handedIn, ben.operator, now])).rejects.toMatchObject({
      code: '23514',
    });
  });

  it('a proposal that is decided as it is written', async () => {
    const id = await propose();
    const born = FORGE.replace(
      'reason, expires_at)',
      'reason, expires_at, decision, decided_by, decided_at, decision_reason)',
    ).replace('reason, expires_at FROM', `reason, expires_at, 'APPROVED', $4, $3, 'x' FROM`);
    await expect(asConsole(born, [id, ada.operator, now, ben.operator])).rejects.toThrow(
      'begins undecided',
    );
  });

  it('a name that was typed as the first operator: it is handed in', async () => {
    const id = await propose();
    await asConsole(FORGE, [id, 'Ben', now]);
    const forged = `SELECT proposed_by, submitted_by FROM approvals WHERE id = 'apr_forged'`;
    expect(await asConsole(forged)).toEqual([{ proposed_by: null, submitted_by: 'Ben' }]);
  });

  it.each([
    [`content = '{"to": "REJECTED"}'`, '42501'],
    [`subject_version = 4`, '42501'],
    [`expires_at = expires_at + interval '1 day'`, '42501'],
    [`submitted_by = 'Cleo'`, '42501'],
    [`proposed_by = NULL`, '23001'],
    [`proposed_by = $2, taken_up_at = proposed_at`, '23001'],
  ])('a change of what was proposed: %s', async (change, code) => {
    const id = await propose();
    const more = change.includes('$2') ? [ben.operator] : [];
    await expect(
      asConsole(`UPDATE approvals SET ${change} WHERE id = $1`, [id, ...more]),
    ).rejects.toMatchObject({ code });
  });

  it('another decision of what was decided, and taking it up in the same breath', async () => {
    const id = await propose();
    await decide(id, ben, 'REFUSED');
    await expect(asConsole(DECIDE, [id, ben.operator, now])).rejects.toMatchObject({
      code: '23001',
    });
    subjects += 1;
    const both = DECIDE.replace('SET', `SET proposed_by = '${ada.operator}', taken_up_at = now(),`);
    await expect(asConsole(both, [await handIn(), ben.operator, now])).rejects.toMatchObject({
      code: '23001',
    });
  });

  it('the use of a proposal that was not approved', async () => {
    const id = await propose();
    expect(await asConsole('SELECT FROM approvals WHERE id = $1', [id])).toHaveLength(1);
    const forged = harness.database.people.write(scope, (tx) =>
      tx.query(
        `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
         VALUES ($1, $2, $3, $4)`,
        [id, scope.customerId, scope.environment, now],
      ),
    );
    await expect(forged).rejects.toMatchObject({ code: '23514' });
  });
});

describe('npm run ops -- approvals', () => {
  it('lists what waits with all that operators approve', async () => {
    const id = await handIn();
    const { printed } = await harness.run('approvals', 'list');
    expect(printed).toContain(id);
    expect(printed).toContain('{"to":"APPROVED"}');
    expect(printed).toContain('handed in by Ada');
    await decide(id, ben, 'REFUSED');
    expect((await harness.run('approvals', 'list')).printed).not.toContain(id);
  });

  it.each(['approve', 'refuse'])('has no %s: that is done in the console', async (verb) => {
    const id = await handIn();
    const by = ['--reason', 'yes', '--operator', 'Ben'];
    expect(await harness.run('approvals', verb, id, ...by)).toMatchObject({ code: 2 });
  });

  it('takes no id of an operator for a name', async () => {
    const asAda = ['--reason', 'yes', '--operator', ` ${ada.operator.toUpperCase()}`];
    const given = ['kyc', 'override', '--check', 'kyc_1', '--to', 'APPROVED', ...asAda];
    const { code, error } = await harness.run(...given);
    expect([code, error]).toEqual([2, expect.stringContaining('It must be a name')]);
  });
});
