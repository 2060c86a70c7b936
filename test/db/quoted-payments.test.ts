import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuoteRow } from '../../src/db/quote-store.ts';
import { createPaymentHarness, type PaymentHarness } from '../support/payment-harness.ts';
import { storeQueuedPayment } from '../support/first-version.ts';
import { fund } from '../support/quoted-harness.ts';
import { addQuote, QUOTED_AT } from '../support/sample-quote.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
  await fund(harness, harness.scope, 'USD', 10_000_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** Stores a payment that believes its quote to be another one than it is. */
async function store(believed: Partial<QuoteRow> = {}): Promise<string> {
  const { db } = harness.database;
  const { endUserId, bankAccountId, scope } = harness.payer;
  const stored = await addQuote(db, scope);
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
