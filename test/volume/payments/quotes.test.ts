import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { raceForQuote } from '../../support/quote-race.ts';
import { QUOTED_AT } from '../../support/sample-quote.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('of 1,000 payments that use one quote at once, one gets it', async () => {
  const { scope, payMany } = await seedPayingCustomer(database.db);
  const payments = await payMany(1_000, QUOTED_AT, () => database.analyze());
  const ids = payments.map(({ id }) => id);
  const { winners, refusals, paymentId } = await raceForQuote(database.db, scope, ids);
  expect(winners).toEqual([paymentId]);
  expect(refusals).toEqual({ quote_already_used: 999 });
});
