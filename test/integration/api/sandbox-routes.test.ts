import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdvanceOrder,
  ControlRefusal,
  SandboxBankControl,
} from '../../../src/domain/sandbox/bank-control.ts';
import type { FaultOrder } from '../../../src/domain/sandbox/bank-faults.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';

/** What the control APIs were told, and what they answer. */
const advanced: AdvanceOrder[] = [];
const armed: FaultOrder[] = [];
const decided: [string, string][] = [];
let answer: 'DONE' | ControlRefusal = 'DONE';

const TIMES = { armedAt: '2026-09-29T12:00:00.000Z', endsAt: '2026-09-29T13:00:00.000Z' };
const bankControl: SandboxBankControl = {
  async advance(order) {
    advanced.push(order);
    return answer;
  },
  async arm(order) {
    armed.push(order);
    const { fault, count } = order;
    return answer === 'DONE' ? { fault, count, left: count, ...TIMES } : answer;
  },
  async listArmed(onBehalfOf) {
    if (answer !== 'DONE') return answer;
    return armed
      .filter((one) => one.onBehalfOf === onBehalfOf)
      .map(({ fault, count }) => ({ fault, count, left: count, ...TIMES }));
  },
};

let harness: PaymentHarness;
let bare: PaymentHarness;
let live: Payer;
let stranger: Payer;
beforeAll(async () => {
  const kycControl = {
    async decide(reference: string, status: string) {
      decided.push([reference, status]);
      return answer;
    },
  };
  harness = await createPaymentHarness({ bankControl, kycControl });
  bare = await createPaymentHarness();
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId, environment: 'test' });
});
afterAll(async () => {
  await harness.close();
  await bare.close();
});
beforeEach(() => {
  for (const told of [advanced, armed, decided]) told.length = 0;
  answer = 'DONE';
});

const post = (url: string, body: object, by: { key?: string; token?: string } = {}, of = harness) =>
  of.ask({ method: 'POST', url: `/sandbox${url}`, body, ...by });

/** A payment that the bank has accepted, as far as the database knows. */
async function sent(of = harness): Promise<string> {
  const id = await of.accept();
  await of.rows(
    `UPDATE settlement_attempts SET phase = 'ACCEPTED', sends = 1, first_sent_at = sent_at
     WHERE payment_id = $1`,
    [id],
  );
  return id;
}
const advance = (id: string, body: object = { to: 'COMPLETED' }, by = {}) =>
  post(`/payments/${id}/advance`, body, by);
const decide = (id: string, body: object = { state: 'REVOKED' }, by = {}) =>
  post(`/end-users/${id}/kyc`, body, by);

