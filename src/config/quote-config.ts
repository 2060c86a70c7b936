import { Type } from 'typebox';
import { splitDecimal } from '../domain/money/decimal-text.ts';
import { integer, text } from './setting-types.ts';

const WHOLE_DIGITS_MAX = 9;
const FRACTION_DIGITS_MAX = 6;

const isFee = (given: string): boolean => {
  const parts = splitDecimal(given);
  if (parts === null) return false;
  return parts.whole.length <= WHOLE_DIGITS_MAX && parts.fraction.length <= FRACTION_DIGITS_MAX;
};

const LIMIT_DIGITS_MAX = 12;

const isLimit = (given: string): boolean => {
  const parts = splitDecimal(given);
  if (parts === null || !/[1-9]/.test(given)) return false;
  return parts.whole.length <= LIMIT_DIGITS_MAX && parts.fraction.length <= FRACTION_DIGITS_MAX;
};

function price(environment: 'TEST' | 'LIVE') {
  return Type.Object({
    markupBps: integer(`${environment}_QUOTE_MARKUP_BPS`, [0, 5_000], {
      default: 0,
      unit: 'bps',
      description: "what a quote's rate lies below the mid-market rate: 50 is half a percent",
    }),
    feeBps: integer(`${environment}_QUOTE_FEE_BPS`, [0, 5_000], {
      default: 0,
      unit: 'bps',
      description: "a quote's percentage fee, of the amount that is converted",
    }),
    feeFixed: text(
      `${environment}_QUOTE_FEE_FIXED`,
      {
        default: '0',
        must: 'a decimal amount of at most 9 digits and 6 decimals, as 0.50',
        unit: 'FX_BASE',
        description:
          "a quote's fixed fee in major units; taken in the source currency at the mid-market rate",
      },
      isFee,
    ),
    positionLimit: Type.Optional(
      text(
        `${environment}_FX_POSITION_LIMIT`,
        {
          must: 'a decimal amount above 0 of at most 12 digits and 6 decimals, as 250000',
          unit: 'FX_BASE',
          defaultText: 'none',
          description:
            'how large the open position in other currencies may become: what would enlarge it beyond is not quoted',
        },
        isLimit,
      ),
    ),
  });
}

/** What quotes cost, by environment. */
export const QUOTES = Type.Object({ test: price('TEST'), live: price('LIVE') });
