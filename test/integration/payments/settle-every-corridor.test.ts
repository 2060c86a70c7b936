import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { currencyCodes } from '../../../src/domain/money/currencies.ts';
import {
  openEverywhere,
  payOneOfEach,
  type Everywhere,
} from '../../support/payments/every-corridor.ts';

let everywhere: Everywhere;
beforeAll(async () => {
  everywhere = await openEverywhere();
});
afterAll(() => everywhere.harness.close());

it('a new customer has test money in every currency that a corridor pays', async () => {
  const { harness, payer } = everywhere;
  const { all } = createCorridorTable();
  const rows = await harness.rows<{ currency: string }>(
    'SELECT currency FROM balances WHERE customer_id = $1 AND available > 0',
    [payer.scope.customerId],
  );
  const funded = rows.map(({ currency }) => currency);
  expect(funded.toSorted()).toEqual(currencyCodes());
  expect(funded).toEqual(expect.arrayContaining(all.map(({ currency }) => currency)));
});

/** In every country: test/volume. */
it('the sandbox pays an account in every currency and over every rail', async () => {
  await payOneOfEach(everywhere, ['currency', 'rail']);
});
