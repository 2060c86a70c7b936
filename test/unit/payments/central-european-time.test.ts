import { describe, expect, it } from 'vitest';

import { centralEuropeanTime } from '../../../src/adapters/fx/central-european-time.ts';

describe('Frankfurt time', () => {
  it.each([
    ['2026-01-15', '2026-01-15T15:00:00.000Z'],
    ['2026-07-15', '2026-07-15T14:00:00.000Z'],
    ['2026-03-28', '2026-03-28T15:00:00.000Z'],
    ['2026-03-29', '2026-03-29T14:00:00.000Z'],
    ['2026-10-24', '2026-10-24T14:00:00.000Z'],
    ['2026-10-25', '2026-10-25T15:00:00.000Z'],
  ])('16:00 on %s is %s', (day, utc) => {
    expect(centralEuropeanTime(day, 16)?.toISOString()).toBe(utc);
  });

  it('agrees with the time zone database on every day of ten years', () => {
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      hour: '2-digit',
      minute: '2-digit',
    });
    for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2034, 0, 1); day += 86_400_000) {
      const isoDay = new Date(day).toISOString().slice(0, 10);
      expect(clock.format(centralEuropeanTime(isoDay, 16) ?? undefined), isoDay).toBe('16:00');
    }
  });

  it.each(['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '2026-01-01T00:00Z', ''])(
    'does not know the day %j',
    (day) => {
      expect(centralEuropeanTime(day, 16)).toBeNull();
    },
  );
});
