import type { Database } from '../../../db/client/database.ts';
import { readDailyRates } from '../../../db/payments/fx-rate-store.ts';
import { legsBetween } from '../../../domain/payments/fx/cross-rate.ts';
import { dailyMoveBps, MOVE_DAYS } from '../../../domain/payments/fx/daily-move.ts';
import type { FxLeg } from '../../../domain/payments/fx/fx-leg.ts';
import type { QuotedPair } from '../../../domain/payments/quotes/asset-markup.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { QuoteSettings } from './quote-settings.ts';

/** How far the rate of a pair moves in a day: basis points, one standard deviation. */
export type MoveOf = (pair: QuotedPair) => number;

/**
 * Reads what the sources said of pairs on the days before, in one statement; in none where nothing depends on it: the time
 * of a lock is free, and there is one source.
 */
export async function openPairMoves(
  db: Pick<Database, 'query'>,
  legs: readonly FxLeg[],
  pairs: readonly QuotedPair[],
  {
    settings,
    environment,
    at,
  }: { readonly settings: QuoteSettings; readonly environment: Environment; readonly at: Date },
): Promise<MoveOf> {
  const sources = [...new Set(legs.map(({ source }) => source))];
  const isFree = settings.quotes[environment].lockMarkupPercent === 0;
  const used = sources.flatMap((name) => {
    const own = legs.filter(({ source }) => source === name);
    return pairs.flatMap(({ sourceCurrency, targetCurrency }) =>
      legsBetween(own, sourceCurrency, targetCurrency),
    );
  });
  const daily =
    isFree && sources.length < 2
      ? []
      : await readDailyRates(db, [...new Set(used)], { at, days: MOVE_DAYS });
  return ({ sourceCurrency: base, targetCurrency: quote }) =>
    dailyMoveBps({ base, quote }, daily, settings.fx.releasedPegs);
}
