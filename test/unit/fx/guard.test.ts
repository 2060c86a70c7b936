import { describe, expect, it } from 'vitest';

import { guardLegs } from '../../../src/domain/fx/guard.ts';
import { hourMs, hoursBefore, leg, noon } from './legs.ts';

const limits = { now: noon, moveMaxPercent: '20', aheadMaxMs: hourMs };
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
