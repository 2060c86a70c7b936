import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import {
  createErasureHarness,
  type ErasureHarness,
} from '../../support/parties/erasure-harness.ts';

const YEARS_5_MS = 1827 * 24 * 3_600_000;

let harness: ErasureHarness;
beforeAll(async () => {
  harness = await createErasureHarness();
});
afterAll(() => harness.close());

const problems = (answer: Awaited<ReturnType<ErasureHarness['erase']>>) =>
  answer.json<{ details: { code: string; meta?: object }[] }>().details;

/** Closed, and the retention is over; with a payment that is final unless told otherwise. */
async function addFormer(finality = 'FINAL'): Promise<Recipient & { paymentId: string }> {
  const recipient = await addRecipient(harness, { holderName: 'Grace Former' });
  const { endUserId, bankAccountId } = recipient;
  const paymentId = await harness.accept({
    ...{ endUserId, bankAccountId, reference: 'Former invoice' },
    metadata: { note: 'former note' },
  });
  const status = finality === 'FINAL' ? 'FAILED' : 'COMPLETED';
  await harness.end([paymentId], status, finality);
  await harness.closeEndUser(endUserId);
  harness.clock.advance(YEARS_5_MS);
  return { ...recipient, paymentId };
}

describe('POST /end-users/{id}/erase is refused with end_user_not_erasable', () => {
  it('while the end-user is not closed', async () => {
    const { endUserId } = await addRecipient(harness);
    harness.clock.advance(YEARS_5_MS);
    const answer = await harness.erase(endUserId);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ error: 'end_user_not_erasable' });
    expect(problems(answer)).toMatchObject([{ path: '', code: 'end_user_not_closed' }]);
  });

  it('while a payment is under way, or completed but not final', async () => {
    const { endUserId, paymentId } = await addFormer('PROVISIONAL');
    expect(problems(await harness.erase(endUserId))).toMatchObject([
      { code: 'payments_not_final', meta: { count: 1 } },
    ]);
    await harness.end([paymentId], 'PROCESSING', 'NONE');
    expect((await harness.erase(endUserId)).statusCode).toBe(409);
    const { json } = await harness.ask({ url: `/payments/${paymentId}` });
    expect(json()).toMatchObject({ reference: 'Former invoice' });
  });

  it('until five years after the closing, and names the moment', async () => {
    const { endUserId } = await addRecipient(harness);
    await harness.closeEndUser(endUserId);
    const possibleFrom = new Date(harness.clock.now().getTime() + YEARS_5_MS).toISOString();
    const answer = await harness.erase(endUserId);
    expect(problems(answer)).toMatchObject([
      { code: 'retention_not_over', meta: { possibleFrom } },
    ]);
    harness.clock.advance(YEARS_5_MS - 1);
    expect((await harness.erase(endUserId)).statusCode).toBe(409);
    harness.clock.advance(1);
    expect((await harness.erase(endUserId)).statusCode).toBe(200);
  });
});

it('is made to the version that If-Match names, and to no other', async () => {
  const { endUserId } = await addFormer();
  const url = `/end-users/${endUserId}`;
  const before = (await harness.ask({ url })).json<{ version: number }>();
  const erase = (version: number) =>
    harness.app.inject({
      ...{ method: 'POST', url: `/api/v1${url}/erase` },
      headers: { authorization: `Bearer ${harness.payer.token}`, 'if-match': `"${version}"` },
    });
  const refused = await erase(before.version - 1);
  expect(refused.statusCode, refused.body).toBe(412);
  expect((await harness.ask({ url })).json()).toEqual(before);
  expect((await erase(before.version)).statusCode).toBe(200);
  // It has been done, whatever version the caller has seen.
  expect((await erase(before.version)).statusCode).toBe(200);
});

