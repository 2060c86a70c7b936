import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { voidApproval } from '../../../../src/db/approvals/approval-store.ts';
import { suspendCustomer } from '../../../../src/modules/customers/suspend-customer.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import { until } from '../../../support/until.ts';

let harness: OpsHarness;
let customerId: string;
beforeAll(async () => {
  harness = await createOpsHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const act = { operator: await harness.operators.operator('ada'), reason: 'papers are missing' };
  await suspendCustomer(harness.operators.deps, customerId, act);
});

/** The command under way, once its proposal is handed in. */
async function waiting() {
  const outcome = harness.run(
    ...['customers', 'resume', customerId, '--wait'],
    ...['--reason', 'the papers have come', '--operator', 'root'],
  );
  const id = await until('the proposal', async () => {
    const [row] = await harness.database.people.system((tx) =>
      tx.query<{ id: string }>('SELECT id FROM approvals WHERE subject_id = $1', [customerId]),
    );
    return row?.id;
  });
  return { outcome, id };
}

describe('a command that waits for its proposal', () => {
  it('ends with 0 once it is in effect, and names the page where it is decided', async () => {
    const { outcome, id } = await waiting();
    expect(await harness.operators.approve(id)).toMatchObject({ code: 0 });
    const { code, printed } = await outcome;
    expect(code).toBe(0);
    expect(printed).toContain(`http://ops.localhost:8082/approvals/${id}`);
    expect(printed).toContain('It is in effect.');
  });

  it('ends with 3 once it is refused, and says why', async () => {
    const { outcome, id } = await waiting();
    await harness.operators.refuse(id);
    expect(await outcome).toMatchObject({
      ...{ code: 3, printed: expect.stringContaining('Refused: asked the bank') as unknown },
    });
  });

  it('ends with 3 once its approval is void, and says why', async () => {
    const { outcome, id } = await waiting();
    await harness.operators.approveOnly(id);
    const operator = await harness.operators.operator('ben');
    await harness.database.people.system((tx) =>
      voidApproval(tx, id, { as: 'WITHDRAWN', operator, reason: 'the papers are forged', at: NOW }),
    );
    expect(await outcome).toMatchObject({
      ...{ code: 3, printed: expect.stringContaining('void: the papers are forged') as unknown },
    });
  });
});
