import { describe, expect, it } from 'vitest';
import { judge } from '../../support/payments/money-simulation/judge.ts';
import { simulate } from '../../support/payments/money-simulation/simulate.ts';

/** 1,000 of them: test/volume; 10,000: the campaign. By this seed payments come to every end. */
const SIZE = { orders: 100, days: 2 };
const SEED = 20_263_638;

describe(`${String(SIZE.orders)} random payments in 46 currencies over simulated days, seed ${String(SEED)}`, () => {
  it('leave the books as a second hand writes them, no cent made or lost', async () => {
    const simulated = await simulate(SEED, SIZE);
    try {
      const { fates, kinds, currencies } = await judge(simulated);
      // Enough was at stake.
      expect(currencies).toBe(46);
      const some = expect.toSatisfy((count: number) => count > 0) as number;
      const ends = { RETURNED: some, LATE: some, FAILED: some, CANCELED: some, OPEN: some };
      expect(fates).toMatchObject({ COMPLETED: some, ...ends });
      expect(kinds).toMatchObject({ QUOTED: some, AUTOMATIC: some, SCHEDULED: some, TWINS: some });
    } finally {
      await simulated.world.close();
    }
  }, 300_000);
});
