import { Type, type Static } from 'typebox';
import { isCurrency } from '../../domain/money/currencies.ts';
import type { Report } from './settings.ts';
import { integer, text, url, words } from './setting-types.ts';

// Banks quote on working days only: four days reach over a weekend and one holiday.
const RATE_MAX_AGE_MS = 4 * 24 * 60 * 60 * 1000;

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** Where rates come from and how long they hold. */
export const FX = Type.Object({
  sources: words('FX_SOURCE', Type.Enum(['snapshot', 'ecb', 'nbp', 'currency-api', 'json']), {
    default: ['snapshot'],
    defaultText: '`snapshot`',
    must: 'one or more of snapshot, ecb, nbp, currency-api, json, commas between',
    description:
      'The sources of rates, separated by commas: [FX and quotes](fx-and-quotes.md). `snapshot` ships with Causeway and is always stale. The other sources are fetched every `FX_REFRESH_MS`.',
  }),
  ecbUrl: Type.Optional(
    url('ECB_URL', "Another URL of the ECB's daily XML.", { defaultText: "the ECB's own" }),
  ),
  nbpUrl: Type.Optional(
    url('NBP_URL', "Another URL of the NBP's table A as JSON.", {
      defaultText: "the NBP's own",
    }),
  ),
  currencyApiUrl: Type.Optional(
    url('CURRENCY_API_URL', "Another URL of the project's `currencies/usd.json`.", {
      defaultText: "the project's own",
    }),
  ),
  jsonUrl: Type.Optional(
    url('FX_JSON_URL', 'The URL of your own rates for the source `json`. It can include assets.', {
      defaultText: 'none; needed for `json`',
      // It may hold the key of a source of rates.
      isSecret: true,
    }),
  ),
  baseCurrency: text(
    'FX_BASE',
    {
      default: 'USD',
      must: 'an ISO 4217 currency code',
      unit: 'ISO 4217',
      description:
        'The default base currency of `GET /fx-rates`, and the currency of fixed quote fees.',
    },
    isCurrency,
  ),
  rateMaxAgeMs: integer('FX_RATE_MAX_AGE_MS', [1, 31_536_000_000], {
    default: RATE_MAX_AGE_MS,
    unit: 'ms',
    description: 'The age after which a rate is stale.',
  }),
  refreshMs: integer('FX_REFRESH_MS', [MINUTE_MS, HOUR_MS], {
    default: HOUR_MS,
    unit: 'ms',
    description: 'The interval between fetches of rates. The worker reads it.',
  }),
  moveMaxPercent: integer('FX_MOVE_MAX_PERCENT', [1, 1_000_000], {
    default: 20,
    unit: 'percent',
    description:
      'The largest move of a rate between two fetches. A larger move is refused and raises an alarm. Raise the limit after a real devaluation. The worker reads it.',
  }),
  releasedPegs: words('FX_RELEASED_PEGS', Type.Refine(Type.String(), isCurrency), {
    default: [],
    must: 'ISO 4217 currency codes, commas between',
    description:
      'Currencies that no longer have a peg, separated by commas. API and worker need the same value.',
  }),
  historyDays: integer('FX_HISTORY_DAYS', [1, 3_650], {
    default: 730,
    unit: 'days',
    description:
      'The number of days that rates are kept for `at`. Older rates are deleted when rates are fetched.',
  }),
});

/** Reports a source that is named and has no address. */
export function checkFx({ sources, jsonUrl }: Static<typeof FX>, report: Report): void {
  if (!sources.includes('json') || jsonUrl !== undefined) return;
  report(['FX_JSON_URL'], 'FX_JSON_URL must be set where FX_SOURCE names json');
}
