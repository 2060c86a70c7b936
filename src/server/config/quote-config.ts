import { Type, type Static } from 'typebox';
import { splitDecimal } from '../../domain/money/decimal-text.ts';
import { ASSET_MARKUP_BPS } from '../../domain/payments/quotes/asset-markup.ts';
import { LOCK_MS, type LockTime } from '../../domain/payments/quotes/lock-times.ts';
import type { Environment } from '../../domain/scope.ts';
import type { FX } from './fx-config.ts';
import { perEnvironment } from './setting-scope.ts';
import { flag, integer, text } from './setting-types.ts';
import type { Report } from './settings.ts';

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

/** What the risk of a held rate comes to: live never takes less. */
const LOCK_MARKUP_PERCENT = 100;

/** An older rate says less of the market than the longest lock lets pass. */
const LONGEST_LOCK_MS = Math.max(...Object.values(LOCK_MS));

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
    lockMarkupPercent: integer(
      'QUOTE_LOCK_MARKUP_PERCENT',
      [environment === 'test' ? 0 : LOCK_MARKUP_PERCENT, 1_000],
      {
        default: environment === 'test' ? 0 : LOCK_MARKUP_PERCENT,
        unit: 'percent',
        description:
          'The markup for the time that a rate is held: its age, the lock and `QUOTE_GRACE_MS`. 100 covers the risk by the volatility of the pair: [prices](fx-and-quotes.md#prices). 0 takes nothing; only test can be 0.',
      },
    ),
    hasCurrencies: flag(
      'QUOTE_CURRENCIES',
      'Whether two currencies are quoted against each other. If `false`, such quotes and payments are refused with `rate_unavailable`.',
      true,
    ),
    rateMaxAgeMs: Type.Optional(
      integer('QUOTE_RATE_MAX_AGE_MS', [MINUTE_MS, LONGEST_LOCK_MS], {
        unit: 'ms',
        defaultText: '`FX_RATE_MAX_AGE_MS`',
        description:
          'The age after which a rate between two currencies is not quoted. While the market is closed, the age at its close counts.',
      }),
    ),
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

interface LiveCircumstances {
  readonly fx: Static<typeof FX>;
  /** Whether live pays to bank accounts. */
  readonly hasLiveBank: boolean;
}

/**
 * Reports what is missing for quotes between two currencies in live: a markup, a limit of the position, and rates that
 * are young enough. Without them, every lock is a free option on an old rate. Not judged where live has no bank, where it
 * does not quote currencies, and where all rates are of the snapshot, which is always stale.
 */
export function checkLiveQuotes(
  { live }: Static<typeof QUOTES>,
  { fx, hasLiveBank }: LiveCircumstances,
  report: Report,
): void {
  const hasRates = fx.sources.some((name) => name !== 'snapshot');
  if (!hasLiveBank || !hasRates || !live.hasCurrencies) return;
  const tell = (name: string, must: string) => {
    const names = [name, 'LIVE_QUOTE_CURRENCIES', 'LIVE_BANK_URL', 'FX_SOURCE'];
    report(names, `${name} ${must} for live quotes (or set LIVE_QUOTE_CURRENCIES=false)`);
  };
  if (live.markupBps === 0) tell('LIVE_QUOTE_MARKUP_BPS', 'must be above 0');
  if (live.positionLimit === undefined) tell('LIVE_FX_POSITION_LIMIT', 'must be set');
  if (live.rateMaxAgeMs === undefined) tell('LIVE_QUOTE_RATE_MAX_AGE_MS', 'must be set');
  // The other sources publish once a day.
  if (!fx.sources.includes('json'))
    tell('FX_SOURCE', 'must name json, whose rates can be young enough,');
  if (live.rateMaxAgeMs !== undefined && fx.refreshMs >= live.rateMaxAgeMs) {
    tell('FX_REFRESH_MS', 'must be shorter than LIVE_QUOTE_RATE_MAX_AGE_MS');
  }
}
