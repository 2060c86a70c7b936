import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareParties } from '../../../src/db/party-store.ts';
import { createPaymentWorld, type PaymentWorld } from '../../support/payment-world.ts';

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld();
});
afterAll(() => world.close());

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
  it.each(WITHDRAWALS)('whoever %s waits', async (_, sql, whose) => {
    const { payer } = world;
    const id = { ...payer, ...payer.scope }[whose];
    await world.deps.db.write(payer.scope, async (tx) => {
      await shareParties(tx, payer.scope, payer);
      const withdrawal = world.rows(`SET lock_timeout = '100ms'; ${sql.replace('$1', `'${id}'`)}`);
      await expect(withdrawal).rejects.toMatchObject({ code: '55P03' });
    });
    await expect(world.rows(sql, [id])).resolves.toEqual([]);
  });
});
