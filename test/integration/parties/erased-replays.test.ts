import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveEndUser } from '../../support/approve-end-user.ts';
import {
  createErasureHarness,
  type ErasureHarness,
} from '../../support/parties/erasure-harness.ts';

let harness: ErasureHarness;
beforeAll(async () => {
  harness = await createErasureHarness();
});
afterAll(() => harness.close());

const person = {
  ...{ type: 'INDIVIDUAL', individual: { firstName: 'Grace', lastName: 'Replayed' } },
  metadata: { note: 'planted' },
};
const post = (url: string, body: object, key: string) =>
  harness.ask({ method: 'POST', url, body, key });

/** An end-user with an account and a payment, all made under keys that begin alike. */
async function make(prefix: string) {
  const first = await post('/end-users', person, `${prefix}-user`);
  const { id: endUserId } = first.json<{ id: string }>();
  await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
  const account = {
    ...{ endUserId, country: 'DE', currency: 'EUR', holderName: 'Grace Replayed' },
    ...{ holderType: 'INDIVIDUAL', details: { iban: 'DE89370400440532013000' } },
  };
  const made = await post('/bank-accounts', account, `${prefix}-account`);
  const { id: bankAccountId } = made.json<{ id: string }>();
  const order = harness.order({
    ...{ endUserId, bankAccountId, reference: 'Replayed invoice' },
    metadata: { note: 'planted' },
  });
  const paid = await post('/payments', order, `${prefix}-payment`);
  expect([first.statusCode, made.statusCode, paid.statusCode]).toEqual([201, 201, 201]);
  return { endUserId, bankAccountId, account, order, paid: paid.json<Record<string, unknown>>() };
}

async function erase(endUserId: string, paymentId: unknown): Promise<void> {
  await harness.end([String(paymentId)], 'FAILED');
  await harness.closeEndUser(endUserId);
  await harness.rows(`UPDATE end_users SET updated_at = '2000-01-01' WHERE id = $1`, [endUserId]);
  await harness.rows(
    `WITH quiet AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE payments SET final_at = '2000-01-01' FROM quiet WHERE end_user_id = $1`,
    [endUserId],
  );
  const answer = await harness.erase(endUserId);
  expect(answer.statusCode, answer.body).toBe(200);
}

describe('after an erasure a first request under a key', () => {
  it('is answered, and its repeat the same: nothing is sealed under a destroyed key', async () => {
    const { endUserId, bankAccountId, paid } = await make('late');
    await erase(endUserId, paid['id']);
    const disable = () => post(`/bank-accounts/${bankAccountId}/disable`, {}, 'late-disable');
    const first = await disable();
    expect(first.statusCode, first.body).toBe(200);
    expect(first.json()).toMatchObject({ id: bankAccountId, status: 'DISABLED' });
    const again = await disable();
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('after an erasure a repeated request', () => {
  it('of a payment answers the first 201 less what was personal, another body still 422', async () => {
    const { endUserId, order, paid } = await make('pay');
    await erase(endUserId, paid['id']);
    const again = await post('/payments', order, 'pay-payment');
    expect(again.statusCode).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const expectedArrival = { at: null, reason: 'NOT_RECORDED' };
    expect(again.json()).toEqual({ ...paid, expectedArrival, reference: null, metadata: {} });
    const other = await post('/payments', { ...order, amount: '10.01' }, 'pay-payment');
    expect(other.statusCode).toBe(422);
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
  });

  it('of an end-user or account answers the same status, ids, and no name', async () => {
    const { endUserId, bankAccountId, account, paid } = await make('others');
    await erase(endUserId, paid['id']);
    const user = await post('/end-users', person, 'others-user');
    expect(user.statusCode).toBe(201);
    expect(user.headers['idempotent-replayed']).toBe('true');
    expect(user.json()).toMatchObject({ id: endUserId, erasedAt: expect.any(String) });
    const known = await post('/bank-accounts', account, 'others-account');
    expect(known.statusCode).toBe(201);
    expect(known.json()).toMatchObject({ id: bankAccountId, holderName: '****' });
    expect(user.body + known.body).not.toMatch(/Grace|Replayed|planted|3000/);
    expect((await post('/end-users', { type: 'BUSINESS' }, 'others-user')).statusCode).not.toBe(
      201,
    );
  });
});
