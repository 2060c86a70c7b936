import { expect, it } from 'vitest';
import { until } from '../until.ts';
import type { Beneficiary, Stack } from './stack.ts';

/** An answer of the bank that never arrives. */
export function testLostAnswers(stack: Stack, to: () => Beneficiary): void {
  const sendsOf = (paymentId: string) =>
    stack.sql('SELECT number, sends FROM settlement_attempts WHERE payment_id = $1', [paymentId]);

  it('a worker killed between the execution and our record: one movement, COMPLETED', async () => {
    await stack.fault('execute_then_wait', { ms: 1_800 });
    const id = await stack.pay(to(), '10.00');
    const reference = await stack.referenceOf(id);
    await until('the execution at the bank', async () => {
      const { executed } = await stack.journal(reference);
      return executed.count === 1 ? true : null;
    });
    // Stopped at once: on a busy machine the bank's answer could come before the look at the payment.
    stack.signal('worker', 'SIGSTOP');
    expect(await stack.payment(id)).toMatchObject({ status: 'PROCESSING' });
    await stack.kill('worker');
    await stack.untilPayment(id, 'COMPLETED');
    expect((await stack.journal(reference)).executed.count).toBe(1);
    expect(await sendsOf(id)).toEqual([{ number: 1, sends: 1 }]);
  });

  it('the bank executes and drops the connection: asked about, not sent again', async () => {
    await stack.fault('execute_then_drop');
    const id = await stack.pay(to(), '10.00');
    await stack.untilPayment(id, 'COMPLETED');
    const { facts, executed } = await stack.journal(await stack.referenceOf(id));
    expect(facts.filter(({ fact }) => fact === 'RECEIVED')).toHaveLength(1);
    expect(executed.count).toBe(1);
    expect(await sendsOf(id)).toEqual([{ number: 1, sends: 1 }]);
  });
}