describe('an erased end-user', () => {
  it('is answered with ids and erasedAt, by POST, GET and list, and nothing personal', async () => {
    const { endUserId } = await addFormer();
    const answer = await harness.erase(endUserId);
    expect(answer.statusCode).toBe(200);
    const erasedAt = harness.clock.now().toISOString();
    expect(answer.json()).toEqual({
      relationship: 'CLIENT',
      ...{ id: endUserId, type: 'INDIVIDUAL', externalId: null, status: 'CLOSED' },
      ...{ kycStatus: 'APPROVED', metadata: {}, erasedAt },
      ...{ version: expect.any(Number), createdAt: expect.any(String), updatedAt: erasedAt },
    });
    expect((await harness.ask({ url: `/end-users/${endUserId}` })).json()).toEqual(answer.json());
    const list = await harness.ask({ url: '/end-users?status=CLOSED&limit=100' });
    expect(list.json<{ data: object[] }>().data).toContainEqual(answer.json());
  });

  it('leaves accounts, payments and KYC readable, their personal part gone', async () => {
    const { endUserId, bankAccountId, paymentId } = await addFormer();
    await harness.erase(endUserId);
    const get = async (url: string) => {
      const answer = await harness.ask({ url });
      expect(answer.statusCode, url).toBe(200);
      return answer.json<Record<string, unknown> & { data: unknown[] }>();
    };
    const account = await get(`/bank-accounts/${bankAccountId}`);
    expect(account).toMatchObject({ holderName: '****', details: {}, last4: '****' });
    expect(account['fingerprint']).toBe(`erased-${bankAccountId}`);
    expect((await get(`/bank-accounts?endUserId=${endUserId}`)).data).toEqual([account]);
    const payment = await get(`/payments/${paymentId}`);
    expect(payment).toMatchObject({ id: paymentId, amount: '10.00', reference: null });
    expect(payment['metadata']).toEqual({});
    expect((await get(`/payments?endUserId=${endUserId}`)).data).toEqual([payment]);
    expect((await get(`/payments/${paymentId}/timeline`)).data).not.toEqual([]);
    expect(await get(`/end-users/${endUserId}/kyc`)).toMatchObject({ link: null });
  });

  it('is erased once: again, and with a repeated key, the same answer and no version more', async () => {
    const { endUserId } = await addFormer();
    const first = await harness.erase(endUserId, 'erase-once');
    const again = await harness.erase(endUserId, 'erase-once');
    expect(again.headers['idempotent-replayed']).toBe('true');
    harness.clock.advance(1_000);
    const later = await harness.erase(endUserId);
    expect([again.body, later.body]).toEqual([first.body, first.body]);
    const told = await harness.rows(
      `SELECT type FROM events WHERE resource_id = $1 ORDER BY resource_version DESC LIMIT 2`,
      [endUserId],
    );
    expect(told).toEqual([{ type: 'end_user.updated' }, { type: 'end_user.closed' }]);
    const audit = await harness.rows(
      `SELECT actor, action, details FROM audit_log WHERE subject = $1`,
      [endUserId],
    );
    expect(audit).toEqual([
      { actor: expect.stringMatching(/key_/), action: 'end_user.erase', details: {} },
    ]);
  });

  it('frees its externalId', async () => {
    const endUser = { type: 'INDIVIDUAL', individual: { firstName: 'A', lastName: 'B' } };
    const body = { ...endUser, externalId: 'user-77' };
    const post = () => harness.ask({ method: 'POST', url: '/end-users', body });
    const { id } = (await post()).json<{ id: string }>();
    await harness.closeEndUser(id);
    harness.clock.advance(YEARS_5_MS);
    expect((await post()).statusCode).toBe(409);
    await harness.erase(id);
    expect((await post()).statusCode).toBe(201);
  });

  it('stays erased: the database takes no key back, nor lets go of the mark', async () => {
    const { endUserId } = await addFormer();
    await harness.erase(endUserId);
    const change = (set: string) =>
      harness.rows(`UPDATE end_user_keys SET ${set} WHERE end_user_id = $1`, [endUserId]);
    await expect(change("wrapped_key = 'key', erased_at = NULL")).rejects.toThrow('stays as it is');
    await expect(change('erased_at = now()')).rejects.toThrow('stays as it is');
    const remove = 'DELETE FROM end_user_keys WHERE end_user_id = $1';
    await expect(harness.rows(remove, [endUserId])).rejects.toThrow('stays as it is');
  });

  it('can be paid, checked or given an account no more', async () => {
    const { endUserId, bankAccountId } = await addFormer();
    await harness.erase(endUserId);
    const pay = await harness.pay(harness.order({ endUserId, bankAccountId }));
    expect(pay.statusCode).toBe(422);
    const account = await harness.ask({
      ...{ method: 'POST', url: '/bank-accounts' },
      body: {
        ...{ endUserId, country: 'DE', currency: 'EUR', holderName: 'Grace Former' },
        ...{ holderType: 'INDIVIDUAL', details: { iban: 'DE89370400440532013000' } },
      },
    });
    expect(account.statusCode).toBe(422);
  });
});

it("another customer's end-user and one that does not exist answer the same 404", async () => {
  const { endUserId } = await addFormer();
  const token = await harness.database.db.system(async (tx) => {
    const customerId = await addCustomer(tx);
    return (await addApiKey(tx, harness.vault, { customerId })).token;
  });
  const url = (id: string) => `/end-users/${id}/erase`;
  const foreign = await harness.ask({ method: 'POST', url: url(endUserId), token });
  const missing = await harness.ask({ method: 'POST', url: url('eu_missing') });
  const plain = (answer: typeof foreign) => ({ ...answer.json<object>(), requestId: '' });
  expect([foreign.statusCode, missing.statusCode]).toEqual([404, 404]);
  expect(plain(foreign)).toEqual(plain(missing));
  expect((await harness.ask({ url: `/end-users/${endUserId}` })).body).toContain('Grace');
});
