import { expect, it } from 'vitest';
import { readBookedAt } from '../../../src/modules/reconciliation/statement-line.ts';

it.each([
  ['2026-09-29', '2026-09-29T00:00:00.000Z'],
  ['2026-09-29T12:00:00', '2026-09-29T12:00:00.000Z'],
  ['2026-09-29T12:00:00+02:00', '2026-09-29T10:00:00.000Z'],
])('a line that is booked at %s', (text, moment) => {
  expect(readBookedAt(text)?.toISOString()).toBe(moment);
});

it.each(['9999-12-31T23:59:59-12:00', '0000-01-01', '0050-01-01T00:00:00Z'])(
  'a line whose booking no column holds has no moment: %s',
  (text) => {
    expect(readBookedAt(text)).toBeNull();
  },
);
