import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectedArrival,
  ROUND_THE_CLOCK_MS,
} from '../../../src/domain/payments/corridors/arrival.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import type { Corridor } from '../../../src/domain/payments/corridors/corridor.ts';
import type { CorridorOverride } from '../../../src/domain/payments/corridors/overrides.ts';

function corridor(key: string, terms: Partial<CorridorOverride> = {}): Corridor {
  const [country = '', currency = '', rail = ''] = key.split(' ');
  const named = { country, currency, rail: rail as Corridor['rail'] };
  const found = createCorridorTable({ overrides: [{ ...named, ...terms }] }).find(
    ...([country, currency, rail] as const),
  );
  if (found === undefined) throw new Error(`there is no corridor ${key}`);
  return found;
}

const tell = (way: Corridor, from: string) => {
  const { at, reason } = expectedArrival(way, new Date(from));
  return reason ?? at.toISOString().replace('.000Z', 'Z');
};

describe('the expected arrival', () => {
  it.each([
    // A Tuesday: by the end of Wednesday in Frankfurt, in winter and in summer.
    ['DE EUR SEPA', '2026-11-24T10:00:00Z', '2026-11-25T23:00:00Z'],
    ['DE EUR SEPA', '2026-07-14T10:00:00Z', '2026-07-15T22:00:00Z'],
    // A Friday: by the end of Monday. A Saturday leaves on Monday, so Tuesday.
    ['DE EUR SEPA', '2026-11-27T10:00:00Z', '2026-11-30T23:00:00Z'],
    ['DE EUR SEPA', '2026-11-28T10:00:00Z', '2026-12-01T23:00:00Z'],
    // Maundy Thursday: Good Friday, the weekend and Easter Monday are no banking days.
    ['DE EUR SEPA', '2026-04-02T10:00:00Z', '2026-04-07T22:00:00Z'],
    // 23:30 on a Friday in London is Saturday in Frankfurt.
    ['DE EUR SEPA', '2026-11-27T23:30:00Z', '2026-12-01T23:00:00Z'],
    // One second before the cut-off of 16:45 in New York, and at it: a day later.
    ['US USD ACH', '2026-11-23T21:44:59Z', '2026-11-26T05:00:00Z'],
    ['US USD ACH', '2026-11-23T21:45:00Z', '2026-11-28T05:00:00Z'],
    // The same day, before its cut-off of 18:45; after it the next one, Thanksgiving left out.
    ['US USD FEDWIRE', '2026-11-25T23:44:59Z', '2026-11-26T05:00:00Z'],
    ['US USD FEDWIRE', '2026-11-25T23:45:00Z', '2026-11-28T05:00:00Z'],
    // Round the clock: at night, on a Sunday, on Christmas Day.
    ['DE EUR SEPA_INSTANT', '2026-12-25T03:00:00Z', '2026-12-25T03:10:00Z'],
    ['GB GBP FPS', '2026-11-22T23:55:00Z', '2026-11-23T00:05:00Z'],
    ['BR BRL PIX', '2026-11-22T23:55:00Z', '2026-11-23T00:05:00Z'],
    // No one states how long these take.
    ['DE EUR SWIFT', '2026-11-24T10:00:00Z', 'SPEED_NOT_STATED'],
    ['PL PLN ELIXIR', '2026-11-24T10:00:00Z', 'SPEED_NOT_STATED'],
  ])('over %s from %s is %s', (key, from, expected) => {
    expect(tell(corridor(key), from)).toBe(expected);
  });

  it('is not known where the holidays are not, or where the rail is closed for ever', () => {
    const elixir = corridor('PL PLN ELIXIR', { settlementDays: 0 });
    expect(tell(elixir, '2026-11-24T10:00:00Z')).toBe('HOLIDAYS_NOT_STATED');
    const closedWeekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
    const holidays = { calendar: null, closedWeekdays, dates: [] };
    const never = corridor('PL PLN ELIXIR', { settlementDays: 0, holidays });
    expect(tell(never, '2026-11-24T10:00:00Z')).toBe('RAIL_NEVER_OPENS');
  });

  it('follows what the operator says of a corridor', () => {
    const cutOff = { time: '12:00', timeZone: 'Europe/Warsaw' };
    const holidays = { calendar: null, closedWeekdays: ['SAT', 'SUN'], dates: [] } as const;
    const own = corridor('PL PLN ELIXIR', { settlementDays: 0, cutOff, holidays });
    expect(tell(own, '2026-11-24T10:59:59Z')).toBe('2026-11-24T23:00:00Z');
    expect(tell(own, '2026-11-24T11:00:00Z')).toBe('2026-11-25T23:00:00Z');
    const slow = corridor('BR BRL PIX', { settlementDays: 1 });
    expect(tell(slow, '2026-11-24T10:00:00Z')).toBe('2026-11-26T00:00:00Z');
  });

  it('never lies before its beginning, nor before that of a payment which leaves earlier', () => {
    const ways = ['DE EUR SEPA', 'US USD ACH', 'US USD FEDWIRE', 'GB GBP FPS'].map((key) =>
      corridor(key),
    );
    const moment = fc.date({
      min: new Date('2026-01-01T00:00:00Z'),
      max: new Date('2027-12-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...ways), moment, fc.nat(40 * 86_400), (way, from, later) => {
        const first = expectedArrival(way, from).at?.getTime() ?? NaN;
        const second = expectedArrival(way, new Date(from.getTime() + later * 1000)).at?.getTime();
        expect(first).toBeGreaterThan(from.getTime());
        expect(second ?? NaN).toBeGreaterThanOrEqual(first);
      }),
      { numRuns: 500 },
    );
  });

  it('gives a rail that works round the clock ten minutes', () => {
    expect(ROUND_THE_CLOCK_MS).toBe(600_000);
  });
});
