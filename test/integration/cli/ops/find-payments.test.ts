import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';
import { createPaymentHarness, type PaymentHarness } from '../../../support/payment-harness.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { findPayments } from '../../../../src/cli/ops/find-payments.ts';

let ops: OpsHarness;
let harness: PaymentHarness;
beforeAll(async () => {
  [ops, harness] = await Promise.all([createOpsHarness(), createPaymentHarness()]);
});
afterAll(async () => {
  await ops.close();
  await harness.close();
});

async function find(requestId: string): Promise<string> {
  const printed: string[] = [];
  const deps = { db: harness.deps.db, print: (text: string) => void printed.push(text) };
  await findPayments(deps, requestId);
  return printed.join('\n');
}

describe('payments find --request-id', () => {
  it('finds the payment by the id that its answer carried, and no other', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((key) => harness.pay(harness.order(), key)),
    );
    for (const answer of answers) {
      const requestId = String(answer.headers['x-request-id']);
      const found = await find(requestId);
      expect(found.match(/^pay_\S+/gm)).toEqual([answer.json().id]);
    }
  });

  it('a repeated request has an id of its own: the payment is found by the first one alone', async () => {
    const first = await harness.pay(harness.order(), 'repeated');
    const second = await harness.pay(harness.order(), 'repeated');
    expect(second.headers['idempotent-replayed']).toBe('true');
    const ids = [first, second].map(({ headers }) => String(headers['x-request-id']));
    expect(ids[0]).not.toBe(ids[1]);
    expect(await find(ids[0] ?? '')).toContain(first.json().id);
    await expect(find(ids[1] ?? '')).rejects.toThrow('No payment was created by');
  });

  it('reads a stretch of the primary key, not the table', async () => {
    const id = newId('req');
    const plan = await harness.deps.db.system((tx) =>
      tx.query<Record<string, string>>(
        `EXPLAIN (COSTS OFF) SELECT id FROM payments
         WHERE id >= 'pay_01m80' AND id < 'pay_01m81' AND request_id = '${id}'`,
      ),
    );
    expect(JSON.stringify(plan)).toContain('Index');
  });

  it('says so where there is none, or where the id is none of a request', async () => {
    const nowhere = await ops.run('payments', 'find', '--request-id', newId('req'));
    expect(nowhere).toMatchObject({
      code: 1,
      error: expect.stringContaining('No payment was created'),
    });
    const wrong = await ops.run('payments', 'find', '--request-id', "req_x'; DROP TABLE payments");
    expect(wrong).toMatchObject({
      code: 1,
      error: expect.stringContaining('is not a request ID'),
    });
    expect((await ops.run('payments', 'find')).code).toBe(2);
  });
});
