import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRecipient } from '../../support/add-recipient.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { someAddress } from '../../support/sample-networks.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

async function add(endUserId = harness.payer.endUserId): Promise<string> {
  const answer = await harness.ask({
    ...{ method: 'POST', url: '/wallets' },
    body: { endUserId, network: 'BASE', address: someAddress(), ownership: 'SELF_HOSTED' },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

const asApp = (sql: string, values: readonly unknown[]) =>
  harness.database.db.write(harness.scope, (tx) => tx.query(sql, [...values]));
const change = (id: string, set: string) => asApp(`UPDATE wallets SET ${set} WHERE id = $1`, [id]);

describe('the database refuses of a wallet', () => {
  it.each([
    ["address = '0x00000000000000000000000000000000000Badd1'", 'another address'],
    ["address = 'erased-' || id", 'to be blanked while its owner is not erased'],
    ["network = 'ETHEREUM'", 'another network'],
    ['end_user_id = NULL', 'another owner'],
    ["ownership = 'HOSTED', vasp = '\\x01'", 'another host'],
    ["proof_nonce = repeat('0', 32)", 'another message'],
    ["status = 'DISABLED'", 'a move that is no version'],
    ["status = 'DISABLED', version = version + 2", 'a move that leaves a version out'],
    ["status = 'PENDING', version = version + 1", 'a move back'],
    ["screening_result = 'BLOCKED'", 'to stay ACTIVE at a blocked address'],
    [
      'screening_result = NULL, screening_list = NULL, screened_for = NULL, screened_at = NULL',
      'to be unscreened again',
    ],
    ['version = version + 1, created_at = now()', 'another beginning'],
  ])('%s: %s', async (set) => {
    const id = await add();
    await expect(change(id, set)).rejects.toMatchObject({ code: '23514' });
  });

  it('a proof that is taken back or moved, and a life after its end', async () => {
    const id = await add();
    await change(id, "proved_at = '2026-01-01Z', version = version + 1");
    for (const proof of ['NULL', "'2026-01-02Z'"]) {
      const write = change(id, `proved_at = ${proof}, version = version + 1`);
      await expect(write).rejects.toMatchObject({ code: '23514' });
    }
    await change(id, "status = 'DISABLED', version = version + 1");
    for (const status of ['ACTIVE', 'PENDING', 'REJECTED', 'DISABLED']) {
      const write = change(id, `status = '${status}', version = version + 1`);
      await expect(write).rejects.toMatchObject({ code: '23514' });
    }
  });

  it("the customer's own in live, from whichever code", async () => {
    const { customerId } = harness.scope;
    const insert = `INSERT INTO wallets (customer_id, environment, id, network, address, ownership,
        proof_nonce, created_at, updated_at)
      VALUES ($1, 'live', 'wal_own', 'BASE', $2, 'SELF_HOSTED', repeat('0', 32), now(), now())`;
    await expect(harness.rows(insert, [customerId, someAddress()])).rejects.toMatchObject({
      code: '23514',
    });
  });

  it('a second one in use of the same owner, network and address', async () => {
    const id = await add();
    const copy = asApp(
      `INSERT INTO wallets (customer_id, environment, id, end_user_id, network, address, ownership,
         proof_nonce, created_at, updated_at)
       SELECT customer_id, environment, 'wal_copy', end_user_id, network, address, ownership,
         proof_nonce, created_at, updated_at FROM wallets WHERE id = $1`,
      [id],
    );
    await expect(copy).rejects.toMatchObject({ code: '23505' });
  });
});

describe('of an erased end-user', () => {
  it('a wallet keeps neither address nor host, and the database takes no more than that', async () => {
    const { endUserId } = await addRecipient(harness);
    const id = await add(endUserId);
    await asApp(
      `UPDATE end_user_keys SET wrapped_key = NULL, erased_at = now() WHERE end_user_id = $1`,
      [endUserId],
    );
    const more = "address = 'erased-' || id, network = 'ETHEREUM'";
    await expect(change(id, more)).rejects.toMatchObject({ code: '23514' });
    await change(id, "address = 'erased-' || id");
    const answer = await harness.ask({ url: `/wallets/${id}` });
    expect(answer.json()).toMatchObject({ address: '****', vasp: null, proof: null });
  });
});
