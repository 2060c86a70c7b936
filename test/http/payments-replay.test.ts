import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approveEndUser, revokeApproval } from '../support/approve-end-user.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payment-world.ts';
import { addCustomer } from '../support/test-customer.ts';

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
});
afterEach(() => world.expectBooksToHold());
afterAll(() => world.close());

describe('the same Idempotency-Key', () => {
  it('and body answer the first 201 byte for byte, whatever has changed since', async () => {
    const body = world.order({ reference: 'Invoice 4711', metadata: { b: '2', a: '1' } });
    const first = await world.pay(body, 'same');
    await revokeApproval(world.database.db, world.scope, world.payer, world.clock.now());
    await world.rows(`UPDATE balances SET available = 0 WHERE customer_id = $1`, [
      world.scope.customerId,
    ]);
    world.clock.advance(40 * 24 * 3_600_000);
    const again = await world.pay(body, 'same');
    expect(again.statusCode).toBe(201);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    await world.rows(`UPDATE balances SET available = 99999000 WHERE customer_id = $1`, [
      world.scope.customerId,
    ]);
    const { endUserId } = world.payer;
    await approveEndUser(world.database.db, world.scope, endUserId, world.clock.now());
  });

  it('and the same request written otherwise is the same request', async () => {
    const { endUserId, bankAccountId } = world.payer;
    const spellings = [
      `{"endUserId":"${endUserId}","amount":10,"currency":"EUR","bankAccountId":"${bankAccountId}"}`,
      `{ "bankAccountId": "${bankAccountId}", "currency": "EUR",\n "amount": "10.00", "endUserId": "${endUserId}" }`,
      `{"endUserId":"${endUserId}","amount":"10.0","currency":"\\u0045UR","bankAccountId":"${bankAccountId}"}`,
      `{"endUserId":"${endUserId}","amount":10.00,"currency":"EUR","bankAccountId":"${bankAccountId}"}`,
    ];
    const answers = [];
    for (const body of spellings) answers.push(await world.pay(body, 'spelling'));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  it.each([
    ['another amount', { amount: '10.01' }],
    ['another field', { reference: 'x' }],
    ['a field that says what its absence means', { metadata: {} }],
  ])('and %s answer 422 and have no effect', async (what, wish) => {
    const key = `mismatch ${what}`;
    await world.pay(world.order(), key);
    const before = await world.balance();
    const answer = await world.pay(world.order(wish), key);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    expect(await world.balance()).toEqual(before);
  });

  it('on another path answers 422: one namespace', async () => {
    await world.pay(world.order(), 'one namespace');
    const individual = { firstName: 'Ben', lastName: 'Sample' };
    const answer = await world.ask({
      ...{ method: 'POST', url: '/end-users', key: 'one namespace' },
      body: { type: 'INDIVIDUAL', individual },
    });
    expect(answer.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    await world.ask({
      ...{ method: 'POST', url: '/end-users', key: 'the other way' },
      body: { type: 'INDIVIDUAL', individual },
    });
    const payment = await world.pay(world.order(), 'the other way');
    expect(payment.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
  });

  it('after a refusal is free', async () => {
    const refused = await world.pay(world.order({ currency: 'USD' }), 'refused');
    expect(refused.statusCode).toBe(422);
    const answer = await world.pay(world.order(), 'refused');
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  it('of another customer or environment is another key', async () => {
    const customerId = await world.database.db.system((tx) => addCustomer(tx));
    const payers = [
      world.payer,
      await world.addPayer({ customerId, environment: 'test' }),
      await world.addPayer({ customerId: world.scope.customerId, environment: 'live' }),
    ];
    const ids = new Set<string>();
    for (const { endUserId, bankAccountId, token } of payers) {
      const answer = await world.pay(world.order({ endUserId, bankAccountId }), 'ours', token);
      expect(answer.statusCode).toBe(201);
      ids.add(answer.json<{ id: string }>().id);
    }
    expect(ids.size).toBe(3);
  });
});
