import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    expect((await invite(id)).error).toContain('has a user of this address');
    expect((await invite('cus_none')).code).toBe(1);
  });
});
