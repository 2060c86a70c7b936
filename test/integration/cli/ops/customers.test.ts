import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendCustomer } from '../../../../src/modules/customers/suspend-customer.ts';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let ops: OpsHarness;
beforeAll(async () => {
  ops = await createOpsHarness();
});
afterAll(() => ops.close());

const users = (customerId: string) =>
  ops.database.people.system((tx) =>
    tx.query(`SELECT role, status FROM users WHERE customer_id = $1`, [customerId]),
  );
const by = ['--operator', 'root'];

describe('customers add --owner', () => {
  it('takes on a customer and invites its first owner, who is named nowhere', async () => {
    const added = await ops.run(
      ...['customers', 'add', '--name', 'Sample Ltd', '--owner', 'Grace@Sample.Example', ...by],
    );
    expect(added.code, added.error).toBe(0);
    expect(added.printed).not.toMatch(/grace/i);
    const id = /cus_\w+/.exec(added.printed)?.[0] ?? '';
    expect(await users(id)).toEqual([{ role: 'OWNER', status: 'INVITED' }]);
    const mails = await ops.database.people.system((tx) =>
      tx.query('SELECT kind, status FROM mails WHERE customer_id = $1', [id]),
    );
    expect(mails).toEqual([{ kind: 'INVITATION', status: 'WAITING' }]);
    const audit = await ops.database.people.system((tx) =>
      tx.query('SELECT actor, action FROM audit_log WHERE customer_id = $1', [id]),
    );
    expect(audit).toEqual([{ actor: 'operator:root', action: 'user.invited' }]);
  });

  it('invites for a customer from before, and for none that has no such id', async () => {
    const added = await ops.run('customers', 'add', '--name', 'Old Ltd', ...by);
    const id = /cus_\w+/.exec(added.printed)?.[0] ?? '';
    expect(await users(id)).toEqual([]);
    const invite = (customer: string, ...more: string[]) =>
      ops.run('customers', 'invite-owner', customer, '--owner', 'a@old.example', ...by, ...more);
    expect(await invite(id)).toMatchObject({ code: 0 });
    expect(await users(id)).toEqual([{ role: 'OWNER', status: 'INVITED' }]);
    expect((await invite(id)).error).toContain('has a user with this email address');
    expect((await invite('cus_none')).code).toBe(1);
  });
});

describe('customers resume', () => {
  const REASON = 'the papers have come';
  const resume = (id: string) => ops.run('customers', 'resume', id, '--reason', REASON, ...by);
  const rows = (sql: string, values: readonly unknown[]) =>
    ops.database.people.system((tx) => tx.query(sql, [...values]));

  it('hands in the resumption of a suspended customer, and refuses an active one', async () => {
    const added = await ops.run('customers', 'add', '--name', 'Held Ltd', ...by);
    const [id = ''] = /cus_\w+/.exec(added.printed) ?? [];
    expect(await resume(id)).toEqual({
      ...{ code: 1, printed: '' },
      error: `Customer ${id} is not SUSPENDED.`,
    });
    expect(await rows('SELECT FROM approvals WHERE customer_id = $1', [id])).toEqual([]);

    const operator = await ops.operators.operator('ada');
    await suspendCustomer(ops.operators.deps, id, { operator, reason: 'papers are missing' });
    const { code, printed } = await resume(id);
    const [approvalId = ''] = /apr_\w+/.exec(printed) ?? [];
    expect({ code, printed }).toEqual({
      code: 0,
      printed: `Submitted ${approvalId}. In the console, one operator takes it up and another approves it: http://ops.localhost:8082/approvals/${approvalId}`,
    });
    const proposed = `SELECT action, subject_id AS "subjectId", content, proposed_by AS "proposedBy",
        submitted_by AS "submittedBy", decision FROM approvals WHERE id = $1`;
    const proposal = {
      ...{ action: 'CUSTOMER_RESUMPTION', subjectId: id, content: { to: 'ACTIVE' } },
    };
    expect(await rows(proposed, [approvalId])).toEqual([
      { ...proposal, proposedBy: null, submittedBy: 'root', decision: null },
    ]);
    const audited = 'SELECT actor, action, details FROM audit_log WHERE subject = $1';
    expect(await rows(audited, [approvalId])).toEqual([
      {
        ...{ actor: 'operator:root', action: 'approval.hand_in' },
        details: expect.objectContaining({ ...proposal, reason: REASON }) as unknown,
      },
    ]);
    const status = 'SELECT status FROM customers WHERE id = $1';
    expect(await rows(status, [id])).toEqual([{ status: 'SUSPENDED' }]);
    expect(await ops.operators.approve(approvalId)).toMatchObject({ code: 0 });
    expect(await rows(status, [id])).toEqual([{ status: 'ACTIVE' }]);
  });
});
