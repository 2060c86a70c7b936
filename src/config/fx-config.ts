import { Type } from 'typebox';
import { isCurrency } from '../domain/money/currencies.ts';
import { choice, integer, text, url } from './setting-types.ts';

// The ECB quotes on working days only: four days reach over a weekend and one holiday.
const RATE_MAX_AGE_MS = 4 * 24 * 60 * 60 * 1000;

/** Where rates come from and how long they hold. */
export const FX = Type.Object({
  source: choice(
    'FX_SOURCE',
    ['snapshot', 'ecb'],
    "`snapshot`: rates that ship with the program, always marked stale. `ecb`: the ECB's daily rates, fetched every hour",
  ),
  ecbUrl: Type.Optional(
    url('ECB_URL', "another address of the ECB's daily XML", { defaultText: "the ECB's own" }),
  ),
  baseCurrency: text(
    'FX_BASE',
    {
      default: 'USD',
      must: 'an ISO 4217 currency code',
      unit: 'ISO 4217',
      description: 'the base of `GET /fx-rates` where none is named',
    },
    isCurrency,
  ),
  rateMaxAgeMs: integer('FX_RATE_MAX_AGE_MS', [1, 31_536_000_000], {
    default: RATE_MAX_AGE_MS,
    unit: 'ms',
    description: 'an older rate is marked stale',
  }),
});
