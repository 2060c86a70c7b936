import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCustomerStatus } from '../../support/set-customer-status.ts';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { addQuote, QUOTED_AT } from '../../support/sample-quote.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { sumOfDatabase } from '../../support/whole-database.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({ funds: '100.00' });
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const validate = (body: object | string, token?: string, key: string | null = null) =>
  harness.ask({
    ...{ method: 'POST', url: '/payments/validate', body, key },
    ...(token === undefined ? {} : { token }),
  });

interface Body {
  readonly valid: boolean;
  readonly problems: readonly { readonly path: string; readonly code: string }[];
}

const told = async (overrides: object) => {
  const answer = await validate(harness.order(overrides));
  expect(answer.statusCode, answer.body).toBe(200);
  const { valid, problems } = answer.json<Body>();
  return [valid, ...problems.map(({ path, code }) => `${path} ${code}`)];
};

describe('POST /payments/validate', () => {
  it('tells cost, corridor and expected arrival of a payment that would be accepted', async () => {
    const answer = await validate(harness.order({ amount: '100.00', reference: 'Invoice 4711' }));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      valid: true,
      problems: [],
      cost: {
        source: { currency: 'EUR', amount: '100.00' },
        withoutFees: { currency: 'EUR', amount: '100.00' },
        fees: [],
        rate: null,
        rateHeldUntil: null,
        requoteUntil: null,
        quoteId: null,
        indicative: false,
      },
      corridor: { country: 'DE', currency: 'EUR', rail: 'SEPA', status: 'ACTIVE', cutOff: null },
      // The clock says Tuesday, 29 September 2026: the end of Wednesday in Frankfurt.
      expectedArrival: { at: '2026-09-30T22:00:00.000Z', reason: null },
    });
  });

  it('tells the cost of a quote, and that without one it may change; neither is used or made', async () => {
    const { db } = harness.database;
    const leg = { source: 'sample', base: 'USD', quote: 'EUR', rate: '0.9', asOf: QUOTED_AT };
    await db.system((tx) => replaceRates(tx, [leg], QUOTED_AT));
    const funding = { currency: 'USD', amount: 100_000n, rail: 'ACH' };
    await db.write(harness.scope, (tx) => fundBalance(tx, harness.scope, funding, QUOTED_AT));
    const { id: quoteId } = await addQuote(db, harness.scope);
    const before = await sumOfDatabase(harness.rows);
    const byQuote = await validate(harness.order({ amount: '892.37', quoteId }));
    expect(byQuote.json()).toMatchObject({
      valid: true,
      cost: {
        source: { currency: 'USD', amount: '1000.00' },
        withoutFees: { currency: 'USD', amount: '996.51' },
        fees: [
          { type: 'FIXED', amount: '0.50' },
          { type: 'PERCENTAGE', amount: '2.99' },
        ],
        ...{ rate: '0.8955', quoteId, indicative: false },
      },
    });
    const without = await validate(harness.order({ amount: '90.00', sourceCurrency: 'USD' }));
    expect(without.json()).toMatchObject({
      valid: true,
      cost: { source: { amount: '100.00' }, rate: '0.9', quoteId: null, indicative: true },
    });
    expect(await sumOfDatabase(harness.rows)).toEqual(before);
    expect((await harness.pay(harness.order({ amount: '892.37', quoteId }))).statusCode).toBe(201);
  });

  it('tells of a rate that is not at hand, which POST /payments answers with when to come again', async () => {
    const order = harness.order({ sourceCurrency: 'GBP' });
    const judged = await validate(order);
    expect(judged.json()).toMatchObject({
      ...{ valid: false, cost: null },
      problems: [{ path: '/sourceCurrency', code: 'rate_unavailable' }],
    });
    const paid = await harness.pay(order);
    expect([paid.statusCode, paid.headers['retry-after']]).toEqual([503, '60']);
  });

  it('says why the arrival of a payment is unknown', async () => {
    await harness.rows("UPDATE bank_accounts SET rail = 'SWIFT' WHERE customer_id = $1", [
      harness.scope.customerId,
    ]);
    const answer = await validate(harness.order());
    expect(answer.json()).toMatchObject({
      valid: true,
      corridor: { rail: 'SWIFT' },
      expectedArrival: { at: null, reason: 'SPEED_NOT_STATED' },
    });
    await harness.rows("UPDATE bank_accounts SET rail = 'SEPA' WHERE customer_id = $1", [
      harness.scope.customerId,
    ]);
  });

  it('tells of a cent more than there is, and of everything else beside it', async () => {
    expect(await told({ amount: '100.01' })).toEqual([false, '/amount insufficient_balance']);
    await harness.rows(
      "UPDATE bank_accounts SET status = 'DISABLED', country = 'CU' WHERE customer_id = $1",
      [harness.scope.customerId],
    );
    const answer = await validate(harness.order({ amount: '100.01' }));
    expect(answer.json<Body>().problems.map(({ code }) => code)).toEqual([
      ...['bank_account_disabled', 'country_restricted', 'insufficient_balance'],
    ]);
    expect(answer.json()).toMatchObject({
      corridor: null,
      expectedArrival: { at: null, reason: 'CORRIDOR_UNAVAILABLE' },
      cost: { source: { amount: '100.01', currency: 'EUR' } },
    });
    await harness.rows(
      "UPDATE bank_accounts SET status = 'ACTIVE', country = 'DE' WHERE customer_id = $1",
      [harness.scope.customerId],
    );
  });

  it("says no more of another customer's account than of none", async () => {
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const { bankAccountId, endUserId } = await harness.addPayer({
      customerId,
      environment: 'test',
    });
    const theirs = await validate(harness.order({ bankAccountId, endUserId }));
    const unknown = await validate(harness.order({ bankAccountId: 'ba_x', endUserId: 'eu_x' }));
    expect(theirs.body).toBe(unknown.body);
    expect(theirs.json()).toMatchObject({
      valid: false,
      problems: [
        { path: '/endUserId', code: 'resource_not_found' },
        { path: '/bankAccountId', code: 'resource_not_found' },
      ],
      ...{ cost: null, corridor: null },
    });
  });

  it.each([
    ['no JSON', '{"amount":'],
    ['a field too much', { colour: 'red' }],
    ['a field too few', { endUserId: undefined }],
    ['an amount too precise', { amount: '10.001' }],
    ['an amount of nothing', { amount: '0.00' }],
    ['an amount as large as money gets', { amount: '1000000000000' }],
    ['a currency that is none', { currency: 'XXQ' }],
    ['metadata beyond 8 kB', { metadata: { ...Object.fromEntries(longPairs()) } }],
    ['several of them', { currency: 'XXQ', colour: 'red', purpose: '?' }],
  ])('refuses %s as POST /payments does, to the letter', async (_what, wrong) => {
    const body = typeof wrong === 'string' ? wrong : harness.order(wrong);
    const [judged, paid] = [await validate(body), await harness.pay(body)];
    expect(judged.statusCode).toBe(400);
    expect(paid.statusCode).toBe(400);
    const plain = (text: string) => text.replace(/req_[0-9a-z]{26}/, 'req');
    expect(plain(judged.body)).toBe(plain(paid.body));
  });

  it('has no effect: no row is written, and none is even held', async () => {
    await harness.accept({ amount: '1.00' });
    const before = await sumOfDatabase(harness.rows);
    expect(Object.keys(before).length).toBeGreaterThan(30);
    for (const order of [{}, { amount: '99.01' }, { bankAccountId: 'ba_x' }, { currency: 'USD' }]) {
      expect((await validate(harness.order(order))).statusCode).toBe(200);
    }
    expect(await sumOfDatabase(harness.rows)).toEqual(before);
    // A lock alone would have changed the sum.
    const { endUserId } = harness.payer;
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query('SELECT FROM end_users WHERE id = $1 FOR SHARE', [endUserId]),
    );
    expect(await sumOfDatabase(harness.rows)).not.toEqual(before);
  });

  it('uses no Idempotency-Key up, and is judged anew under a used one', async () => {
    const body = harness.order({ amount: '2.00' });
    expect((await validate(body, undefined, 'later')).json()).toMatchObject({ valid: true });
    const paid = await harness.pay(body, 'later');
    expect(paid.statusCode).toBe(201);
    expect(paid.headers['idempotent-replayed']).toBeUndefined();
    const again = await validate(harness.order({ amount: '1000.00' }), undefined, 'later');
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(again.json()).toMatchObject({ valid: false });
  });

  it('takes a key that may make payments, of a customer that is not suspended', async () => {
    const { customerId } = harness.scope;
    const { token } = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['payments:read'] }),
    );
    expect((await validate(harness.order(), token)).statusCode).toBe(403);
    await harness.rows("UPDATE customers SET status = 'SUSPENDED' WHERE id = $1", [customerId]);
    const refused = await validate(harness.order());
    await setCustomerStatus(harness.database.url, customerId, 'ACTIVE');
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      ...[403, 'customer_suspended'],
    ]);
  });
});

function longPairs() {
  return Array.from({ length: 20 }, (_none, index) => [`k${String(index)}`, 'x'.repeat(500)]);
}
