import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createFinalityHarness,
  type FinalityHarness,
} from '../../support/payments/finality-harness.ts';
import { raceReturns } from '../../support/payments/return-races.ts';

let harness: FinalityHarness;
beforeAll(async () => {
  harness = await createFinalityHarness();
});
afterAll(() => harness.close());

it('of 200 races of a return against finality none ends as both, and no cent is made', async () => {
  await raceReturns(harness, 10);
  const sums = await harness.rows(
    'SELECT FROM ledger_entries GROUP BY currency HAVING sum(amount) <> 0',
  );
  expect(sums).toEqual([]);
}, 600_000);
