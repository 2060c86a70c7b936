import { describe, expect, it } from 'vitest';
import { median, percentile } from '../../bench/statistics.ts';

describe('the median', () => {
  it('is the middle one, or the mean of the two in the middle, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 4, 2])).toBe(3);
  });

  it('of nothing is not a number', () => {
    expect(median([])).toBeNaN();
  });
});

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, nth) => 100 - nth);

  it('is a number that was measured, which so many per cent do not exceed', () => {
    expect(percentile(hundred, 50)).toBe(50);
    expect(percentile(hundred, 99)).toBe(99);
    expect(percentile(hundred, 100)).toBe(100);
    expect(percentile([3, 1, 2], 50)).toBe(2);
  });

  it('of few numbers is the greatest of them, never one in between', () => {
    expect(percentile([1, 1000], 99)).toBe(1000);
  });

  it('leaves the numbers that it was given in their order', () => {
    const given = [3, 1, 2];
    percentile(given, 50);
    expect(given).toEqual([3, 1, 2]);
  });
});
