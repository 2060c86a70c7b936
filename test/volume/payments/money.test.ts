import { describe, expect, it } from 'vitest';
import { judge } from '../../support/payments/money-simulation/judge.ts';
import { simulate } from '../../support/payments/money-simulation/simulate.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const ORDERS = sizeOf(1_000, 10_000);
const DAYS = 20;
const SEED = seedOf(46);

describe(`${String(ORDERS)} random payments in 46 currencies over simulated days`, () => {
  it(`leave the books as a second hand writes them, no cent made or lost: seed ${String(SEED)}`, async () => {
    const simulated = await simulate(SEED, { orders: ORDERS, days: DAYS });
    try {
      const figures = await judge(simulated);
      console.log(JSON.stringify({ seed: SEED, ...figures }));
      expect(figures.currencies).toBe(46);
      for (const fate of ['COMPLETED', 'RETURNED', 'LATE', 'FAILED', 'CANCELED', 'OPEN']) {
        expect(figures.fates[fate], fate).toBeGreaterThan(ORDERS / 200);
      }
    } finally {
      await simulated.world.close();
    }
  }, 3_000_000);
});
