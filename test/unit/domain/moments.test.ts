import { expect, it } from 'vitest';
import { readMoment } from '../../../src/domain/moments.ts';

it.each([
  ['1000-01-01T00:00:00Z', '1000-01-01T00:00:00.000Z'],
  ['2026-11-22', '2026-11-22T00:00:00.000Z'],
  ['2028-02-29T23:30:00-01:00', '2028-03-01T00:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is a moment', (text, moment) => {
  expect(readMoment(text)?.toISOString()).toBe(moment);
});

it.each([
  ['beyond four digits by its zone', '9999-12-31T23:59:59-12:00'],
  ['with a sign and six digits', '+010000-01-01T00:00:00Z'],
  ['before them by its zone', '1000-01-01T00:00:00+00:01'],
  ['in the year 0', '0000-01-01T00:00:00Z'],
  // It would be read back from PostgreSQL as 1950.
  ['in the year 50', '0050-01-01T00:00:00Z'],
  ['on a day that there is not', '2026-02-30T00:00:00Z'],
  ['in a leap second', '2026-12-31T23:59:60Z'],
  ['in words', 'soon'],
])('%s is none: %s', (_what, text) => {
  expect(readMoment(text)).toBeNull();
});
