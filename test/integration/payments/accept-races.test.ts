import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({ funds: '2000.00' });
});
afterEach(() => harness.expectBooksToHold());
afterAll(() => harness.close());

const countPayments = async () =>
  Number((await harness.rows<{ n: string }>('SELECT count(*) AS n FROM payments'))[0]?.n);

describe('payments that are posted at the same time', () => {
  it('200 under one key are one payment: the same 201, or 409 with Retry-After', async () => {
    const before = await harness.balance();
    const body = harness.order();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => harness.pay(body, 'one for all')),
    );
    const accepted = answers.filter(({ statusCode }) => statusCode === 201);
    const busy = answers.filter(({ statusCode }) => statusCode === 409);
    expect(accepted.length + busy.length).toBe(200);
    expect(new Set(accepted.map(({ body: text }) => text)).size).toBe(1);
    for (const answer of busy) {
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json()).toMatchObject({ error: 'idempotency_key_in_progress' });
    }
    const first = accepted.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
    expect(first).toHaveLength(1);
    expect(await countPayments()).toBe(1);
    const after = await harness.balance();
    expect(BigInt(before.available) - BigInt(after.available)).toBe(1_000n);
  });

  it('200 from a balance that covers 100: exactly 100 are accepted and nothing is left', async () => {
    // 1,990.00 are left of 2,000.00.
    const amount = '19.90';
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_none, n) =>
        harness.pay(harness.order({ amount }), `many-${n}`),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(100);
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: 'insufficient_balance' });
    }
    expect(await harness.balance()).toEqual({ available: '0', reserved: '200000' });
    expect(await countPayments()).toBe(101);
  });
});
