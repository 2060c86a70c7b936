import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOf, startOf } from '../../../src/domain/ledger/statement-day.ts';
import { endOf, spansOfDays } from '../../../src/domain/payments/summed-spans.ts';

const DAYS = 30;
const moments = fc.date({
  min: new Date('2026-01-01T00:00:00.000Z'),
  max: new Date('2030-01-01T00:00:00.000Z'),
  noInvalidDate: true,
});

it('spans follow each other without a gap from the first day to what is counted, and all are over for five minutes', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const { spans, openFrom } = spansOfDays(now, DAYS);
      let expected = startOf(dayOf(now) - DAYS + 1).getTime();
      for (const span of spans) {
        expect(span.startsAt.getTime()).toBe(expected);
        expected = endOf(span).getTime();
        expect(now.getTime() - expected).toBeGreaterThanOrEqual(5 * 60_000);
      }
      expect(openFrom.getTime()).toBe(expected);
    }),
  );
});

it('what is counted each time is never longer than an hour and five minutes', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const openMs = now.getTime() - spansOfDays(now, DAYS).openFrom.getTime();
      expect(openMs).toBeLessThan(65 * 60_000);
    }),
  );
});

it('for five minutes after midnight yesterday still ends in an hour that is counted', () => {
  const { spans, openFrom } = spansOfDays(new Date('2026-11-22T00:04:59.999Z'), DAYS);
  expect(openFrom).toEqual(new Date('2026-11-21T23:00:00.000Z'));
  expect(spans.at(-1)).toEqual({ startsAt: new Date('2026-11-21T22:00:00.000Z'), hours: 1 });
  const later = spansOfDays(new Date('2026-11-22T00:05:00.000Z'), DAYS);
  expect(later.spans.at(-1)).toEqual({ startsAt: new Date('2026-11-21T00:00:00.000Z'), hours: 24 });
});
