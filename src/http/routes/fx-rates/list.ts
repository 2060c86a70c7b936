import { Type } from 'typebox';
import { readRates } from '../../../db/fx-rate-store.ts';
import { Refusal, type Problem } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import { quoteTable } from '../../../domain/fx/quote-table.ts';
import { isCurrency } from '../../../domain/money/currencies.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { CurrencyCode, Timestamp } from '../../schemas/common.ts';
import { errorResponses } from '../../schemas/error.ts';

const QUOTES_MAX = 200;

const FxRates = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          base: CurrencyCode('One unit of this currency'),
          quote: CurrencyCode('costs so many of this one.'),
          rate: Type.String({
            pattern: '^[0-9]+(\\.[0-9]{1,12})?$',
            description: 'Mid-market, as a plain decimal.',
            examples: ['0.853275'],
          }),
        },
        { additionalProperties: false },
      ),
    ),
    asOf: Timestamp('The time of the oldest rate that went into the answer.'),
    source: Type.String({ description: 'Where the rates come from.', examples: ['ecb'] }),
    stale: Type.Boolean({ description: 'Whether a rate is older than it should be.' }),
  },
  { additionalProperties: false, description: 'Mid-market rates.' },
);

const Query = Type.Object(
  {
    base: Type.Optional(
      Type.String({
        description: 'ISO 4217; the configured base where left out.',
        examples: ['EUR'],
      }),
    ),
    quote: Type.Optional(
      Type.String({
        description: 'ISO 4217 codes with commas between; all currencies where left out.',
        examples: ['USD,GBP'],
        maxLength: 4 * QUOTES_MAX,
      }),
    ),
  },
  { additionalProperties: false },
);

/** GET /fx-rates: current mid-market rates between currency pairs. */
export function listFxRates(app: App, deps: HttpDeps): void {
  app.get(
    '/fx-rates',
    {
      config: { permission: 'fx-rates:read' },
      schema: {
        operationId: 'listFxRates',
        summary: 'Current mid-market rates',
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
      const table = quoteTable(await readRates(deps.db), {
        base,
        quotes,
        at: deps.clock.now(),
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
    message: 'Give ISO 4217 codes of three capital letters.',
  });
  const problems = [
    ...(isCurrency(base) ? [] : [problem('base')]),
    ...(quotes.every((code) => isCurrency(code)) ? [] : [problem('quote')]),
  ];
  if (problems.length > 0) throw refuseProblems(problems);
}

function rateUnavailable(missing: readonly string[]): Refusal {
  const message = 'No exchange rate is at hand for this question now.';
  const details = missing.map((currency) => ({
    path: '/query/quote',
    code: 'rate_unavailable',
    message,
    meta: { currency },
  }));
  return new Refusal('rate_unavailable', message, details, { 'retry-after': '60' });
}
