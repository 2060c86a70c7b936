import { describe, expect, it } from 'vitest';
import { judge } from '../payments/money-simulation/judge.ts';
import { simulate } from '../payments/money-simulation/simulate.ts';

const ORDERS = Number(process.env['MONEY_ORDERS'] ?? 10_000);
const DAYS = 20;
/** Others: MONEY_SEEDS=1,2,3. */
const SEEDS = (process.env['MONEY_SEEDS'] ?? '46').split(',').map(Number);

describe(`${String(ORDERS)} random payments in 46 currencies over simulated days`, () => {
  for (const seed of SEEDS) {
    it(`leave the books as a second hand writes them, no cent made or lost: seed ${String(seed)}`, async () => {
      const simulated = await simulate(seed, { orders: ORDERS, days: DAYS });
      try {
        const figures = await judge(simulated);
        console.log(JSON.stringify({ seed, ...figures }));
        expect(figures.currencies).toBe(46);
        for (const fate of ['COMPLETED', 'RETURNED', 'LATE', 'FAILED', 'CANCELED', 'OPEN']) {
          expect(figures.fates[fate], fate).toBeGreaterThan(ORDERS / 200);
        }
      } finally {
        await simulated.world.close();
      }
    }, 3_000_000);
  }
});
