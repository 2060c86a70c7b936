import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentListHarness,
  minute,
  PAGE_ROWS_MAX,
  type PaymentListHarness,
} from '../../support/payment-list-harness.ts';

const COUNT = 5_000;
/** Of 1,440 combinations, every seventh; `npm run test:volume` tries them all, and more payments. */
const STEP = 7;

let harness: PaymentListHarness;
beforeAll(async () => {
  harness = await createPaymentListHarness(COUNT);
});
afterAll(() => harness.close());

describe('a list of many payments', () => {
  it('shows what combined filters leave, and reads about as many rows', async () => {
    const wrong: unknown[] = [];
    for (const filter of harness.filters.filter((_filter, index) => index % STEP === 0)) {
      const { ids, read } = await harness.list(filter, 'generic');
      const isRight = ids.join() === harness.expected(filter).join();
      if (!isRight || read > PAGE_ROWS_MAX) wrong.push({ filter, read, isRight });
    }
    expect(wrong).toEqual([]);
  });

  it.each(['custom', 'generic'] as const)(
    'costs the same in the middle, by a %s plan',
    async (plan) => {
      const before = BigInt(harness.seeded[COUNT / 2]?.seq ?? 0);
      for (const filter of [{}, { endUserId: 'eu_a' }, { createdBefore: minute(COUNT / 2 + 60) }]) {
        const { ids, next, read } = await harness.list(filter, plan, before);
        expect(ids).toEqual(harness.expected(filter, before));
        expect(next).not.toBeNull();
        expect(read).toBeLessThanOrEqual(PAGE_ROWS_MAX);
      }
    },
  );
});

describe('clocks that differ', () => {
  it('do not keep a payment from a list by time, nor does one that is far off hide others', async () => {
    // In the order of their sequence: up to four minutes out of it, and two far off.
    const times = [203, 202, 100, 900, 206, 203, 206, 300].map((late) => minute(COUNT + late));
    for (const time of times) await harness.add(time);
    for (const number of [99, 101, ...Array.from({ length: 15 }, (_none, index) => 195 + index)]) {
      for (const filter of [
        { createdAfter: minute(COUNT + number) },
        { createdBefore: minute(COUNT + number), status: 'SENT' as const },
        { createdBefore: minute(COUNT + number) },
      ]) {
        const { ids, read } = await harness.list(filter, 'generic');
        expect(ids, JSON.stringify(filter)).toEqual(harness.expected(filter));
        expect(read).toBeLessThanOrEqual(PAGE_ROWS_MAX);
      }
    }
  });
});
