import { Type } from 'typebox';
import { readRates, readRatesAt } from '../../../../db/payments/fx-rate-store.ts';
import { Refusal, type Problem } from '../../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { isAnyOfClosedMarket } from '../../../../domain/payments/fx/market-hours.ts';
import { quoteTable } from '../../../../domain/payments/fx/quote-table.ts';
import { isCurrency, isMoneyCode } from '../../../../domain/money/currencies.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { RateText, Timestamp, UnitCode } from '../../../schemas/common.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { readMoment } from './read-moment.ts';

const QUOTES_MAX = 200;

const FxRates = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          base: UnitCode('The base currency or asset.'),
          quote: UnitCode('The quote currency or asset.'),
          rate: RateText(
            'The mid-market rate: the number of units of `quote` for one unit of `base`.',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    asOf: Timestamp('The time of the oldest rate used for the answer.'),
    source: Type.String({ description: 'The sources of the rates.', examples: ['ecb'] }),
    stale: Type.Boolean({
      description: 'Whether a rate is older than the permitted age, or its sources disagree.',
    }),
    marketClosed: Type.Boolean({
      description:
        'Whether the market of a pair was closed at the time of its rate, or is closed at the time of the answer: on a weekend, or on a holiday of both currencies. Assets count as the currency that they are redeemed in.',
    }),
  },
  { additionalProperties: false, description: 'Mid-market rates.' },
);

const Query = Type.Object(
  {
    base: Type.Optional(
      Type.String({
        description:
          'The base of the rates: an ISO 4217 currency code or the code of an asset, 3 or 4 capital letters. Default: the configured base.',
        examples: ['EUR'],
      }),
    ),
    quote: Type.Optional(
      Type.String({
        description:
          'Returns only rates for these currencies and assets: a comma-separated list of codes, each 3 or 4 capital letters, without spaces. Default: all currencies, and no asset.',
        examples: ['USD,GBP'],
        maxLength: 5 * QUOTES_MAX,
      }),
    ),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Returns the rates at this time. It must not be in the future or before the oldest stored rates. Default: now.',
        examples: ['2026-09-29T12:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** GET /fx-rates: mid-market rates between currency pairs, of now or of a past moment. */
export function listFxRates(app: App, deps: HttpDeps): void {
  app.get(
    '/fx-rates',
    {
      config: { permission: 'fx-rates:read' },
      schema: {
        operationId: 'listFxRates',
        summary: 'List mid-market rates',
        tags: ['FX'],
        querystring: Query,
        response: {
          200: FxRates,
          ...errorResponses(['unsupported_currency', 'rate_unavailable']),
        },
      },
    },
    async (request) => {
      const { base = deps.settings.fx.baseCurrency, quote } = request.query;
      const quotes = quote?.split(',');
      refuseUnknown(base, quotes ?? []);
      const now = deps.clock.now();
      const at = readMoment(request.query.at, now, deps.settings.fx.historyMs);
      const legs = await (at === null ? readRates(deps.db) : readRatesAt(deps.db, at));
      const table = quoteTable(legs, {
        base,
        quotes,
        lists: isCurrency,
        at: at ?? now,
        maxAgeMs: deps.settings.fx.rateMaxAgeMs,
      });
      if (table.asOf === null || table.missing.length > 0) throw rateUnavailable(table.missing);
      return {
        data: table.rows.map((row) => ({ base: row.base, quote: row.quote, rate: row.rate })),
        asOf: table.asOf.toISOString(),
        source: table.source,
        stale: table.isStale,
        marketClosed: isAnyOfClosedMarket(table.rows, at ?? now),
      };
    },
  );
}

function refuseUnknown(base: string, quotes: readonly string[]): void {
  const problem = (name: string): Problem => ({
    path: `/query/${name}`,
    code: 'unsupported_currency',
    message: 'Give ISO 4217 currency codes or codes of assets, each 3 or 4 capital letters.',
  });
  const problems = [
    ...(isMoneyCode(base) ? [] : [problem('base')]),
    ...(quotes.every((code) => isMoneyCode(code)) ? [] : [problem('quote')]),
  ];
  if (problems.length > 0) throw refuseProblems(problems);
}

function rateUnavailable(missing: readonly string[]): Refusal {
  const message = 'No exchange rate is available for this request now. Try again later.';
  const details = missing.map((currency): Problem => ({
    path: '/query/quote',
    code: 'rate_unavailable',
    message,
    meta: { currency },
  }));
  return new Refusal('rate_unavailable', message, details, { 'retry-after': '60' });
}
