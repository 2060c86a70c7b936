import { describe, expect, it } from 'vitest';
import {
  isAnyOfClosedMarket,
  isRateOfClosedMarket,
  lastTradedAt,
} from '../../../src/domain/payments/fx/market-hours.ts';

const traded = (pair: string, at: string) => {
  const [base = '', quote = ''] = pair.split('/');
  return lastTradedAt(base, quote, new Date(at)).toISOString();
};

describe('a pair of currencies was last traded', () => {
  it.each([
    ['EUR/USD', 'on a Tuesday', '2026-09-29T12:00:00.000Z', '2026-09-29T12:00:00.000Z'],
    ['EUR/USD', 'before the close', '2026-10-02T20:59:59.999Z', '2026-10-02T20:59:59.999Z'],
    ['EUR/USD', 'after the close', '2026-10-02T21:00:01.000Z', '2026-10-02T21:00:00.000Z'],
    ['JPY/BRL', 'on a Sunday', '2026-10-04T20:59:59.999Z', '2026-10-02T21:00:00.000Z'],
    ['EUR/USD', 'from the opening', '2026-10-04T21:00:00.000Z', '2026-10-04T21:00:00.000Z'],
    ['EUR/USD', 'in winter', '2026-11-07T12:00:00.000Z', '2026-11-06T22:00:00.000Z'],
    // Both centers from New York's midnight on, then the weekend.
    ['EUR/USD', 'on Christmas', '2026-12-25T12:00:00.000Z', '2026-12-25T05:00:00.000Z'],
    ['EUR/USD', 'on the day after', '2026-12-26T12:00:00.000Z', '2026-12-25T05:00:00.000Z'],
    ['GBP/JPY', 'on Christmas', '2026-12-25T12:00:00.000Z', '2026-12-25T05:00:00.000Z'],
    // Good Friday is none in New York, Thanksgiving none in Frankfurt.
    ['EUR/USD', 'on Good Friday', '2026-04-03T12:00:00.000Z', '2026-04-03T12:00:00.000Z'],
    ['EUR/GBP', 'on Good Friday', '2026-04-03T12:00:00.000Z', '2026-04-03T12:00:00.000Z'],
    ['USD/EUR', 'on Thanksgiving', '2026-11-26T18:00:00.000Z', '2026-11-26T18:00:00.000Z'],
    ['USDC/EUR', 'as the dollar', '2026-10-03T12:00:00.000Z', '2026-10-02T21:00:00.000Z'],
    ['USDC/USD', 'at any time', '2026-10-03T12:00:00.000Z', '2026-10-03T12:00:00.000Z'],
    ['USDT/USDC', 'at any time', '2026-10-03T12:00:00.000Z', '2026-10-03T12:00:00.000Z'],
  ])('%s %s', (pair, _when, at, last) => {
    expect(traded(pair, at)).toBe(last);
  });
});

describe('a rate is of a closed market', () => {
  const friday = new Date('2026-10-02T12:00:00.000Z');
  const saturday = new Date('2026-10-03T12:00:00.000Z');
  const monday = new Date('2026-10-05T12:00:00.000Z');

  it('where the question comes in a closed market, or the rate', () => {
    const isClosed = (asOf: Date, at: Date) => isRateOfClosedMarket('EUR', 'USD', { asOf, at });
    expect(isClosed(friday, saturday)).toBe(true);
    expect(isClosed(saturday, monday)).toBe(true);
    expect(isClosed(friday, monday)).toBe(false);
  });

  it('of several where it is so of one', () => {
    const rate = (quote: string, asOf: Date) => ({ base: 'USD', quote, asOf });
    expect(isAnyOfClosedMarket([rate('USDC', saturday), rate('EUR', friday)], monday)).toBe(false);
    expect(isAnyOfClosedMarket([rate('EUR', friday), rate('EUR', saturday)], monday)).toBe(true);
    expect(isAnyOfClosedMarket([rate('USDC', friday)], saturday)).toBe(false);
  });
});
