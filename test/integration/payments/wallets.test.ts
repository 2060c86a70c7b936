import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockPartiesForShare } from '../../../src/db/parties/party-store.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await fundAsset(harness, 'USDC', 1_000_000_000n);
});
afterAll(() => harness.close());

async function ordered(): Promise<string> {
  const wallet = await addWallet(harness);
  const answer = await harness.pay(toWallet(harness, wallet.id));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

describe('the database', () => {
  const copied = (changes: Readonly<Record<string, string>>) => {
    const columns = `customer_id, environment, end_user_id, bank_account_id, wallet_id, rail,
      currency, amount, source_currency, source_amount, personal, status, status_detail,
      funds_status, created_at, updated_at`;
    const values = columns.replace(/\w+/g, (name) => changes[name] ?? name);
    return (id: string) =>
      harness.rows(
        `INSERT INTO payments (id, idempotency_key, workflow_id, ${columns})
         SELECT 'pay_forged', 'forged', 'forged', ${values} FROM payments WHERE id = $1`,
        [id],
      );
  };

  it.each([
    ['both an account and a wallet', { bank_account_id: '(SELECT min(id) FROM bank_accounts)' }],
    ['neither', { wallet_id: 'NULL' }],
    ["a bank's rail", { rail: `'SEPA'` }],
    ['another network', { rail: `'ETHEREUM'` }],
    ['a currency', { currency: `'EUR'`, source_currency: `'EUR'` }],
  ])('holds no payment to a wallet with %s', async (_what, changes) => {
    const id = await ordered();
    await expect(copied(changes)(id)).rejects.toMatchObject({ code: '23514' });
  });

  it('keeps the wallet that was ordered', async () => {
    const id = await ordered();
    const other = await addWallet(harness);
    await expect(
      harness.rows('UPDATE payments SET wallet_id = $2, version = version + 1 WHERE id = $1', [
        ...[id, other.id],
      ]),
    ).rejects.toMatchObject({ code: '23514' });
  });

  it("takes no payment to another end-user's wallet", async () => {
    const individual = { firstName: 'Bea', lastName: 'Sample' };
    const other = await harness.ask({
      ...{ method: 'POST', url: '/end-users', body: { type: 'INDIVIDUAL', individual } },
    });
    const { id: endUserId } = other.json<{ id: string }>();
    const foreign = await addWallet(harness, { endUserId });
    const id = await ordered();
    await expect(copied({ wallet_id: `'${foreign.id}'` })(id)).rejects.toMatchObject({
      constraint: 'wallet_is_the_end_users',
    });
  });

  it('a wallet that is being disabled waits for the transaction that accepts a payment to it', async () => {
    const wallet = await addWallet(harness);
    const { db } = harness.deps;
    const parties = {
      endUserId: harness.payer.endUserId,
      destination: { kind: 'WALLET', walletId: wallet.id } as const,
    };
    await db.write(harness.scope, async (tx) => {
      await lockPartiesForShare(tx, harness.scope, [parties], harness.clock.now());
      await expect(
        harness.rows(
          `SET lock_timeout = '100ms'; UPDATE wallets SET status = 'DISABLED', version = version + 1
           WHERE id = '${wallet.id}'`,
        ),
      ).rejects.toMatchObject({ code: '55P03' });
    });
  });
});
