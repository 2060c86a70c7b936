import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockPartiesForShare } from '../../../src/db/parties/party-store.ts';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const disable = (id: string, more: { key?: string; token?: string; body?: object } = {}) =>
  harness.ask({ method: 'POST', url: `/bank-accounts/${id}/disable`, ...more });
const eventsOf = (id: string) =>
  harness.rows<{ type: string; version: number }>(
    `SELECT type, resource_version AS version FROM events WHERE resource_id = $1 ORDER BY seq`,
    [id],
  );
const orderTo = ({ endUserId, bankAccountId }: Recipient) =>
  harness.order({ endUserId, bankAccountId });

describe('POST /bank-accounts/{id}/disable', () => {
  it('makes the account DISABLED as its next version, with one event', async () => {
    const { bankAccountId: id } = await addRecipient(harness);
    const before = (await harness.ask({ url: `/bank-accounts/${id}` })).json<object>();
    const answer = await disable(id);
    expect(answer.statusCode).toBe(200);
    const updatedAt = harness.clock.now().toISOString();
    expect(answer.json()).toEqual({ ...before, status: 'DISABLED', version: 2, updatedAt });
    expect((await harness.ask({ url: `/bank-accounts/${id}` })).json()).toEqual(answer.json());
    expect(await eventsOf(id)).toEqual([
      { type: 'bank_account.created', version: 1 },
      { type: 'bank_account.disabled', version: 2 },
    ]);
  });

  it('answers the same again, however often and however many at once', async () => {
    const { bankAccountId: id } = await addRecipient(harness);
    const answers = await Promise.all(Array.from({ length: 20 }, () => disable(id)));
    const bodies = new Set([...answers, await disable(id)].map(({ body }) => body));
    expect([answers[0]?.statusCode, bodies.size]).toEqual([200, 1]);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('is answered word for word under one Idempotency-Key', async () => {
    const { bankAccountId: id } = await addRecipient(harness);
    const first = await disable(id, { key: `disable ${id}` });
    const again = await disable(id, { key: `disable ${id}` });
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
  });

  it("another customer's, another environment's and a missing account: the same 404", async () => {
    const { bankAccountId: id } = await addRecipient(harness);
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const stranger = await harness.addPayer({ customerId, environment: 'test' });
    const live = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const answers = [
      await disable('ba_01k6b7q0e8f1htx9n3r5p7v2ab'),
      await disable('nonsense'),
      await disable(id, { token: stranger.token }),
      await disable(id, { token: live.token }),
    ];
    const bodies = answers.map((answer) => {
      expect(answer.statusCode).toBe(404);
      return answer.body.replace(/req_[0-9a-z]+/, 'req_');
    });
    expect(new Set(bodies).size).toBe(1);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('takes no body but an empty one', async () => {
    const { bankAccountId: id } = await addRecipient(harness);
    expect((await disable(id, { body: { reason: 'moved' } })).statusCode).toBe(400);
    expect((await disable(id, { body: {} })).statusCode).toBe(200);
  });

  it('no payment to it is accepted from then on; registered anew, it is one new account', async () => {
    const recipient = await addRecipient(harness);
    expect((await harness.pay(orderTo(recipient))).statusCode).toBe(201);
    await disable(recipient.bankAccountId);
    const refused = await harness.pay(orderTo(recipient));
    expect([refused.statusCode, refused.json().error]).toEqual([422, 'bank_account_disabled']);
    const register = () =>
      harness.ask({
        ...{ method: 'POST', url: '/bank-accounts' },
        body: {
          ...{ endUserId: recipient.endUserId, country: 'DE', currency: 'EUR' },
          ...{ holderName: 'Grace Sample', holderType: 'INDIVIDUAL' },
          details: { iban: 'DE89370400440532013000' },
        },
      });
    const answers = await Promise.all(Array.from({ length: 8 }, register));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array.from({ length: 7 }, () => 200),
      201,
    ]);
    const ids = new Set(answers.map((answer) => answer.json<{ id: string }>().id));
    expect(ids.size).toBe(1);
    expect(ids).not.toContain(recipient.bankAccountId);
    const [bankAccountId = ''] = ids;
    expect((await harness.pay(orderTo({ ...recipient, bankAccountId }))).statusCode).toBe(201);
    expect((await disable(recipient.bankAccountId)).json()).toMatchObject({ status: 'DISABLED' });
  });

  it('waits for a transaction that accepts or sends a payment to it', async () => {
    const recipient = await addRecipient(harness);
    const { db } = harness.database;
    let isDisabled = false;
    const disabling = await db.write(harness.scope, async (tx) => {
      const { endUserId, bankAccountId } = recipient;
      const parties = [{ endUserId, destination: { kind: 'BANK', bankAccountId } as const }];
      await lockPartiesForShare(tx, harness.scope, parties, harness.clock.now());
      const request = disable(recipient.bankAccountId).then((answer) => {
        isDisabled = true;
        return answer;
      });
      await expect
        .poll(() =>
          harness.rows(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
             AND wait_event_type = 'Lock' AND query LIKE '%bank_accounts%FOR UPDATE%'`,
          ),
        )
        .toHaveLength(1);
      expect(isDisabled).toBe(false);
      return { request };
    });
    expect((await disabling.request).statusCode).toBe(200);
  });
});
