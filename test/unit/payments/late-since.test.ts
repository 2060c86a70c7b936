import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedArrival } from '../../../src/domain/payments/corridors/arrival.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { lateSince } from '../../../src/domain/payments/corridors/late-since.ts';

const MINUTE_MS = 60_000;
const { all } = createCorridorTable();

describe('since when a payment is late', () => {
  it('is the last minute at which its corridor promised the arrival by now, for each corridor', () => {
    const moments = fc.date({
      ...{ min: new Date('2026-02-01'), max: new Date('2027-12-01'), noInvalidDate: true },
    });
    fc.assert(
      fc.property(fc.constantFrom(...all), moments, (corridor, now) => {
        const late = lateSince(corridor, now);
        if (late === null) {
          expect(expectedArrival(corridor, now).at).toBeNull();
          return;
        }
        expect(expectedArrival(corridor, late).at).toSatisfy((at: Date) => at <= now);
        const after = new Date(late.getTime() + MINUTE_MS);
        expect(expectedArrival(corridor, after).at).toSatisfy((at: Date) => at > now);
      }),
    );
  });
});
