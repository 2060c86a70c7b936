import { Type } from 'typebox';
import { readRates, readRatesAt } from '../../../../db/payments/fx-rate-store.ts';
import { Refusal, type Problem } from '../../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { quoteTable } from '../../../../domain/payments/fx/quote-table.ts';
import { isMoneyCode } from '../../../../domain/money/currencies.ts';
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
          base: UnitCode('One unit of this currency or asset'),
          quote: UnitCode('costs so many of this one.'),
          rate: RateText('Mid-market.'),
        },
        { additionalProperties: false },
      ),
    ),
    asOf: Timestamp('The time of the oldest rate that went into the answer.'),
    source: Type.String({ description: 'Where the rates come from.', examples: ['ecb'] }),
    stale: Type.Boolean({
      description:
        'Whether a rate is older than it should be, or its sources contradict each other.',
    }),
  },
  { additionalProperties: false, description: 'Mid-market rates.' },
);

const Query = Type.Object(
  {
    base: Type.Optional(
      Type.String({
        description:
          'ISO 4217 or an asset: 3 or 4 capital letters. The configured base where left out.',
        examples: ['EUR'],
      }),
    ),
    quote: Type.Optional(
      Type.String({
        description:
          'Codes of ISO 4217 or of assets, each of 3 or 4 capital letters, with commas between and no blanks; all of them where left out.',
        examples: ['USD,GBP'],
        maxLength: 5 * QUOTES_MAX,
      }),
    ),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'The rates as they stood then: of each source the newest that is not younger. Not in the future, and no older than rates are kept; now where left out.',
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
        summary: 'Mid-market rates',
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
        at: at ?? now,
        maxAgeMs: deps.settings.fx.rateMaxAgeMs,
      });
      if (table.asOf === null || table.missing.length > 0) throw rateUnavailable(table.missing);
      return {
        data: table.rows.map((row) => ({ base: row.base, quote: row.quote, rate: row.rate })),
        asOf: table.asOf.toISOString(),
        source: table.source,
        stale: table.isStale,
      };
    },
  );
}

function refuseUnknown(base: string, quotes: readonly string[]): void {
  const problem = (name: string): Problem => ({
    path: `/query/${name}`,
    code: 'unsupported_currency',
    message: 'Give ISO 4217 codes of three capital letters, or assets.',
  });
  const problems = [
    ...(isMoneyCode(base) ? [] : [problem('base')]),
    ...(quotes.every((code) => isMoneyCode(code)) ? [] : [problem('quote')]),
  ];
  if (problems.length > 0) throw refuseProblems(problems);
}

function rateUnavailable(missing: readonly string[]): Refusal {
  const message = 'No exchange rate is at hand for this question now.';
  const details = missing.map((currency): Problem => ({
    path: '/query/quote',
    code: 'rate_unavailable',
    message,
    meta: { currency },
  }));
  return new Refusal('rate_unavailable', message, details, { 'retry-after': '60' });
}
