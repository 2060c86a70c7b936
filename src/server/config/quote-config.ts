import { Type } from 'typebox';
import { splitDecimal } from '../../domain/money/decimal-text.ts';
import { ASSET_MARKUP_BPS } from '../../domain/payments/quotes/asset-markup.ts';
import type { LockTime } from '../../domain/payments/quotes/lock-times.ts';
import type { Environment } from '../../domain/scope.ts';
import { perEnvironment } from './setting-scope.ts';
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

/** Of a quote with an asset, by how long its rate is held. */
function assetMarkup() {
  const markup = (lockFor: LockTime) =>
    integer(`QUOTE_ASSET_MARKUP_BPS_${lockFor.toUpperCase()}`, [0, 5_000], {
      default: ASSET_MARKUP_BPS[lockFor],
      unit: 'bps',
      description: `The markup of a quote with an asset whose rate is locked for ${lockFor}.`,
    });
  return Type.Object({
    '1m': markup('1m'),
    '5m': markup('5m'),
    '15m': markup('15m'),
    '1h': markup('1h'),
  });
}

const MINUTE_MS = 60_000;

function price(environment: Environment) {
  return Type.Object({
    graceMs: integer('QUOTE_GRACE_MS', [1_000, 24 * 60 * MINUTE_MS], {
      default: (environment === 'test' ? 1 : 15) * MINUTE_MS,
      unit: 'ms',
      description:
        'The time after the expiry of its quote in which a payment may still be sent. A payment of which nothing was sent by then fails with `quote_expired`, or is priced anew if its request says so.',
    }),
    markupBps: integer('QUOTE_MARKUP_BPS', [0, 5_000], {
      default: 0,
      unit: 'bps',
      description: 'The markup below the mid-market rate: 50 is half a percent.',
    }),
    assetMarkupBps: assetMarkup(),
    feeBps: integer('QUOTE_FEE_BPS', [0, 5_000], {
      default: 0,
      unit: 'bps',
      description: 'The percentage fee of a quote, on the converted amount.',
    }),
    feeFixed: text(
      'QUOTE_FEE_FIXED',
      {
        default: '0',
        must: 'a decimal amount of at most 9 digits and 6 decimals, as 0.50',
        unit: 'FX_BASE',
        description:
          'The fixed fee of a quote in major units. It is charged in the source currency at the mid-market rate.',
      },
      isFee,
    ),
    positionLimit: Type.Optional(
      text(
        'FX_POSITION_LIMIT',
        {
          must: 'a decimal amount above 0 of at most 12 digits and 6 decimals, as 250000',
          unit: 'FX_BASE',
          defaultText: 'none',
          description:
            'The limit of the open position in other currencies. Causeway does not quote above it.',
        },
        isLimit,
      ),
    ),
  });
}

/** What quotes cost, by environment. */
export const QUOTES = perEnvironment(price);
