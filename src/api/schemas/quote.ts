import { Type } from 'typebox';
import { LOCK_TIMES } from '../../domain/payments/quotes/lock-times.ts';
import { QUOTE_STATUSES } from '../../domain/payments/quotes/quote-status.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { AmountInput, AmountText, AssetCode, CurrencyCode, RateText, Timestamp } from './common.ts';
import { Fee } from './fee.ts';

const currencyInput = (description: string, example: string) =>
  Type.String({
    pattern: '^[A-Z]{3}$',
    'x-error': { pattern: 'unsupported_currency' },
    description: `ISO 4217. ${description}`,
    examples: [example],
  });

const assetInput = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{4}$',
    'x-error': { pattern: 'unsupported_asset' },
    description: `A stablecoin of \`GET /networks\`. ${description}`,
    examples: ['USDC'],
  });

const NetworkName = (description: string) =>
  Type.Enum(NETWORKS, {
    type: 'string',
    'x-error': { enum: 'unsupported_network' },
    description,
    examples: ['BASE'],
  });

const LockFor = Type.Enum(LOCK_TIMES, {
  type: 'string',
  description: 'How long the rate is held.',
  examples: ['15m'],
});

export const QuoteStatus = Type.Enum(QUOTE_STATUSES, {
  type: 'string',
  description: 'ACTIVE until it is used by a payment (CONSUMED) or its time is over (EXPIRED).',
  examples: ['ACTIVE'],
});

export const NewQuote = Type.Object(
  {
    sourceCurrency: Type.Optional(
      currencyInput('What is paid with. Give this or sourceAsset.', 'USD'),
    ),
    sourceAsset: Type.Optional(assetInput('What is paid with.')),
    targetCurrency: Type.Optional(
      currencyInput('What arrives; another one. Give this or targetAsset.', 'EUR'),
    ),
    targetAsset: Type.Optional(assetInput('What arrives; another one, with network.')),
    network: Type.Optional(NetworkName('Where targetAsset arrives; one that lists it.')),
    sourceAmount: Type.Optional(
      AmountInput('What is paid in all, fees included. Give this or targetAmount.'),
    ),
    targetAmount: Type.Optional(
      AmountInput('What the beneficiary receives. Give this or sourceAmount.'),
    ),
    lockFor: LockFor,
  },
  { title: 'NewQuote', additionalProperties: false, description: 'A rate to lock.' },
);

export const Quote = Type.Object(
  {
    id: Type.String({ examples: ['quo_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: QuoteStatus,
    sourceCurrency: Type.Optional(
      CurrencyCode('What is paid with; left out where it is sourceAsset.'),
    ),
    sourceAsset: Type.Optional(
      AssetCode('What is paid with; left out where it is sourceCurrency.'),
    ),
    targetCurrency: Type.Optional(CurrencyCode('What arrives; left out where it is targetAsset.')),
    targetAsset: Type.Optional(AssetCode('What arrives; left out where it is targetCurrency.')),
    network: Type.Optional(NetworkName('Where targetAsset arrives; left out of a currency.')),
    fixedSide: Type.Enum(['SOURCE', 'TARGET'] as const, {
      type: 'string',
      description: 'The side that was asked for, and is kept exactly.',
    }),
    sourceAmount: AmountText('What is paid in all: convertedAmount and every fee.'),
    convertedAmount: AmountText('What of it is converted, in the same currency or asset.'),
    targetAmount: AmountText('What arrives: convertedAmount at rate.'),
    midMarketRate: RateText('Units of the target for one of the source, in the middle.'),
    rate: RateText('The same for you: midMarketRate less the markup.'),
    markupBps: Type.Integer({ description: 'By how many basis points rate lies below it.' }),
    fees: Type.Array(Fee),
    rateAsOf: Timestamp('The time of the oldest rate that went into midMarketRate.'),
    rateSource: Type.String({ description: 'Where it comes from.', examples: ['ecb+nbp'] }),
    stale: Type.Boolean({
      description: 'Whether it is older than it should be. Only quotes of test may be.',
    }),
    lockFor: LockFor,
    createdAt: Timestamp('When it was made.'),
    expiresAt: Timestamp('From when on it can no longer be used.'),
    consumedAt: Type.Union([Timestamp('When a payment used it.'), Type.Null()]),
    paymentId: Type.Union([Type.String(), Type.Null()], {
      description: 'The payment that used it.',
    }),
  },
  { title: 'Quote', additionalProperties: false, description: 'A rate that is locked.' },
);
