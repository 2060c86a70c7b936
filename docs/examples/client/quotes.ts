import { Causeway, CausewayApiError } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});

const order = {
  endUserId: process.env['END_USER'] ?? '',
  bankAccountId: process.env['BANK_ACCOUNT'] ?? '',
};

/** Locks a rate, shows what it costs, and pays by it. A quote that is over is asked for anew. */
async function payByQuote() {
  for (;;) {
    const quote = await causeway.quotes.create({
      sourceCurrency: 'USD',
      targetCurrency: 'EUR',
      targetAmount: '100.00',
      lockFor: '5m',
    });
    console.log(`${quote.sourceAmount} USD for ${quote.targetAmount} EUR at ${quote.rate}`);
    const { id: quoteId, targetAmount: amount } = quote;
    try {
      return await causeway.payments.create({ ...order, amount, currency: 'EUR', quoteId });
    } catch (error) {
      if (!(error instanceof CausewayApiError) || error.error !== 'quote_expired') throw error;
    }
  }
}

const payment = await payByQuote();
console.log(`${payment.id} takes ${payment.source.amount} ${payment.source.currency ?? ''}`);
