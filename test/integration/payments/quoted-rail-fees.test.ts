import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { fundAsset, NETWORKS } from '../../support/wallet-payments.ts';

const row = (more: Partial<FeeRow>): FeeRow => ({
  ...{ type: 'RAIL', currency: 'USD', environment: null, rail: 'SEPA', country: 'DE' },
  ...{ fixed: 0n, bps: 0, min: null, max: null },
  ...more,
});
const fees = createFeeSchedule([
  row({ fixed: 125n }),
  row({ rail: 'SWIFT', country: null, fixed: 1_200n }),
  row({ type: 'SERVICE', currency: 'USDC', rail: null, country: null, fixed: 100_000n }),
  row({ type: 'SERVICE', currency: 'USDC', fixed: 300_000n }),
  row({ currency: 'USDC', fixed: 500_000n }),
]);

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({ settings: testSettings({ fees, networks: NETWORKS }) });
  await publishRates(harness, { EUR: '0.8', USDC: '1' });
  await fund(harness, harness.scope, 'USD', 100_000n);
  await fundAsset(harness, 'USDC', 100_000_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const RAIL_FEE = { type: 'RAIL', amount: '1.25', currency: 'USD', bps: null };

interface Cost {
  readonly source: { readonly amount: string };
  readonly fees: readonly object[];
}
const validate = async (body: object) => {
  const answer = await harness.ask({ method: 'POST', url: '/payments/validate', body });
  return answer.json<{ valid: boolean; cost: Cost | null; problems: object[] }>();
};

describe('a payment between two currencies over a rail with a fee', () => {
  it.each([
    ['by a quote', async () => ({ quoteId: (await quote(harness)).id })],
    ['without a quote', () => Promise.resolve({ sourceCurrency: 'USD' })],
  ])('%s pays it on top, as validation says before, and holds it', async (_how, named) => {
    const order = harness.order(await named());
    const { cost } = await validate(order);
    const before = await harness.balance('USD');
    const answer = await harness.pay(order);
    expect(answer.statusCode, answer.body).toBe(201);
    const paid = answer.json<Cost>();
    expect(paid).toMatchObject({ source: { amount: '13.75' }, fees: [RAIL_FEE] });
    expect([cost?.source, cost?.fees]).toEqual([paid.source, paid.fees]);
    const after = await harness.balance('USD');
    expect(BigInt(before.available) - BigInt(after.available)).toBe(1_375n);
  });

  it('is refused where the balance covers the quote and not the fee, and the quote stays', async () => {
    const { available } = await harness.balance('USD');
    const sourceAmount = `${available.slice(0, -2)}.${available.slice(-2)}`;
    const { id, targetAmount } = await quote(harness, { sourceAmount });
    const order = harness.order({ quoteId: id, amount: targetAmount });
    expect(await validate(order)).toMatchObject({
      problems: [{ code: 'insufficient_balance' }],
    });
    const answer = await harness.pay(order, randomUUID());
    expect(answer.json()).toMatchObject({ error: 'insufficient_balance' });
    const { status } = (await harness.ask({ url: `/quotes/${id}` })).json<{ status: string }>();
    expect(status).toBe('ACTIVE');
  });
});

describe('a payment from an asset to a bank account', () => {
  const charged = [
    { type: 'SERVICE', amount: '0.300000' },
    { type: 'RAIL', amount: '0.500000' },
  ];

  it('by a quote costs what its rail and country cost: no quote gets around them', async () => {
    const source = { sourceCurrency: undefined, sourceAsset: 'USDC' };
    const { id: quoteId, fees: quoted } = await quote(harness, source);
    expect(quoted).toMatchObject([{ type: 'SERVICE', amount: '0.100000' }]);
    const answer = await harness.pay(harness.order({ quoteId }));
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toMatchObject({ fees: charged });
  });

  it('without a quote has them in the quote that is made for it', async () => {
    const answer = await harness.pay(harness.order({ sourceAsset: 'USDC' }));
    expect(answer.statusCode, answer.body).toBe(201);
    const { fees: paid, quoteId } = answer.json<{ fees: object[]; quoteId: string }>();
    expect(paid).toMatchObject(charged);
    const made = await harness.ask({ url: `/quotes/${quoteId}` });
    expect(made.json<{ fees: object[] }>().fees).toEqual(paid);
  });
});
