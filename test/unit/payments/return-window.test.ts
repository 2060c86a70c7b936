import { describe, expect, it } from 'vitest';
import { checkOverrides } from '../../../src/domain/payments/corridors/check-overrides.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';

const table = createCorridorTable();
const live = { environment: 'live' } as const;
const end = (rail: string, currency: string, settledAt: string, from = table) =>
  from.returnWindowEnd({ ...live, rail, currency }, new Date(settledAt)).toISOString();

describe('the end of a return window', () => {
  it.each([
    // Friday; three banking days of TARGET are Monday to Wednesday, in Frankfurt's time.
    ['2026-09-25T10:00:00.000Z', '2026-09-30T22:00:00.000Z'],
    // Over Christmas: the 25th and 26th and the weekend do not count.
    ['2026-12-24T10:00:00.000Z', '2026-12-30T23:00:00.000Z'],
    // Settled on a Sunday: as on the Monday after it.
    ['2026-09-27T10:00:00.000Z', '2026-10-01T22:00:00.000Z'],
  ])('of SEPA is three banking days: settled at %s, over at %s', (settledAt, over) => {
    expect(end('SEPA', 'EUR', settledAt)).toBe(over);
  });

  it("of ACH is two banking days of the Federal Reserve, in New York's time", () => {
    // Thanksgiving, 26 November, does not count.
    expect(end('ACH', 'USD', '2026-11-25T15:00:00.000Z')).toBe('2026-12-01T05:00:00.000Z');
  });

  it('of a rail without a stated one is the default, and weekends only make it longer', () => {
    const settledAt = '2026-09-25T10:00:00.000Z';
    expect(end('PIX', 'BRL', settledAt) >= '2026-10-09T00:00:00.000Z').toBe(true);
    const short = createCorridorTable({ returnWindows: { testMs: 1, liveDefaultDays: 1 } });
    expect(end('PIX', 'BRL', settledAt, short) < '2026-09-30T00:00:00.000Z').toBe(true);
    expect(end('NO_SUCH_RAIL', 'EUR', settledAt)).toBe('2026-10-10T00:00:00.000Z');
  });

  it("is the longest one of the rail's corridors: a payment's country is not asked for", () => {
    const row = { country: 'FR', currency: 'EUR', rail: 'SEPA', returnWindowDays: 5 };
    const checked = checkOverrides([row]);
    if (!checked.ok) throw new Error('the row is sound');
    const longer = createCorridorTable({ overrides: checked.overrides });
    expect(end('SEPA', 'EUR', '2026-09-25T10:00:00.000Z', longer)).toBe('2026-10-02T22:00:00.000Z');
  });

  it('of a rail that never opens still ends', () => {
    const closed = { closedWeekdays: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const };
    const row = {
      country: 'FR',
      currency: 'EUR',
      rail: 'SEPA',
      holidays: { ...closed, dates: [] },
    };
    const checked = checkOverrides([row]);
    if (!checked.ok) throw new Error('the row is sound');
    const never = createCorridorTable({ overrides: checked.overrides });
    const settledAt = '2026-09-25T10:00:00.000Z';
    expect(end('SEPA', 'EUR', settledAt, never) < '2026-11-01').toBe(true);
  });

  it('in test is ten seconds on every rail, or what the setting says', () => {
    const settledAt = new Date('2026-09-25T10:00:00.000Z');
    const payment = { environment: 'test', rail: 'SWIFT', currency: 'USD' } as const;
    expect(table.returnWindowEnd(payment, settledAt).getTime() - settledAt.getTime()).toBe(10_000);
    const quick = createCorridorTable({ returnWindows: { testMs: 250, liveDefaultDays: 1 } });
    expect(quick.returnWindowEnd(payment, settledAt).getTime() - settledAt.getTime()).toBe(250);
  });
});
