import snapshot from '../../../../src/adapters/fx/snapshot-2026-09-29.json' with { type: 'json' };
import { DESTINATIONS } from './currencies.ts';
import { drawFrom } from './draw.ts';
import { dividedBy, fractionOf, type Fraction } from './fraction.ts';

const DECIMALS = 8;
const STEPS = 10_000n;

/** One day's rates: units of each currency for one dollar, decimal text. */
export type DayRates = ReadonlyMap<string, string>;

/** The market of the simulation: from real rates of one day, every currency up or down a little each day. */
export function marketOf(seed: number) {
  const usd: Readonly<Record<string, string>> = { ...snapshot.rates, USD: '1' };
  const walks = new Map(DESTINATIONS.map(({ heldTo }) => [heldTo, [STEPS]]));
  const anchors = [...walks.keys()].sort();

  /** How far an anchor has gone from where it began, in ten thousandths. */
  function walkOf(anchor: string, day: number): bigint {
    const walk = walks.get(anchor) ?? [];
    while (walk.length <= day && anchor !== 'USD') {
      const step = drawFrom(seed, walk.length, anchors.indexOf(anchor)).int(-80, 80);
      walk.push(walk.at(-1)! + BigInt(step));
    }
    return anchor === 'USD' ? STEPS : walk[day]!;
  }

  const ratesOn = (day: number): DayRates =>
    new Map(
      DESTINATIONS.filter(({ currency }) => currency !== 'USD').map(({ currency, heldTo }) => {
        const { over, under } = fractionOf(usd[currency]!);
        const units = (over * walkOf(heldTo, day) * 10n ** BigInt(DECIMALS)) / (under * STEPS);
        const digits = units.toString().padStart(DECIMALS + 1, '0');
        return [currency, `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`];
      }),
    );

  return {
    ratesOn,
    /** What a publisher's page says on a day, as the currency-api project writes it. */
    documentOf(day: number, date: string): string {
      const members = [...ratesOn(day)].map(([code, rate]) => `"${code.toLowerCase()}":${rate}`);
      return `{"date":"${date}","usd":{${members.join(',')}}}`;
    },
  };
}

/** Units of the target for one of the source, exactly as the day's rates say. */
export function crossRate(rates: DayRates, source: string, target: string): Fraction {
  const perDollar = (currency: string) =>
    currency === 'USD' ? { over: 1n, under: 1n } : fractionOf(rates.get(currency)!);
  return dividedBy(perDollar(target), perDollar(source));
}
