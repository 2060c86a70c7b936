import type { Static } from 'typebox';
import type { NewQuote, Quote } from '../schemas/quote.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const TO_EUROS = {
  sourceCurrency: 'USD',
  targetCurrency: 'EUR',
  targetAmount: '841.50',
  lockFor: '15m',
} as const satisfies Static<typeof NewQuote>;

const common = {
  id: exampleId('quo'),
  status: 'ACTIVE',
  fixedSide: 'TARGET',
  rateAsOf: exampleTime('06:00:00'),
  rateSource: 'ecb',
  stale: false,
  marketClosed: false,
  createdAt: exampleTime('12:10:00'),
  expiresAt: exampleTime('12:25:00'),
  consumedAt: null,
  paymentId: null,
} as const;

/** 1000.00 at 0.8415 is 841.50; with the fee it costs 1001.00. */
const EUROS: Static<typeof Quote> = {
  ...common,
  ...TO_EUROS,
  sourceAmount: '1001.00',
  convertedAmount: '1000.00',
  midMarketRate: '0.85',
  rate: '0.8415',
  markupBps: 100,
  fees: [
    {
      ...{ type: 'FIXED', amount: '1.00', currency: 'USD', bps: null },
      description: 'Fixed fee of a conversion',
    },
  ],
};

const TO_USDC = {
  sourceCurrency: 'EUR',
  targetAsset: 'USDC',
  network: 'BASE',
  targetAmount: '100',
  lockFor: '15m',
} as const satisfies Static<typeof NewQuote>;

/** 80.00 at 1.25 is 100; with the fee it costs 80.30. */
const USDC: Static<typeof Quote> = {
  ...common,
  ...TO_USDC,
  targetAmount: '100.000000',
  sourceAmount: '80.30',
  convertedAmount: '80.00',
  midMarketRate: '1.25',
  rate: '1.25',
  markupBps: 0,
  fees: [
    {
      ...{ type: 'NETWORK', amount: '0.30', currency: 'EUR', bps: null },
      description: 'Fee of the network',
    },
  ],
};

const USED: Static<typeof Quote> = {
  ...USDC,
  status: 'CONSUMED',
  consumedAt: exampleTime('12:15:00'),
  paymentId: exampleId('pay'),
};

export const QUOTE_EXAMPLES: ExampleTable = {
  createQuote: {
    currencies: { summary: 'Dollars to euros', request: TO_EUROS, status: 201, answer: EUROS },
    asset: { summary: 'Euros to USDC', request: TO_USDC, status: 201, answer: USDC },
  },
  listQuotes: { page: { summary: 'One quote', status: 200, answer: onlyPage(EUROS) } },
  getQuote: {
    active: { summary: 'It can be used', status: 200, answer: EUROS },
    used: { summary: 'A payment used it', status: 200, answer: USED },
  },
};
