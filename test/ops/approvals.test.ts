import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalRefused, decideApproval } from '../../src/approvals/decide-approval.ts';
import { proposeApproval } from '../../src/approvals/propose-approval.ts';
import { useApproval } from '../../src/approvals/use-approval.ts';
import type { ApprovalRow } from '../../src/db/approval-store.ts';
import { APPROVAL_LIFE_MS } from '../../src/domain/approvals/approval.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { seedPayingCustomer } from '../support/seed-payments.ts';
import { createOpsHarness, NOW, type OpsHarness } from './ops-harness.ts';

const ADA = { operator: 'Ada', reason: 'the register was read by hand' };
const BEN = { operator: 'Ben', reason: 'read it as well' };

let harness: OpsHarness;
let scope: Scope;
let now = NOW;
let subjects = 0;
const deps = () => ({ db: harness.database.db, clock: { now: () => now } });
beforeAll(async () => {
  harness = await createOpsHarness();
  scope = (await seedPayingCustomer(harness.database.db, 'live')).scope;
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

async function propose(by = ADA): Promise<string> {
  const id = await proposeApproval(deps(), scope, proposal(), by);
  if (id === null) throw new Error('a proposal waits already');
  return id;
}

const use = (approval: ApprovalRow, version: number, at = now) =>
  harness.database.db.write(scope, (tx) => useApproval(tx, scope, approval, version, at));

const asSystem = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  harness.database.db.system((tx) => tx.query<Row>(sql, [...values]));

describe('an approval takes two operators', () => {
  it.each(['Ada', ' ada ', 'A.D.A.', 'Ａda', 'a d\u200ba'])(
    'the one who proposed it cannot approve it as %j',
    async (operator) => {
      const id = await propose();
      const again = decideApproval(deps(), id, 'APPROVED', { ...BEN, operator });
      await expect(again).rejects.toThrow('cannot approve it');
    },
  );

  it('another one can, and both are in the audit log', async () => {
    const id = await propose();
    expect(await decideApproval(deps(), id, 'APPROVED', BEN)).toMatchObject({
      decision: 'APPROVED',
      proposedBy: 'Ada',
      decidedBy: 'Ben',
    });
    expect(
      await asSystem('SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id', [id]),
    ).toEqual([
      { actor: 'operator:Ada', action: 'approval.propose' },
      { actor: 'operator:Ben', action: 'approval.approve' },
    ]);
  });

  it('the one who proposed it can take it back, and nobody approves it then', async () => {
    const id = await propose();
    await decideApproval(deps(), id, 'REFUSED', ADA);
    await expect(decideApproval(deps(), id, 'APPROVED', BEN)).rejects.toThrow('decided before');
  });

  it('only one of two operators who decide at once decides', async () => {
    const id = await propose();
    const decided = await Promise.allSettled([
      decideApproval(deps(), id, 'REFUSED', BEN),
      decideApproval(deps(), id, 'REFUSED', { ...BEN, operator: 'Cleo' }),
    ]);
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('a proposal runs out after seven days and can be made anew', async () => {
    const id = await propose();
    expect(await proposeApproval(deps(), scope, proposal(), BEN)).toBeNull();
    now = new Date(NOW.getTime() + APPROVAL_LIFE_MS);
    await expect(decideApproval(deps(), id, 'APPROVED', BEN)).rejects.toThrow('ran out');
    expect(await propose(BEN)).not.toBe(id);
  });
});

describe('an approval is good for what was approved, once', () => {
  it('not for a subject that has changed since', async () => {
    const approval = await decideApproval(deps(), await propose(), 'APPROVED', BEN);
    await expect(use(approval, 4)).rejects.toThrow(ApprovalRefused);
    await use(approval, 3);
  });

  it('not twice', async () => {
    const approval = await decideApproval(deps(), await propose(), 'APPROVED', BEN);
    const uses = await Promise.allSettled([use(approval, 3), use(approval, 3)]);
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(decideApproval(deps(), approval.id, 'APPROVED', BEN)).rejects.toThrow('before');
  });

  it('again where its effect was cut off, as long as it has not run out', async () => {
    const id = await propose();
    await decideApproval(deps(), id, 'APPROVED', BEN);
    const approval = await decideApproval(deps(), id, 'APPROVED', BEN);
    now = new Date(NOW.getTime() + APPROVAL_LIFE_MS);
    await expect(use(approval, 3)).rejects.toMatchObject({ code: '23514' });
    await expect(decideApproval(deps(), id, 'APPROVED', BEN)).rejects.toThrow('decided before');
  });

  it('the guards of an effect see it in the transaction that uses it, and in no other', async () => {
    const approval = await decideApproval(deps(), await propose(), 'APPROVED', BEN);
    const look = `SELECT (approval_in_use('KYC_OVERRIDE', $1, $2)).id`;
    const seen = await harness.database.db.write(scope, async (tx) => {
      await useApproval(tx, scope, approval, 3, now);
      return [
        ...(await tx.query(look, [approval.subjectId, 3])),
        ...(await tx.query(look, [approval.subjectId, 4])),
      ];
    });
    expect(seen).toEqual([{ id: approval.id }, { id: null }]);
    const later = await harness.database.db.write(scope, (tx) =>
      tx.query(look, [approval.subjectId, 3]),
    );
    expect(later).toEqual([{ id: null }]);
  });
});

describe('the database alone refuses', () => {
  it('an approval that API or worker writes', async () => {
    const id = await propose();
    const attempts = [
      `UPDATE approvals SET decision = 'APPROVED', decided_by = 'Ben', decided_at = now(),
         decision_reason = 'x' WHERE id = '${id}'`,
      `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version,
         content, proposed_by, proposed_at, reason, expires_at)
       SELECT 'apr_forged', customer_id, environment, action, 'kyc_forged', 1, content, 'Cleo',
         now(), reason, expires_at FROM approvals WHERE id = '${id}'`,
    ];
    for (const sql of attempts) {
      const forged = harness.database.db.write(scope, (tx) => tx.query(sql));
      await expect(forged).rejects.toMatchObject({ code: '42501' });
    }
  });

  it.each([
    [`content = '{"to": "REJECTED"}'`],
    [`subject_version = 4`],
    [`expires_at = expires_at + interval '1 day'`],
    [`proposed_by = 'Cleo'`],
  ])('a change of what was proposed: %s', async (change) => {
    const id = await propose();
    await expect(
      asSystem(`UPDATE approvals SET ${change} WHERE id = $1`, [id]),
    ).rejects.toMatchObject({ code: '23001' });
  });

  it('the use of a proposal that was not approved', async () => {
    const id = await propose();
    const rows = await asSystem<{ id: string }>('SELECT id FROM approvals WHERE id = $1', [id]);
    expect(rows).toHaveLength(1);
    const forged = harness.database.db.write(scope, (tx) =>
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
  it('lists what waits with all that the second operator approves, and refuses by id', async () => {
    const id = await propose();
    const { printed } = await harness.run('approvals', 'list');
    expect(printed).toContain(id);
    expect(printed).toContain('{"to":"APPROVED"}');
    const by = ['--reason', 'no', '--operator', 'Ben'];
    expect((await harness.run('approvals', 'refuse', id, ...by)).code).toBe(0);
    expect((await harness.run('approvals', 'list')).printed).not.toContain(id);
  });

  it('says why it cannot approve', async () => {
    const by = ['--reason', 'yes', '--operator', 'Ada'];
    expect(await harness.run('approvals', 'approve', await propose(), ...by)).toMatchObject({
      code: 1,
      error: 'The operator who proposed it cannot approve it.',
    });
    expect(await harness.run('approvals', 'approve', 'apr_none', ...by)).toMatchObject({
      code: 1,
      error: 'There is no proposal apr_none.',
    });
  });
});
