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
    description: `${description} A three-letter ISO 4217 currency code.`,
    examples: [example],
  });

const assetInput = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{4}$',
    'x-error': { pattern: 'unsupported_asset' },
    description: `${description} A stablecoin that \`GET /networks\` lists.`,
    examples: ['USDC'],
  });

const NetworkName = (description: string) =>
  Type.Enum(NETWORKS, {
    title: 'NetworkName',
    type: 'string',
    'x-error': { enum: 'unsupported_network' },
    description,
    examples: ['BASE'],
  });

const LockFor = Type.Enum(LOCK_TIMES, {
  title: 'LockTime',
  type: 'string',
  description: 'How long the rate is locked.',
  examples: ['15m'],
});

export const QuoteStatus = Type.Enum(QUOTE_STATUSES, {
  title: 'QuoteStatus',
  type: 'string',
  description:
    'The status of the quote. ACTIVE: you can use the quote. CONSUMED: a payment used it. EXPIRED: its lock ended.',
  examples: ['ACTIVE'],
});

export const NewQuote = Type.Object(
  {
    sourceCurrency: Type.Optional(
      currencyInput('The source currency. Give this or `sourceAsset`.', 'USD'),
    ),
    sourceAsset: Type.Optional(assetInput('The source asset. Give this or `sourceCurrency`.')),
    targetCurrency: Type.Optional(
      currencyInput(
        'The target currency, which must differ from the source. Give this or `targetAsset`.',
        'EUR',
      ),
    ),
    targetAsset: Type.Optional(
      assetInput(
        'The target asset, which must differ from the source. It requires `network`. Give this or `targetCurrency`.',
      ),
    ),
    network: Type.Optional(NetworkName('The network of `targetAsset`, one that lists the asset.')),
    sourceAmount: Type.Optional(
      AmountInput('The total amount to pay, including fees. Give this or `targetAmount`.'),
    ),
    targetAmount: Type.Optional(
      AmountInput('The amount that the beneficiary receives. Give this or `sourceAmount`.'),
    ),
    lockFor: LockFor,
  },
  { title: 'NewQuote', additionalProperties: false, description: 'A quote to create.' },
);

export const Quote = Type.Object(
  {
    id: Type.String({ examples: ['quo_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: QuoteStatus,
    sourceCurrency: Type.Optional(
      CurrencyCode(
        'The source currency, as a three-letter ISO 4217 code. Absent if the source is an asset.',
      ),
    ),
    sourceAsset: Type.Optional(AssetCode('The source asset. Absent if the source is a currency.')),
    targetCurrency: Type.Optional(
      CurrencyCode(
        'The target currency, as a three-letter ISO 4217 code. Absent if the target is an asset.',
      ),
    ),
    targetAsset: Type.Optional(AssetCode('The target asset. Absent if the target is a currency.')),
    network: Type.Optional(
      NetworkName('The network of `targetAsset`. Absent if the target is a currency.'),
    ),
    fixedSide: Type.Enum(['SOURCE', 'TARGET'] as const, {
      type: 'string',
      description: 'The side whose amount you gave. The quote keeps that amount exactly.',
    }),
    sourceAmount: AmountText(
      'The total amount to pay, in major units: `convertedAmount` plus all fees. If the target is a currency, the payment can add the fee of its rail. POST /payments/validate shows it.',
    ),
    convertedAmount: AmountText(
      'The part of `sourceAmount` that is converted, in major units of the source.',
    ),
    targetAmount: AmountText(
      'The amount that the beneficiary receives, in major units: `convertedAmount` at `rate`.',
    ),
    midMarketRate: RateText('The mid-market rate, as target units for one unit of the source.'),
    rate: RateText(
      'Your rate, as target units for one unit of the source: `midMarketRate` minus the markup.',
    ),
    markupBps: Type.Integer({
      description:
        'The markup, in basis points: how far `rate` is below `midMarketRate`. It is larger for a longer lock and an older rate.',
    }),
    fees: Type.Array(Fee),
    rateAsOf: Timestamp('The time of the oldest rate used for `midMarketRate`.'),
    rateSource: Type.String({ description: 'The sources of the rate.', examples: ['ecb+nbp'] }),
    stale: Type.Boolean({
      description:
        'Whether the rate is older than the permitted age, or its sources disagree. Only quotes of the test environment can be stale.',
    }),
    marketClosed: Type.Boolean({
      description:
        'Whether the market of the pair was closed at `rateAsOf` or at `createdAt`: on a weekend, or on a holiday of both currencies. The markup is then larger.',
    }),
    lockFor: LockFor,
    createdAt: Timestamp('The time at which the quote was created.'),
    expiresAt: Timestamp('The time at which the quote expires.'),
    consumedAt: Type.Union([Timestamp('The time at which a payment used the quote.'), Type.Null()]),
    paymentId: Type.Union([Type.String(), Type.Null()], {
      description: 'The id of the payment that used the quote.',
    }),
  },
  {
    title: 'Quote',
    additionalProperties: false,
    description: 'A locked exchange rate with all fees.',
  },
);
