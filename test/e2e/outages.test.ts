import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openStack, type Beneficiary } from './stack.ts';

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

const movements = async (id: string) =>
  (await stack.journal(await stack.referenceOf(id))).executed.count;

/** How long an answer may take that waits for nobody: far less than any deadline of ours. */
const AT_ONCE_MS = 1_500;

describe('an outage', () => {
  it('of Temporal does not keep a payment from being accepted; it settles afterwards', async () => {
    const logFile = join(stack.folder, 'logs', 'api.log');
    const before = statSync(logFile).size;
    const logged = () => readFileSync(logFile).subarray(before).toString();
    stack.signal('temporal', 'SIGSTOP');
    const accepted: string[] = [];
    try {
      for (let n = 0; n < 3; n += 1) {
        const startedAt = performance.now();
        const { status, body } = await stack.post(to, '10.00');
        expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
        expect(status).toBe(201);
        accepted.push(body.id);
      }
      for (const id of accepted) {
        expect(await stack.payment(id)).toMatchObject({ status: 'PROCESSING' });
      }
      // So long that the API has given up telling Temporal: from now on only the sweep helps.
      await until('the API to give up', () =>
        logged().includes('background work failed') ? true : null,
      );
    } finally {
      stack.signal('temporal', 'SIGCONT');
    }
    for (const id of accepted) {
      await stack.untilPayment(id, 'COMPLETED');
      expect(await movements(id)).toBe(1);
    }
  });

  it('by kill -9 of Temporal, of the API right after its 201, of PostgreSQL: nothing is lost', async () => {
    const before = await stack.pay(to, '10.00');
    const temporalBack = stack.kill('temporal');
    const during = await stack.pay(to, '11.00');
    await temporalBack;

    const answered = await stack.post(to, '12.00');
    const apiBack = stack.kill('api');
    expect(answered.status).toBe(201);
    await apiBack;

    const key = `key-${answered.body.id}`;
    const started = stack.pay(to, '13.00', key);
    const postgresBack = stack.kill('postgres');
    const last = await started;
    await postgresBack;

    for (const id of [before, during, answered.body.id, last]) {
      await stack.untilPayment(id, 'COMPLETED');
      expect(await movements(id)).toBe(1);
    }
    // The same key still answers with the same payment.
    expect(await stack.pay(to, '13.00', key)).toBe(last);
  });
});
