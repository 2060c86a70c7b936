import { describe, expect, it } from 'vitest';

import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';
import { guardLegs } from '../../../src/domain/payments/fx/guard.ts';
import { PEGS } from '../../../src/domain/payments/fx/pegs.ts';
import { isCurrency } from '../../../src/domain/money/currencies.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { hourMs, hoursBefore, leg, noon } from '../../support/payments/legs.ts';

const limits = { now: noon, moveMaxPercent: '20', aheadMaxMs: hourMs, releasedPegs: [] };
const stored = [leg('USD/EUR 0.8', { asOf: hoursBefore(24) })];

describe('outlier guard', () => {
  it('lets an ordinary move through, up to the limit itself', () => {
    const fetched = [leg('USD/EUR 0.96')];
    expect(guardLegs(fetched, stored, limits)).toEqual({ accepted: fetched, refused: [] });
  });

  it('refuses and reports a leg that moved too far, and only that one', () => {
    const wild = leg('USD/EUR 0.97');
    const calm = leg('USD/GBP 0.7');
    expect(guardLegs([wild, calm], stored, limits)).toEqual({
      accepted: [calm],
      refused: [{ leg: wild, reason: 'moved_too_far', storedRate: '0.8', movedPercent: '21.25' }],
    });
  });

  it('judges a fall as it judges a rise', () => {
    const { refused } = guardLegs([leg('USD/EUR 0.66')], stored, limits);
    expect(refused).toMatchObject([{ reason: 'moved_too_far', movedPercent: '21.21' }]);
  });

  it('compares a source with itself only', () => {
    const other = [leg('USD/EUR 8', { source: 'other' })];
    expect(guardLegs(other, stored, limits).accepted).toEqual(other);
  });

  it('takes the same document again without complaint', () => {
    expect(guardLegs(stored, stored, limits).accepted).toEqual(stored);
  });

  it.each([
    ['not_a_rate', leg('USD/EUR 0')],
    ['not_a_rate', leg('USD/EUR NaN')],
    ['out_of_range', leg('USD/XCG 1000000000.1')],
    ['out_of_range', leg('USD/XCG 0.0000000009')],
    ['from_the_future', leg('USD/EUR 0.8', { asOf: new Date(noon.getTime() + hourMs + 1) })],
    ['from_the_future', leg('USD/EUR 0.8', { asOf: new Date(Number.NaN) })],
    ['older_than_stored', leg('USD/EUR 0.8', { asOf: hoursBefore(25) })],
  ])('refuses what is %s', (reason, fetched) => {
    expect(guardLegs([fetched], stored, limits)).toMatchObject({
      accepted: [],
      refused: [{ reason }],
    });
  });
});

describe('peg guard', () => {
  const reasons = (fetched: FxLeg[], releasedPegs: string[] = []) => {
    const { refused } = guardLegs(fetched, [], { ...limits, releasedPegs });
    return refused.map(({ leg: { base, quote }, reason }) => `${base}/${quote} ${reason}`);
  };

  it.each(['USD/HKD 7.71', 'USD/HKD 7.89', 'EUR/DKK 7.46', 'USD/AED 3.6725', 'EUR/XOF 655.957'])(
    'lets %s pass',
    (text) => {
      expect(reasons([leg(text)])).toEqual([]);
    },
  );

  it.each([
    ...['USD/HKD 7.70', 'USD/HKD 7.90', 'USD/AED 3.63', 'USD/AED 3.72', 'EUR/XAF 640'],
    ...['USD/BHD 0.38', 'USD/OMR 0.39', 'USD/QAR 3.70', 'USD/JOD 0.72', 'USD/SAR 3.70'],
    ...['EUR/XPF 118', 'EUR/DKK 7.7', 'EUR/BAM 2', 'GBP/GIP 1.02', 'INR/NPR 1.7', 'HKD/MOP 1.05'],
  ])('refuses %s at the first sight of it', (text) => {
    expect(reasons([leg(text)])).toEqual([`${text.slice(0, 7)} peg_broken`]);
  });

  it('follows the peg through the base that the source has', () => {
    const legs = [leg('USD/PLN 3.8'), leg('HKD/PLN 0.5'), leg('EUR/PLN 4.3')];
    expect(reasons(legs)).toEqual(['HKD/PLN peg_broken']);
    expect(reasons([leg('USD/PLN 3.8'), leg('HKD/PLN 0.4872')])).toEqual([]);
  });

  it('takes one broken peg for that currency, and all of an anchor for the anchor', () => {
    const fine = [leg('USD/AED 3.6725'), leg('USD/SAR 3.75'), leg('USD/EUR 0.88')];
    expect(reasons([...fine, leg('USD/QAR 4')])).toEqual(['USD/QAR peg_broken']);
    const shifted = [leg('EUR/AED 4.2'), leg('EUR/SAR 4.3'), leg('EUR/USD 1.3'), leg('EUR/CHF 1')];
    expect(reasons(shifted)).toEqual([
      ...['EUR/AED peg_broken', 'EUR/SAR peg_broken', 'EUR/USD peg_broken'],
    ]);
  });

  it('refuses a whole document that is about another base than it says', () => {
    const euros = [leg('USD/AED 4.17'), leg('USD/SAR 4.26'), leg('USD/GBP 0.858')];
    expect(reasons(euros)).toHaveLength(3);
  });

  it('lets a currency go once an operator has released it', () => {
    expect(reasons([leg('USD/AED 4')], ['AED'])).toEqual([]);
  });

  it('holds for every rate that ships with the program', async () => {
    expect(reasons(await createSnapshotSource().fetch())).toEqual([]);
  });

  it('is about currencies that are in use, each held once and to another', () => {
    const held = PEGS.map(({ currency }) => currency);
    expect(new Set(held).size).toBe(held.length);
    for (const { currency, anchor, min, max } of PEGS) {
      expect([currency, isCurrency(currency), isCurrency(anchor)]).toEqual([currency, true, true]);
      expect(Number(min)).toBeLessThan(Number(max));
      expect(currency).not.toBe(anchor);
    }
    expect(held).not.toContain('BGN');
  });
});
