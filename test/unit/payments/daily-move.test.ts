import { describe, expect, it } from 'vitest';
import { dailyMoveBps } from '../../../src/domain/payments/fx/daily-move.ts';
import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';
import { leg } from '../../support/payments/legs.ts';

const DAY_MS = 24 * 3_600_000;
const MONDAY = Date.parse('2026-06-01T00:00:00.000Z');

/** One rate a weekday, so many of them, and the last one repeated on the weekend. */
function days(count: number, pair: string, rateOf: (nth: number) => number, source = 'sample') {
  const legs: FxLeg[] = [];
  let said = 0;
  for (let day = 0; said < count; day += 1) {
    const isWeekday = day % 7 < 5;
    if (isWeekday) said += 1;
    const asOf = new Date(MONDAY + day * DAY_MS);
    legs.push(leg(`${pair} ${String(rateOf(said - 1))}`, { asOf, source }));
  }
  return legs;
}
const swinging = (nth: number) => (nth % 2 === 0 ? 1 : 1.01);
const move = (legs: readonly FxLeg[], base = 'EUR', quote = 'USD', released: string[] = []) =>
  dailyMoveBps({ base, quote }, legs, released);

describe('how far a pair moves in a day', () => {
  it('is the deviation of its own rates, weekends left out, over a third currency too', () => {
    expect(move(days(31, 'EUR/USD', swinging))).toBe(100);
    const cross = [...days(40, 'USD/EUR', () => 0.8), ...days(40, 'USD/JPY', swinging)];
    expect(move(cross, 'EUR', 'JPY')).toBe(100);
  });

  it('is that of the source that moves most, if it has moved often enough', () => {
    const calm = days(40, 'EUR/USD', (nth) => 1 + nth * 0.005);
    const wild = (count: number) => days(count, 'EUR/USD', (nth) => 1 + (nth % 2) / 10, 'other');
    expect(move(calm)).toBeLessThan(100);
    expect(move([...calm, ...wild(31)])).toBe(1_000);
    expect(move([...calm, ...wild(30)])).toBe(move(calm));
  });

  it.each([
    ['EUR', 'USD', 70],
    ['EUR', 'NGN', 150],
    ['USD', 'AED', 10],
    ['HKD', 'MOP', 10],
    ['USDC', 'AED', 10],
    ['EURC', 'EUR', 10],
    ['EURC', 'JPY', 70],
    ['DKK', 'USD', 70],
  ])('of %s and %s with too few rates is from the table', (base, quote, bps) => {
    expect(move([], base, quote)).toBe(bps);
    expect(move(days(30, `${base}/${quote}`, swinging), base, quote)).toBe(bps);
  });

  it('in a market that stands still is half of the table', () => {
    expect(move(days(60, 'EUR/USD', () => 1.1))).toBe(35);
  });

  it('of a currency whose peg has ended is that of any other', () => {
    expect(move([], 'USD', 'AED', ['AED'])).toBe(150);
  });
});
