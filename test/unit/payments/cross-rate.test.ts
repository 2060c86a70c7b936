import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { crossRatesFrom } from '../../../src/domain/payments/fx/cross-rate.ts';
import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';
import { formatRate } from '../../../src/domain/payments/fx/rate.ts';
import { hoursBefore, leg, noon } from '../../support/payments/legs.ts';

function cross(legs: FxLeg[], base: string, quote: string) {
  const found = crossRatesFrom(legs, base).get(quote);
  if (found === undefined) throw new Error(`no way from ${base} to ${quote}`);
  return found;
}

const rateText = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 99_999_999 }))
  .map(([whole, fraction]) => `${String(whole)}.${String(fraction).padStart(8, '0')}`);

describe('cross rates', () => {
  it('take a stored leg as it is', () => {
    expect(formatRate(cross([leg('USD/EUR 0.85314')], 'USD', 'EUR').rate)).toBe('0.85314');
  });

  it('turn a stored leg around', () => {
    expect(formatRate(cross([leg('USD/EUR 0.8')], 'EUR', 'USD').rate)).toBe('1.25');
  });

  it('go through the base of the source from unrounded legs', () => {
    const legs = [leg('USD/IRR 42105.12345678'), leg('USD/KWD 0.30512345')];
    const exact = new (Big())('0.30512345').div('42105.12345678');
    expect(formatRate(cross(legs, 'IRR', 'KWD').rate)).toBe('0.00000724670598135646443');
    expect(cross(legs, 'IRR', 'KWD').rate.minus(exact).abs().lt('1e-19')).toBe(true);
  });

  it('carry the time of the oldest leg and the names of all sources', () => {
    const old = hoursBefore(5);
    const legs = [
      leg('EUR/USD 1.1', { source: 'a', asOf: old }),
      leg('USD/NGN 1500', { source: 'b' }),
    ];
    expect(cross(legs, 'EUR', 'NGN')).toMatchObject({ asOf: old, sources: ['a', 'b'] });
    expect(cross(legs, 'USD', 'NGN')).toMatchObject({ asOf: noon, sources: ['b'] });
  });

  it('reach from one source to the other through both of their bases', () => {
    const legs = [leg('EUR/GBP 0.8'), leg('EUR/USD 1.2'), leg('USD/NGN 1500', { source: 'b' })];
    expect(formatRate(cross(legs, 'GBP', 'NGN').rate)).toBe('2250');
  });

  it('prefer the fresher of two equally short ways, in whatever order they are stored', () => {
    const legs = [leg('USD/EUR 0.7', { asOf: hoursBefore(1), source: 'a' }), leg('USD/EUR 0.8')];
    expect(formatRate(cross(legs, 'USD', 'EUR').rate)).toBe('0.8');
    expect(formatRate(cross(legs.toReversed(), 'USD', 'EUR').rate)).toBe('0.8');
  });

  it('pass over legs that are none', () => {
    const legs = [leg('USD/EUR 0'), leg('USD/GBP 1e2'), leg('USD/USD 7'), leg('USD/JPY 150')];
    expect([...crossRatesFrom(legs, 'USD').keys()]).toEqual(['JPY']);
  });

  it('are inverse to each other within their precision', () => {
    fc.assert(
      fc.property(rateText, rateText, (a, b) => {
        const legs = [leg(`USD/AED ${a}`), leg(`USD/ZAR ${b}`)];
        const there = cross(legs, 'AED', 'ZAR').rate;
        const back = cross(legs, 'ZAR', 'AED').rate;
        expect(there.times(back).minus('1').abs().lt('1e-24')).toBe(true);
      }),
    );
  });

  it('agree along every triangle: a to b to c is a to c', () => {
    fc.assert(
      fc.property(rateText, rateText, rateText, (a, b, c) => {
        const legs = [leg(`USD/AED ${a}`), leg(`USD/BHD ${b}`), leg(`USD/CHF ${c}`)];
        const around = cross(legs, 'AED', 'BHD').rate.times(cross(legs, 'BHD', 'CHF').rate);
        const direct = cross(legs, 'AED', 'CHF').rate;
        expect(around.div(direct).minus('1').abs().lt('1e-22')).toBe(true);
      }),
    );
  });
});
