import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveEndUser, revokeApproval } from '../../support/approve-end-user.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

describe('the same Idempotency-Key', () => {
  it('the same key and body answer the first 201 byte for byte, whatever has changed since', async () => {
    const body = harness.order({ reference: 'Invoice 4711', metadata: { b: '2', a: '1' } });
    const first = await harness.pay(body, 'same');
    await revokeApproval(harness.database.db, harness.scope, harness.payer, harness.clock.now());
    await harness.rows(`UPDATE balances SET available = 0 WHERE customer_id = $1`, [
      harness.scope.customerId,
    ]);
    harness.clock.advance(40 * 24 * 3_600_000);
    const again = await harness.pay(body, 'same');
    expect(again.statusCode).toBe(201);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    await harness.rows(`UPDATE balances SET available = 99999000 WHERE customer_id = $1`, [
      harness.scope.customerId,
    ]);
    const { endUserId } = harness.payer;
    await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
  });

  it('the same key and request written otherwise are the same request', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    const spellings = [
      `{"endUserId":"${endUserId}","amount":10,"currency":"EUR","bankAccountId":"${bankAccountId}"}`,
      `{ "bankAccountId": "${bankAccountId}", "currency": "EUR",\n "amount": "10.00", "endUserId": "${endUserId}" }`,
      `{"endUserId":"${endUserId}","amount":"10.0","currency":"\\u0045UR","bankAccountId":"${bankAccountId}"}`,
      `{"endUserId":"${endUserId}","amount":10.00,"currency":"EUR","bankAccountId":"${bankAccountId}"}`,
    ];
    const answers = [];
    for (const body of spellings) answers.push(await harness.pay(body, 'spelling'));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  it.each([
    ['another amount', { amount: '10.01' }],
    ['another field', { reference: 'x' }],
    ['a field that says what its absence means', { metadata: {} }],
  ])('the same key and %s answer 422 and have no effect', async (what, overrides) => {
    const key = `mismatch ${what}`;
    await harness.pay(harness.order(), key);
    const before = await harness.balance();
    const answer = await harness.pay(harness.order(overrides), key);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    expect(await harness.balance()).toEqual(before);
  });

  it('the same key on another path answers 422: one namespace', async () => {
    await harness.pay(harness.order(), 'one namespace');
    const individual = { firstName: 'Ben', lastName: 'Sample' };
    const answer = await harness.ask({
      ...{ method: 'POST', url: '/end-users', key: 'one namespace' },
      body: { type: 'INDIVIDUAL', individual },
    });
    expect(answer.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    await harness.ask({
      ...{ method: 'POST', url: '/end-users', key: 'the other way' },
      body: { type: 'INDIVIDUAL', individual },
    });
    const payment = await harness.pay(harness.order(), 'the other way');
    expect(payment.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
  });

  it('a key is free after a refusal', async () => {
    const refused = await harness.pay(harness.order({ currency: 'USD' }), 'refused');
    expect(refused.statusCode).toBe(422);
    const answer = await harness.pay(harness.order(), 'refused');
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('the same key of another customer or environment is another key', async () => {
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const payers = [
      harness.payer,
      await harness.addPayer({ customerId, environment: 'test' }),
      await harness.addPayer({ customerId: harness.scope.customerId, environment: 'live' }),
    ];
    const ids = new Set<string>();
    for (const { endUserId, bankAccountId, token } of payers) {
      const answer = await harness.pay(harness.order({ endUserId, bankAccountId }), 'ours', token);
      expect(answer.statusCode).toBe(201);
      ids.add(answer.json<{ id: string }>().id);
    }
    expect(ids.size).toBe(3);
  });
});
