import { Type, type Static } from 'typebox';
import { isCurrency } from '../../domain/money/currencies.ts';
import type { Report } from './settings.ts';
import { integer, text, url, words } from './setting-types.ts';

// Banks quote on working days only: four days reach over a weekend and one holiday.
const RATE_MAX_AGE_MS = 4 * 24 * 60 * 60 * 1000;

/** Where rates come from and how long they hold. */
export const FX = Type.Object({
  sources: words('FX_SOURCE', Type.Enum(['snapshot', 'ecb', 'nbp', 'currency-api', 'json']), {
    default: ['snapshot'],
    defaultText: '`snapshot`',
    must: 'one or more of snapshot, ecb, nbp, currency-api, json, commas between',
    description:
      'one or more, commas between, see [FX and quotes](fx-and-quotes.md). `snapshot` ships with the program and is always stale; the others are fetched hourly',
  }),
  ecbUrl: Type.Optional(
    url('ECB_URL', "another address of the ECB's daily XML", { defaultText: "the ECB's own" }),
  ),
  nbpUrl: Type.Optional(
    url('NBP_URL', "another address of the NBP's table A as JSON", {
      defaultText: "the NBP's own",
    }),
  ),
  currencyApiUrl: Type.Optional(
    url('CURRENCY_API_URL', "another address of the project's `currencies/usd.json`", {
      defaultText: "the project's own",
    }),
  ),
  jsonUrl: Type.Optional(
    url('FX_JSON_URL', 'where `json` is: a document of rates of your own, assets too', {
      defaultText: 'none; needed for `json`',
    }),
  ),
  baseCurrency: text(
    'FX_BASE',
    {
      default: 'USD',
      must: 'an ISO 4217 currency code',
      unit: 'ISO 4217',
      description:
        'the base of `GET /fx-rates` where none is named, and the currency of fixed quote fees',
    },
    isCurrency,
  ),
  rateMaxAgeMs: integer('FX_RATE_MAX_AGE_MS', [1, 31_536_000_000], {
    default: RATE_MAX_AGE_MS,
    unit: 'ms',
    description: 'an older rate is marked stale',
  }),
  moveMaxPercent: integer('FX_MOVE_MAX_PERCENT', [1, 1_000_000], {
    default: 20,
    unit: 'percent',
    description:
      'a rate that moves further between two looks is refused with an alarm. Raise it for a real devaluation. Read by the worker',
  }),
  releasedPegs: words('FX_RELEASED_PEGS', Type.Refine(Type.String(), isCurrency), {
    default: [],
    must: 'ISO 4217 currency codes, commas between',
    description: 'currencies whose peg holds no longer, commas between. Read by the worker',
  }),
  historyDays: integer('FX_HISTORY_DAYS', [1, 3_650], {
    default: 730,
    unit: 'days',
    description: 'how long rates are kept for `at`; older ones are forgotten hourly',
  }),
});

/** Reports a source that is named and has no address. */
export function checkFx({ sources, jsonUrl }: Static<typeof FX>, report: Report): void {
  if (!sources.includes('json') || jsonUrl !== undefined) return;
  report(['FX_JSON_URL'], 'FX_JSON_URL must be set where FX_SOURCE names json');
}
