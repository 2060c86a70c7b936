import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { Refusal } from '../../../src/domain/errors/refusal.ts';
import { totalOf } from '../../../src/domain/payments/price-order.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import type { OrderPricing } from '../../../src/modules/payments/order-check.ts';
import type { Network } from '../../../src/domain/onchain/network.ts';
import { priceOrders } from '../../../src/modules/payments/price-orders.ts';
import { LISTED_NETWORKS } from '../../support/listed-networks.ts';
import { publishRates, quote } from '../../support/quoted-harness.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';

const FREE = {
  markupBps: 0,
  feeBps: 0,
  feeFixed: '0',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};
const row = (more: Partial<FeeRow>): FeeRow => ({
  ...{ type: 'NETWORK', currency: 'EUR', environment: null, rail: 'BASE', country: null },
  ...{ fixed: 0n, bps: 0, min: null, max: null },
  ...more,
});
const settings = testSettings({
  quotes: { test: FREE, live: FREE },
  fees: createFeeSchedule([
    row({ fixed: 30n }),
    row({ currency: 'USDC', fixed: 300_000n }),
    row({ type: 'SERVICE', currency: 'USDC', rail: null, bps: 10 }),
  ]),
  networks: { test: LISTED_NETWORKS, live: [] },
});

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({ settings });
  await publishRates(harness, { EUR: '0.8', USDC: '1', EURC: '0.8' });
});
afterAll(() => harness.close());

const ORDER = {
  ...{ endUserId: '', sourceUnit: null, quoteId: null },
  destination: { kind: 'WALLET', walletId: '' } as const,
  ...{ externalId: null, reference: null, scheduledFor: null, purpose: null, metadata: {} },
  ...{ amount: 10_000_000n, unit: 'USDC', maxSourceAmount: null, funding: null },
};

/** What an order to a wallet on a network costs. Throws the refusal of one that has no price. */
async function price(
  overrides: Partial<typeof ORDER> | object,
  network: Network = 'BASE',
): Promise<OrderPricing> {
  const order = { ...ORDER, ...overrides };
  const destination = { ...ORDER.destination, network };
  const route = { corridor: null, country: null, isPriceable: true, destination };
  const { scope, clock, database } = harness;
  const [outcome] = await database.db.write(scope, (tx) =>
    priceOrders(settings, tx, scope, [{ order, route }], clock.now()),
  );
  if (outcome?.status === 'fulfilled') return outcome.value;
  const reason: unknown = outcome?.reason;
  throw reason instanceof Refusal ? reason : new Error('an order has a price or a refusal');
}

const toUsdc = { sourceCurrency: 'EUR', targetCurrency: undefined, targetAsset: 'USDC' };

describe('an order to a wallet', () => {
  it('from the balance of its own asset costs its amount and the fees in the asset', async () => {
    const { price: own, quote: none } = await price({});
    expect(none).toBeNull();
    expect(own).toMatchObject({ source: { currency: 'USDC', minor: 10_000_000n }, rate: null });
    expect(own.fees).toEqual([
      { type: 'SERVICE', amount: '10000', bps: 10 },
      { type: 'NETWORK', amount: '300000', bps: null },
    ]);
    expect(totalOf(own)).toBe(10_310_000n);
  });

  it('from the balance of a currency is quoted in that moment, for its network', async () => {
    const { price: own, quote: made } = await price({ sourceUnit: 'EUR' });
    expect(made?.made).toMatchObject({ network: 'BASE', lockFor: '1m', markupBps: 10 });
    expect(own).toMatchObject({ source: { currency: 'EUR', minor: 801n }, rate: '1.24875' });
    expect(own.fees).toEqual([{ type: 'NETWORK', amount: '30', bps: null }]);
    const elsewhere = await price({ sourceUnit: 'EUR' }, 'ETHEREUM');
    expect(elsewhere.price.fees).toEqual([]);
    expect(elsewhere.quote?.made).toMatchObject({ network: 'ETHEREUM' });
  });

  it('from the balance of another asset is quoted too', async () => {
    const { price: own } = await price({ sourceUnit: 'USDC', unit: 'EURC' });
    expect(own.source.currency).toBe('USDC');
    expect(own.fees.map(({ type }) => type)).toEqual(['SERVICE', 'NETWORK']);
  });

  it('by a quote pays as quoted, and on no other network', async () => {
    const body = { ...toUsdc, network: 'BASE', targetAmount: '10.000000' };
    const { id: quoteId } = await quote(harness, body);
    const { price: own } = await price({ quoteId });
    expect(totalOf(own)).toBe(831n);
    await expect(price({ quoteId }, 'ETHEREUM')).rejects.toMatchObject({
      code: 'quote_mismatch',
      details: [{ path: '/walletId', meta: { quoted: 'BASE' } }],
    });
  });

  it('that differs from its quote is told every field in the words of assets', async () => {
    const body = { ...toUsdc, network: 'BASE', targetAmount: '10.000000' };
    const { id: quoteId } = await quote(harness, body);
    await expect(price({ quoteId, amount: 1n })).rejects.toMatchObject({
      details: [{ path: '/amount', meta: { quoted: '10.000000', asset: 'USDC' } }],
    });
    const other = { quoteId, unit: 'EURC', sourceUnit: 'USDC' };
    await expect(price(other)).rejects.toMatchObject({
      details: [
        { path: '/asset', meta: { quoted: 'USDC' } },
        { path: '/sourceAsset', meta: { quoted: 'EUR' } },
      ],
    });
  });

  it('in a coin that is off its peg has no price', async () => {
    await publishRates(harness, { USDC: '1.02' });
    await expect(price({ sourceUnit: 'EUR' })).rejects.toMatchObject({
      code: 'rate_unavailable',
      details: [{ path: '/sourceCurrency' }],
    });
    await expect(price({ sourceUnit: 'USDC', unit: 'EURC' })).rejects.toMatchObject({
      details: [{ path: '/sourceAsset' }],
    });
    await publishRates(harness, { USDC: '1' });
  });
});
