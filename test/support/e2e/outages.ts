import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../until.ts';
import type { Beneficiary, Stack } from './stack.ts';

/** What the API writes when it stops telling Temporal of a payment: its deadline has passed. */
const GAVE_UP = 'background work failed';

/** An outage of a server or a process that the stack consists of. */
export function testOutages(stack: Stack, to: () => Beneficiary): void {
  const movements = async (id: string) =>
    (await stack.journal(await stack.referenceOf(id))).executed.count;

  it('of Temporal does not keep a payment from being accepted; it settles afterwards', async () => {
    const logFile = join(stack.folder, 'logs', 'api.log');
    const before = statSync(logFile).size;
    const logged = () => readFileSync(logFile).subarray(before).toString();
    stack.signal('temporal', 'SIGSTOP');
    const accepted: string[] = [];
    try {
      for (let n = 0; n < 3; n += 1) {
        const { status, body } = await stack.post(to(), '10.00');
        expect(status).toBe(201);
        accepted.push(body.id);
      }
      // An answer that waited for Temporal would have come after the deadline for telling it.
      expect(logged()).not.toContain(GAVE_UP);
      for (const id of accepted) {
        expect(await stack.payment(id)).toMatchObject({ status: 'PROCESSING' });
      }
      // So long that the API has given up telling Temporal: from now on only the reconciler helps.
      await until('the API to give up', () => (logged().includes(GAVE_UP) ? true : null));
    } finally {
      stack.signal('temporal', 'SIGCONT');
    }
    for (const id of accepted) {
      await stack.untilPayment(id, 'COMPLETED');
      expect(await movements(id)).toBe(1);
    }
  });

  it('by kill -9 of Temporal, of the API right after its 201, of PostgreSQL: nothing is lost', async () => {
    const before = await stack.pay(to(), '10.00');
    const temporalBack = stack.kill('temporal');
    const during = await stack.pay(to(), '11.00');
    await temporalBack;

    const answered = await stack.post(to(), '12.00');
    const apiBack = stack.kill('api');
    expect(answered.status).toBe(201);
    await apiBack;

    const key = `key-${answered.body.id}`;
    const started = stack.pay(to(), '13.00', key);
    const postgresBack = stack.kill('postgres');
    const last = await started;
    await postgresBack;

    for (const id of [before, during, answered.body.id, last]) {
      await stack.untilPayment(id, 'COMPLETED');
      expect(await movements(id)).toBe(1);
    }
    // The same key still answers with the same payment.
    expect(await stack.pay(to(), '13.00', key)).toBe(last);
  });
}
