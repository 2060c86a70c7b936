import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureSkewMs, SKEW_MAX_MS } from '../../../../src/server/runtime/clock-skew.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const skewOf = (offMs: number) =>
  measureSkewMs(database.db, { now: () => new Date(Date.now() + offMs) });

it('a clock that is right is let work, one that is ahead or behind is not', async () => {
  expect(await skewOf(0)).toBe(0);
  const ahead = await skewOf(60_000);
  const behind = await skewOf(-60_000);
  expect(ahead).toBeLessThan(-SKEW_MAX_MS);
  expect(behind).toBeGreaterThan(SKEW_MAX_MS);
  // Never more than it is, however long the question took.
  expect(ahead).toBeGreaterThanOrEqual(-60_000);
  expect(behind).toBeLessThanOrEqual(60_000);
});
