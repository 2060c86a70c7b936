import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCustomerStatus } from '../../support/set-customer-status.ts';
import { approveEndUser, revokeApproval } from '../../support/approve-end-user.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({
    funds: '100.00',
    encoderFor: (environment) => (environment === 'test' ? () => Buffer.from('') : null),
  });
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

const refusal = async (overrides: object, token?: string) => {
  const answer = await harness.pay(harness.order(overrides), undefined, token);
  const { error, details } = answer.json<{ error: string; details?: { path: string }[] }>();
  return [answer.statusCode, error, ...(details ?? []).map(({ path }) => path)];
};

/** Makes a change by hand, does the work and takes the change back. */
async function whileSo(sql: string, undo: string, work: () => Promise<void>): Promise<void> {
  const values = [harness.scope.customerId];
  await harness.rows(sql, values);
  try {
    await work();
  } finally {
    await harness.rows(undo, values);
  }
}

describe('POST /payments answers 422', () => {
  it('resource_not_found to ids that are not there, naming all of them', async () => {
    const missing = { endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab', bankAccountId: 'nonsense' };
    expect(await refusal(missing)).toEqual([
      ...[422, 'resource_not_found', '/endUserId', '/bankAccountId'],
    ]);
  });

  it("answers another customer's and the other environment's ids like missing ones", async () => {
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const stranger = await harness.addPayer({ customerId, environment: 'test' });
    const live = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const texts: string[] = [];
    const overrideSets = [stranger, live, { bankAccountId: 'ba_01k6b7q0e8f1htx9n3r5p7v2ab' }];
    for (const { bankAccountId } of overrideSets) {
      const answer = await harness.pay(harness.order({ bankAccountId }));
      expect(answer.statusCode).toBe(422);
      texts.push(answer.body.replace(/req_[0-9a-z]+/, 'req'));
    }
    expect(new Set(texts).size).toBe(1);
    const { endUserId, bankAccountId } = stranger;
    expect((await refusal({ endUserId, bankAccountId }))[1]).toBe('resource_not_found');
  });

  it("resource_not_found to an account of the caller's other end-user", async () => {
    const other = await harness.ask({
      ...{ method: 'POST', url: '/end-users' },
      body: { type: 'INDIVIDUAL', individual: { firstName: 'Ben', lastName: 'Sample' } },
    });
    const endUserId = other.json<{ id: string }>().id;
    await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
    expect(await refusal({ endUserId })).toEqual([422, 'resource_not_found', '/bankAccountId']);
  });

  it('kyc_not_approved', async () => {
    await revokeApproval(harness.database.db, harness.scope, harness.payer, harness.clock.now());
    expect(await refusal({})).toEqual([422, 'kyc_not_approved', '/endUserId']);
    const { endUserId } = harness.payer;
    await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
  });

  it('end_user_not_active', () =>
    whileSo(
      "UPDATE end_users SET status = 'SUSPENDED' WHERE customer_id = $1",
      "UPDATE end_users SET status = 'ACTIVE' WHERE customer_id = $1",
      async () => expect(await refusal({})).toEqual([422, 'end_user_not_active', '/endUserId']),
    ));

  it('bank_account_disabled', () =>
    whileSo(
      "UPDATE bank_accounts SET status = 'DISABLED' WHERE customer_id = $1",
      "UPDATE bank_accounts SET status = 'ACTIVE' WHERE customer_id = $1",
      async () =>
        expect(await refusal({})).toEqual([422, 'bank_account_disabled', '/bankAccountId']),
    ));

  it.each([
    ['USD', '10.00'],
    ['JPY', '1000'],
    ['KWD', '1.000'],
  ])('currency_mismatch to %s %s, which are fine amounts', async (currency, amount) => {
    expect(await refusal({ currency, amount })).toEqual([422, 'currency_mismatch', '/currency']);
  });

  it('amount_above_maximum, telling the limit', async () => {
    const answer = await harness.pay(harness.order({ amount: '1000000000.00' }));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      error: 'amount_above_maximum',
      details: [{ path: '/amount', meta: { limit: '999999999.99', currency: 'EUR' } }],
    });
  });

  it('corridor_unavailable where the rail serves no such country', () =>
    whileSo(
      "UPDATE bank_accounts SET country = 'US' WHERE customer_id = $1",
      "UPDATE bank_accounts SET country = 'DE' WHERE customer_id = $1",
      async () =>
        expect(await refusal({})).toEqual([422, 'corridor_unavailable', '/bankAccountId']),
    ));

  it('corridor_unavailable in an environment without a bank', async () => {
    const { endUserId, bankAccountId, token } = await harness.addPayer({
      ...{ customerId: harness.scope.customerId, environment: 'live' },
    });
    expect(await refusal({ endUserId, bankAccountId }, token)).toEqual([
      ...[422, 'corridor_unavailable', '/bankAccountId'],
    ]);
  });
});

describe('POST /payments answers 403', () => {
  it('customer_suspended', async () => {
    const { database, scope } = harness;
    await setCustomerStatus(database.url, scope.customerId, 'SUSPENDED');
    const refused = await refusal({});
    await setCustomerStatus(database.url, scope.customerId, 'ACTIVE');
    expect(refused.slice(0, 2)).toEqual([403, 'customer_suspended']);
  });

  it('insufficient_scope to a key that may only read', async () => {
    const { customerId } = harness.scope;
    const { token } = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['payments:read'] }),
    );
    expect((await refusal({}, token)).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  });
});

describe('POST /payments answers all problems at once', () => {
  it('several of them as validation_failed, each under its own code', () =>
    whileSo(
      "UPDATE end_users SET status = 'SUSPENDED' WHERE customer_id = $1",
      "UPDATE end_users SET status = 'ACTIVE' WHERE customer_id = $1",
      () =>
        whileSo(
          "UPDATE bank_accounts SET status = 'DISABLED', name_check = 'NO_MATCH' WHERE customer_id = $1",
          "UPDATE bank_accounts SET status = 'ACTIVE', name_check = 'NOT_SUPPORTED' WHERE customer_id = $1",
          async () => {
            const answer = await harness.pay(harness.order({ amount: '100.01' }));
            expect(answer.statusCode).toBe(400);
            expect(answer.json()).toMatchObject({
              error: 'validation_failed',
              details: [
                { path: '/endUserId', code: 'end_user_not_active' },
                { path: '/bankAccountId', code: 'bank_account_disabled' },
                { path: '/bankAccountId', code: 'payee_name_mismatch' },
                { path: '/amount', code: 'insufficient_balance' },
              ],
            });
          },
        ),
    ));
});

describe('POST /payments, of a balance', () => {
  it('insufficient_balance to one cent more than there is, and 201 to all of it', async () => {
    expect(await refusal({ amount: '100.01' })).toEqual([422, 'insufficient_balance', '/amount']);
    expect((await harness.pay(harness.order({ amount: '100.00' }))).statusCode).toBe(201);
    expect(await refusal({ amount: '0.01' })).toEqual([422, 'insufficient_balance', '/amount']);
  });
});
