import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewQuote, QuoteRow } from '../../../src/db/payments/quote-store.ts';
import type { PaymentFee } from '../../../src/domain/payments/fees/payment-fee.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { storeQueuedPayment } from '../../support/first-version.ts';
import { fund } from '../../support/quoted-harness.ts';
import { addQuote, QUOTED_AT } from '../../support/sample-quote.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
  await fund(harness, harness.scope, 'USD', 10_000_000n);
  await fund(harness, harness.scope, 'USDC', 1_000_000_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** 100.00 USDC for 89.00 EUR, with fees of the schedule. */
const OF_ASSET: Partial<NewQuote> = {
  ...{ sourceCurrency: 'USDC', sourceAmount: 100_000_000n, convertedAmount: 98_890_000n },
  ...{ targetAmount: 8_900n, rate: '0.9', midMarketRate: '0.9', markupBps: 0 },
  ...{ fixedFee: 0n, percentageFee: 0n, feeBps: 0 },
  fees: [
    { type: 'SERVICE', amount: '1000000', bps: 100 },
    { type: 'ROUNDING', amount: '110000', bps: null },
  ],
};

/** Stores a payment that believes its quote to be another one than it is. */
async function store(
  believed: Partial<QuoteRow> = {},
  quoted: Partial<NewQuote> = {},
): Promise<string> {
  const { db } = harness.database;
  const { endUserId, bankAccountId, scope } = harness.payer;
  const stored = await addQuote(db, scope, quoted);
  const quote = { ...stored, ...believed };
  const order = { endUserId, bankAccountId, at: QUOTED_AT, vault: harness.vault, quote };
  return (await db.write(scope, (tx) => storeQueuedPayment(tx, scope, order))).id;
}

describe('the database itself', () => {
  it('takes a payment that is as its quote says', async () => {
    expect(await store()).toMatch(/^pay_/);
  });

  it.each<[string, Partial<QuoteRow>]>([
    ['a rate', { rate: '0.8956' }],
    ['an amount that is converted', { convertedAmount: 99_650n }],
    ['an amount that arrives', { targetAmount: 89_238n }],
    ['a source currency', { sourceCurrency: 'EUR', targetCurrency: 'GBP' }],
    ['a fee', { fixedFee: 49n }],
    ['no fees', { fixedFee: 0n, percentageFee: 0n }],
  ])("refuses one with %s that is not the quote's", async (_what, believed) => {
    await expect(store(believed)).rejects.toThrow('is not as quote');
  });

  it('takes one by a quote of an asset with the fees that stand in it, and no others of that sum', async () => {
    const { db } = harness.database;
    const { endUserId, bankAccountId, scope } = harness.payer;
    const quote = await addQuote(db, scope, OF_ASSET);
    const order = { endUserId, bankAccountId, at: QUOTED_AT, vault: harness.vault, quote };
    const taken = db.write(scope, async (tx) => {
      await storeQueuedPayment(tx, scope, order);
      await tx.query('SET CONSTRAINTS payment_is_as_quoted IMMEDIATE');
      throw new Error('taken, and given up');
    });
    await expect(taken).rejects.toThrow('taken, and given up');
    const alike = [{ type: 'SERVICE', amount: '1110000', bps: null }] as const;
    await expect(store({ fees: alike }, OF_ASSET)).rejects.toThrow('is not as quote');
    await expect(store({ fees: [] }, OF_ASSET)).rejects.toThrow('is not as quote');
  });

  /** What a payment is charged that is stored with other fees than its quote has. */
  const charging = (fees: readonly PaymentFee[], quoted: Partial<NewQuote>) =>
    store({ fixedFee: 0n, percentageFee: 0n, fees }, quoted);
  const RAIL: PaymentFee = { type: 'RAIL', amount: '125', bps: null };
  const OF_CURRENCIES: readonly PaymentFee[] = [
    { type: 'FIXED', amount: '50', bps: null },
    { type: 'PERCENTAGE', amount: '299', bps: 30 },
  ];
  const SERVICE: PaymentFee = { type: 'SERVICE', amount: '1000000', bps: 100 };
  const ROUNDING: PaymentFee = { type: 'ROUNDING', amount: '110000', bps: null };

  it('takes the fee of a rail on top of those of a quote to a currency', async () => {
    expect(await charging([...OF_CURRENCIES, RAIL], {})).toMatch(/^pay_/);
    const raised = { ...SERVICE, amount: '1000001' };
    expect(await charging([raised, ROUNDING, RAIL], OF_ASSET)).toMatch(/^pay_/);
  });

  it.each<[string, readonly PaymentFee[], Partial<NewQuote>]>([
    ['a service fee between two currencies', [...OF_CURRENCIES, SERVICE], {}],
    ['a fee of a network', [...OF_CURRENCIES, { ...RAIL, type: 'NETWORK' }], {}],
    ['the fee of the rail twice', [...OF_CURRENCIES, RAIL, { ...RAIL, amount: '1' }], {}],
    ['less of its service', [{ ...SERVICE, amount: '999999' }, ROUNDING, RAIL], OF_ASSET],
    ['more rounding', [SERVICE, { ...ROUNDING, amount: '110001' }], OF_ASSET],
  ])('refuses one that is charged %s', async (_what, fees, quoted) => {
    await expect(charging(fees, quoted)).rejects.toThrow('is not as quote');
  });

  it.each<[string, Partial<NewQuote>]>([
    ['what_is_paid_is_what_is_converted_and_fees', { ...OF_ASSET, fees: [] }],
    ['assets_arrive_on_networks', { ...OF_ASSET, network: 'BASE' }],
    ['assets_arrive_on_networks', { targetCurrency: 'USDC' }],
    ['one_kind_of_fees', { ...OF_ASSET, sourceAmount: 100_000_001n, fixedFee: 1n }],
  ])('refuses by %s a quote that cannot be', async (constraint, quoted) => {
    const added = addQuote(harness.database.db, harness.scope, quoted);
    await expect(added).rejects.toMatchObject({ constraint });
  });

  it.each(["fees = '[]'", "rate = '0.9'", 'quote_id = NULL'])(
    'keeps the price of a payment: not %s',
    async (change) => {
      const id = await store();
      const update = `UPDATE payments SET ${change}, version = version + 1 WHERE id = $1`;
      await expect(harness.rows(update, [id])).rejects.toThrow('its price cannot change');
    },
  );

  it('knows no payment in two currencies without a quote, and none in one with', async () => {
    const id = await store();
    for (const change of ['quote_id = NULL', "source_currency = 'EUR'"]) {
      const update = `ALTER TABLE payments DISABLE TRIGGER USER;
        UPDATE payments SET ${change} WHERE id = '${id}'`;
      await expect(harness.rows(update)).rejects.toThrow('another_currency_takes_a_quote');
    }
  });
});
