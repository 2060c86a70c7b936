import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idempotencyRow } from '../../../src/db/idempotency/idempotency-store.ts';
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
    expect(again.json()).toEqual({ ...paid, reference: null, metadata: {} });
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

/** Rows without a key of their own, and with the plain hash of the request. */
async function makeOlder({ endUserId, bankAccountId, paid }: Awaited<ReturnType<typeof make>>) {
  const { vault, rows, scope } = harness;
  const owned = await rows<Record<string, never>>(
    `SELECT 'end_users/' || u.id AS row, u.personal AS sealed, k.wrapped_key AS "ownerKey"
     FROM end_users u JOIN end_user_keys k ON k.end_user_id = u.id WHERE u.id = $1`,
    [endUserId],
  );
  const ownerKey = owned[0]?.['ownerKey'] ?? null;
  const reseal = async (table: string, column: string, id: string, by = 'id') => {
    const [row] = await rows<{ sealed: Buffer }>(
      `SELECT ${column} AS sealed FROM ${table} WHERE ${by} = $1`,
      [id],
    );
    const name = table === 'idempotency_keys' ? idempotencyRow(scope, id) : `${table}/${id}`;
    const plain = vault.of({ endUserId, ownerKey }).open(row?.sealed ?? Buffer.alloc(0), name);
    await rows(
      `WITH quiet AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE ${table} SET ${column} = $2 FROM quiet WHERE ${by} = $1`,
      [id, vault.seal(plain, name)],
    );
  };
  await reseal('end_users', 'personal', endUserId);
  await reseal('bank_accounts', 'personal', bankAccountId);
  await reseal('payments', 'personal', String(paid['id']));
  const [attempt] = await rows<{ reference: string }>(
    'SELECT reference FROM settlement_attempts WHERE payment_id = $1',
    [paid['id']],
  );
  await reseal('settlement_attempts', 'request', attempt?.reference ?? '', 'reference');
  await reseal('idempotency_keys', 'response', String(paid['idempotencyKey']), 'key');
  await rows('ALTER TABLE end_user_keys DISABLE TRIGGER guard_end_user_key');
  await rows('DELETE FROM end_user_keys WHERE end_user_id = $1', [endUserId]);
  await rows('ALTER TABLE end_user_keys ENABLE TRIGGER guard_end_user_key');
  const fingerprint = createHash('sha256').update(fingerprintText(paid)).digest();
  await rows(
    `UPDATE idempotency_keys SET fingerprint = $2, request_mac = NULL, end_user_id = NULL,
       resource_id = NULL WHERE key = $1`,
    [paid['idempotencyKey'], fingerprint],
  );
}

/** RFC 8785 of the request, hashed without a key. */
const fingerprintText = (paid: Record<string, unknown>): string =>
  `POST /payments\n{"amount":10,"bankAccountId":"${String(paid['bankAccountId'])}",` +
  `"currency":"EUR","endUserId":"${String(paid['endUserId'])}",` +
  '"metadata":{"note":"planted"},"reference":"Replayed invoice"}';

describe('an answer with a plain hash of its request', () => {
  it('is read and repeated as before', async () => {
    const made = await make('older');
    await makeOlder(made);
    const again = await post('/payments', made.order, 'older-payment');
    expect(again.statusCode).toBe(201);
    expect(again.json()).toEqual(made.paid);
    const { json } = await harness.ask({ url: `/end-users/${made.endUserId}` });
    expect(json()).toMatchObject({ individual: person.individual, erasedAt: null });
    const other = await post('/payments', { ...made.order, amount: '11' }, 'older-payment');
    expect(other.statusCode).toBe(422);
  });

  it('is gone after an erasure, for the holder of the keys too', async () => {
    const made = await make('older-gone');
    const { endUserId, paid } = made;
    await makeOlder(made);
    await erase(endUserId, paid['id']);
    const left = await harness.rows<{ sealed: Buffer }>(
      `SELECT personal AS sealed FROM end_users WHERE id = $1
       UNION ALL SELECT personal FROM bank_accounts WHERE end_user_id = $1
       UNION ALL SELECT personal FROM payments WHERE end_user_id = $1
       UNION ALL SELECT a.request FROM settlement_attempts a JOIN payments p ON p.id = a.payment_id
         WHERE p.end_user_id = $1
       UNION ALL SELECT response FROM idempotency_keys WHERE key = 'older-gone-payment'`,
      [endUserId],
    );
    expect(left.map(({ sealed }) => sealed.length)).toEqual([0, 0, 0, 0, 0]);
    const again = await post('/payments', made.order, 'older-gone-payment');
    expect(again.json()).toEqual({ ...paid, reference: null, metadata: {} });
    const other = await post('/payments', { ...made.order, amount: '11' }, 'older-gone-payment');
    expect(other.statusCode).toBe(422);
    const [known] = await harness.rows(
      `SELECT fingerprint FROM idempotency_keys WHERE key = 'older-gone-payment'`,
    );
    expect(known).toEqual({ fingerprint: null });
  });

  it('holds an erasure up while an answer of it is kept that does not say whose it is', async () => {
    const { endUserId, paid } = await make('unowned');
    await harness.rows(
      `UPDATE idempotency_keys SET fingerprint = request_mac, request_mac = NULL,
         end_user_id = NULL, resource_id = NULL WHERE key = 'unowned-account'`,
    );
    await harness.end([String(paid['id'])], 'FAILED');
    await harness.closeEndUser(endUserId);
    harness.clock.advance(29 * 24 * 3_600_000);
    const codes = async () =>
      (await harness.erase(endUserId))
        .json<{ details: { code: string }[] }>()
        .details.map(({ code }) => code);
    expect(await codes()).toContain('answers_not_expired');
    harness.clock.advance(2 * 24 * 3_600_000);
    expect(await codes()).not.toContain('answers_not_expired');
  });
});
