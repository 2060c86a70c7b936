import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openStack, type Beneficiary } from './stack.ts';

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

async function sendsOf(paymentId: string): Promise<unknown[]> {
  return stack.sql('SELECT number, sends FROM settlement_attempts WHERE payment_id = $1', [
    paymentId,
  ]);
}

describe('an answer of the bank that never arrives', () => {
  it('a worker killed between the execution and our record: one movement, COMPLETED', async () => {
    await stack.fault('execute_then_wait', { ms: 1_800 });
    const id = await stack.pay(to, '10.00');
    const reference = await stack.referenceOf(id);
    await until('the execution at the bank', async () => {
      const { executed } = await stack.journal(reference);
      return executed.count === 1 ? true : null;
    });
    expect(await stack.payment(id)).toMatchObject({ status: 'PROCESSING' });
    await stack.kill('worker');
    await stack.untilPayment(id, 'COMPLETED');
    expect((await stack.journal(reference)).executed.count).toBe(1);
    expect(await sendsOf(id)).toEqual([{ number: 1, sends: 1 }]);
  });

  it('the bank executes and drops the connection: asked about, not sent again', async () => {
    await stack.fault('execute_then_drop');
    const id = await stack.pay(to, '10.00');
    await stack.untilPayment(id, 'COMPLETED');
    const { facts, executed } = await stack.journal(await stack.referenceOf(id));
    expect(facts.filter(({ fact }) => fact === 'RECEIVED')).toHaveLength(1);
    expect(executed.count).toBe(1);
    expect(await sendsOf(id)).toEqual([{ number: 1, sends: 1 }]);
  });
});
