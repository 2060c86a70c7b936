import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockPartiesForShare } from '../../../src/db/parties/party-store.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const WITHDRAWALS = [
  ['suspends the customer', 'UPDATE customers SET status = status WHERE id = $1', 'customerId'],
  [
    'revokes KYC or closes the end-user',
    'UPDATE end_users SET status = status WHERE id = $1',
    'endUserId',
  ],
  [
    'disables the account',
    'UPDATE bank_accounts SET status = status WHERE id = $1',
    'bankAccountId',
  ],
] as const;

describe('between the look at the parties and the commit of a payment', () => {
  it.each(WITHDRAWALS)('a transaction that %s waits', async (_, sql, whose) => {
    const { payer } = harness;
    const id = { ...payer, ...payer.scope }[whose];
    await harness.deps.db.write(payer.scope, async (tx) => {
      const { endUserId, bankAccountId } = payer;
      const parties = [{ endUserId, destination: { kind: 'BANK', bankAccountId } as const }];
      await lockPartiesForShare(tx, payer.scope, parties, harness.clock.now());
      const withdrawal = harness.rows(
        `SET lock_timeout = '100ms'; ${sql.replace('$1', `'${id}'`)}`,
      );
      await expect(withdrawal).rejects.toMatchObject({ code: '55P03' });
    });
    await expect(harness.rows(sql, [id])).resolves.toEqual([]);
  });
});
