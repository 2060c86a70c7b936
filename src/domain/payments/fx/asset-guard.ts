import { anchorOf } from './asset-anchors.ts';
import { crossRatesFrom } from './cross-rate.ts';
import { currencyValues, freshOf, PIVOT_CURRENCY, type ValueMoment } from './currency-value.ts';
import type { FxLeg } from './fx-leg.ts';
import { movePercent, percentOf, UNIT_RATE, type Rate } from './rate.ts';

/** 50 basis points: from here on sources of a pair with an asset in it are too far apart. */
const APART_MIN = percentOf('0.5');
/** 100 basis points: from here on a stablecoin is off what it is held to. */
const OFF_PEG_MIN = percentOf('1');

/** Why a pair with an asset in it is not quoted now. */
type AssetRateProblem = 'SOURCES_APART' | 'OFF_PEG';

/**
 * Judges what the sources say of currencies and assets that are quoted against each other. Every source that
 * is fresh counts, an outlier too: of two prices of a coin it is not known which one it will fetch. A
 * stablecoin is looked at in dollars and in its own anchor, because sources that tie it to the anchor alone
 * are never compared in dollars. Null where nothing is wrong.
 */
export function judgeAssetRates(
  legs: readonly FxLeg[],
  codes: readonly string[],
  moment: ValueMoment,
): AssetRateProblem | null {
  const sources = [...new Set(legs.map((leg) => leg.source))].map((name) =>
    legs.filter((leg) => leg.source === name),
  );
  const anchors = codes.map(anchorOf).filter((anchor) => anchor !== null);
  const looks = [...new Set([PIVOT_CURRENCY, ...anchors])].map((base) => {
    const about = codes.filter((code) => base === PIVOT_CURRENCY || anchorOf(code) === base);
    return { base, rates: ratesBySource(sources, base, about, moment) };
  });
  if (looks.some(({ rates }) => [...rates.values()].some(isApart))) return 'SOURCES_APART';
  const isOff = looks.some(({ base, rates }) =>
    [...rates].some(([code, found]) => anchorOf(code) === base && found.some(isOffPeg)),
  );
  return isOff || codes.some((code) => isQuotedOffPeg(legs, code, moment)) ? 'OFF_PEG' : null;
}

/** What each source says of each of the codes, in units for one of `base`. */
function ratesBySource(
  sources: readonly (readonly FxLeg[])[],
  base: string,
  codes: readonly string[],
  moment: ValueMoment,
): ReadonlyMap<string, readonly Rate[]> {
  // One walk a source: divisions to 40 decimals are what costs here.
  const said = sources.map((own) => crossRatesFrom(own, base, codes));
  return new Map(
    codes.map((code) => {
      const found = said.flatMap((rates) => rates.get(code) ?? []);
      return [code, freshOf(found, moment).map(({ rate }) => rate)];
    }),
  );
}

function isApart(rates: readonly Rate[]): boolean {
  const [lowest, ...others] = [...rates].sort((a, b) => a.cmp(b));
  const highest = others.at(-1);
  if (lowest === undefined || highest === undefined) return false;
  return movePercent(lowest, highest).gte(APART_MIN);
}

const isOffPeg = (rate: Rate): boolean => movePercent(UNIT_RATE, rate).gte(OFF_PEG_MIN);

/** By the values that a quote would be made from: no single source may tie a coin to its anchor. */
function isQuotedOffPeg(legs: readonly FxLeg[], code: string, moment: ValueMoment): boolean {
  const anchor = anchorOf(code);
  if (anchor === null) return false;
  const values = currencyValues(legs, moment, [code, anchor]);
  const [coin, held] = [values.get(code), values.get(anchor)];
  return coin !== undefined && held !== undefined && isOffPeg(coin.units.div(held.units));
}
