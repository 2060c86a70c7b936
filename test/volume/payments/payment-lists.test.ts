import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentListHarness,
  PAGE_ROWS_MAX,
  type PaymentListHarness,
} from '../../support/payment-list-harness.ts';

let harness: PaymentListHarness;
beforeAll(async () => {
  harness = await createPaymentListHarness(50_000);
});
afterAll(() => harness.close());

describe.each(['custom', 'generic'] as const)('a list of 50,000 payments, by a %s plan', (plan) => {
  it('shows what every combination of filters leaves, and reads about as many rows', async () => {
    const wrong: unknown[] = [];
    for (const filter of harness.filters) {
      const { ids, read } = await harness.list(filter, plan);
      const isRight = ids.join() === harness.expected(filter).join();
      if (!isRight || read > PAGE_ROWS_MAX) wrong.push({ filter, read, isRight });
    }
    expect(wrong).toEqual([]);
  });
});