describe('the routes that direct the sandbox', () => {
  it('are none for a live key, whose resources stay as they are', async () => {
    const { token, endUserId } = live;
    const key = { token };
    for (const refused of [
      await advance(await sent(), { to: 'FAILED' }, key),
      await decide(endUserId, { state: 'REJECTED' }, key),
      await post('/faults', { fault: 'RETURNED' }, key),
      await harness.ask({ url: '/sandbox/faults', token }),
    ]) {
      expect(refused.statusCode).toBe(404);
      expect(refused.json()).toMatchObject({ error: 'not_found' });
    }
    expect([advanced, armed, decided]).toEqual([[], [], []]);
  });

  it("know nothing of another customer's payments, end-users and faults", async () => {
    const key = { token: stranger.token };
    expect((await advance(await sent(), { to: 'FAILED' }, key)).statusCode).toBe(404);
    expect((await decide(harness.payer.endUserId, { state: 'REVOKED' }, key)).statusCode).toBe(404);
    await post('/faults', { fault: 'RETURNED' });
    const listed = await harness.ask({ url: '/sandbox/faults', token: stranger.token });
    expect(listed.json()).toMatchObject({ data: [] });
    expect([advanced, decided]).toEqual([[], []]);
  });

  it('are unavailable where bank and provider are no sandbox', async () => {
    const id = await sent(bare);
    const { endUserId } = bare.payer;
    for (const refused of [
      await post(`/payments/${id}/advance`, { to: 'COMPLETED' }, {}, bare),
      await post(`/end-users/${endUserId}/kyc`, { state: 'REVOKED' }, {}, bare),
      await post('/faults', { fault: 'RETURNED' }, {}, bare),
      await bare.ask({ url: '/sandbox/faults' }),
    ]) {
      expect(refused.json(), refused.body).toMatchObject({ error: 'sandbox_unavailable' });
      expect(refused.statusCode).toBe(422);
    }
    answer = 'NO_CONTROL_API';
    expect((await advance(await sent())).json()).toMatchObject({ error: 'sandbox_unavailable' });
  });

  it('are 503 while the sandbox is down, and the key is free for the next try', async () => {
    const id = await sent();
    answer = 'SILENCE';
    for (const refused of [
      await advance(id, undefined, { key: 'down-1' }),
      await decide(harness.payer.endUserId, undefined, { key: 'down-2' }),
      await post('/faults', { fault: 'RETURNED' }, { key: 'down-3' }),
      await harness.ask({ url: '/sandbox/faults' }),
    ]) {
      expect(refused.json()).toMatchObject({ error: 'service_unavailable' });
    }
    answer = 'DONE';
    expect((await advance(id, undefined, { key: 'down-1' })).statusCode).toBe(202);
    const again = await post('/faults', { fault: 'RETURNED' }, { key: 'down-3' });
    expect(again.statusCode).toBe(201);
    expect(new Set(armed.map(({ id: order }) => order)).size).toBe(1);
  });

  it('tell a control API once under a key, and nothing under a key that is bound to another request', async () => {
    const id = await sent();
    const first = await advance(id, { to: 'COMPLETED' }, { key: 'once' });
    const again = await advance(id, { to: 'COMPLETED' }, { key: 'once' });
    expect([again.statusCode, again.body]).toEqual([202, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(advanced).toHaveLength(1);
    for (const refused of [
      await advance(id, { to: 'FAILED' }, { key: 'once' }),
      await decide(harness.payer.endUserId, { state: 'REVOKED' }, { key: 'once' }),
      await post('/faults', { fault: 'RETURNED' }, { key: 'once' }),
    ]) {
      expect(refused.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    }
    expect([advanced.length, armed, decided]).toEqual([1, [], []]);
  });
});

describe('POST /sandbox/payments/{paymentId}/advance', () => {
  it('tells the bank the reference that it was sent, and what is to become of it', async () => {
    const id = await sent();
    const moved = await advance(id, { to: 'FAILED', railCode: 'AC04' });
    expect(moved.statusCode, moved.body).toBe(202);
    expect(moved.json()).toMatchObject({ paymentId: id, to: 'FAILED' });
    const [row] = await harness.rows<{ reference: string }>(
      'SELECT reference FROM settlement_attempts WHERE payment_id = $1',
      [id],
    );
    expect(advanced).toEqual([{ reference: row?.reference, to: 'REJECTED', reason: 'AC04' }]);
  });

  it('refuses what was not sent, what was canceled and what the bank decided otherwise, with the field', async () => {
    const unsent = await harness.accept();
    const canceled = await harness.accept();
    await harness.ask({ method: 'POST', url: `/payments/${canceled}/cancel` });
    const refusals = [await advance(unsent), await advance(canceled)];
    expect(advanced).toEqual([]);
    for (const word of ['NOT_POSSIBLE', 'UNKNOWN'] as const) {
      answer = word;
      refusals.push(await advance(await sent()));
    }
    for (const refused of refusals) {
      expect(refused.statusCode, refused.body).toBe(409);
      const details = [{ path: '/to', code: 'move_not_possible' }];
      expect(refused.json()).toMatchObject({ error: 'move_not_possible', details });
    }
  });
});

describe('POST /sandbox/end-users/{endUserId}/kyc', () => {
  it('has the provider move the newest check', async () => {
    const { endUserId, kycCheckId: kycId } = harness.payer;
    const told = await decide(endUserId, { state: 'REVOKED' });
    expect(told.statusCode, told.body).toBe(202);
    expect(told.json()).toMatchObject({ endUserId, kycId, state: 'REVOKED' });
    expect(decided).toEqual([[kycId, 'REVOKED']]);
  });

  it('refuses what no move leads to, and an end-user without a check, with the field', async () => {
    const made = await harness.ask({
      ...{ method: 'POST', url: '/end-users' },
      body: { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } },
    });
    const { id } = made.json<{ id: string }>();
    const refusals = [
      await decide(id, { state: 'APPROVED' }),
      await decide(harness.payer.endUserId, { state: 'IN_REVIEW' }),
      await decide(harness.payer.endUserId, { state: 'REJECTED' }),
    ];
    expect(decided).toEqual([]);
    for (const refused of refusals) {
      expect(refused.statusCode, refused.body).toBe(409);
      const details = [{ path: '/state', code: 'move_not_possible' }];
      expect(refused.json()).toMatchObject({ error: 'move_not_possible', details });
    }
  });
});

describe('POST /sandbox/faults', () => {
  it('arms a fault for the caller, once a key, and lists it', async () => {
    const made = await post('/faults', { fault: 'NEVER_ANSWERED', count: 3 }, { key: 'arm' });
    expect(made.statusCode, made.body).toBe(201);
    expect(made.json()).toEqual({ fault: 'NEVER_ANSWERED', count: 3, left: 3, ...TIMES });
    await post('/faults', { fault: 'NEVER_ANSWERED', count: 3 }, { key: 'arm' });
    const { customerId: onBehalfOf } = harness.scope;
    expect(armed).toMatchObject([{ onBehalfOf, fault: 'NEVER_ANSWERED', count: 3 }]);
    const listed = await harness.ask({ url: '/sandbox/faults' });
    expect(listed.json()).toMatchObject({ data: [made.json()], hasMore: false });
  });

  it('is for one payment where no count is given, and for 100 at the most', async () => {
    expect((await post('/faults', { fault: 'RETURNED' })).json()).toMatchObject({ count: 1 });
    for (const count of [0, 101, 1.5, '3']) {
      expect((await post('/faults', { fault: 'RETURNED', count })).statusCode).toBe(400);
    }
    expect((await post('/faults', { fault: 'execute_then_drop' })).statusCode).toBe(400);
    expect(armed).toHaveLength(1);
  });

  it('says so where as many wait as may, and where the key was used for another order', async () => {
    answer = 'TOO_MANY';
    const full = await post('/faults', { fault: 'RETURNED' });
    expect([full.statusCode, full.json()]).toMatchObject([409, { error: 'limit_reached' }]);
    answer = 'OTHER_ORDER';
    const other = await post('/faults', { fault: 'RETURNED' }, { key: 'other' });
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
  });
});
