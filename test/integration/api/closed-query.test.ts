import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { documentedOperations } from '../../support/api/documented-operations.ts';

/** Path values that have a form of their own; ids are looked up only after the query was judged. */
const PATH_VALUES: Readonly<Record<string, string>> = { currency: 'EUR', date: '2026-01-31' };

const reading = (await documentedOperations()).filter(({ method }) => method === 'GET');

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

describe('a query parameter that the document does not name', () => {
  it.each(reading)('is refused, and named, by $name', async ({ path }) => {
    const url = path.replace(/\{([^}]+)\}/g, (_all, name: string) => PATH_VALUES[name] ?? 'x');
    const answer = await harness.app.inject({
      url: `${url}?colour=red`,
      headers: { authorization: `Bearer ${harness.payer.token}` },
    });
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      expect.stringContaining('"path":"/query/colour","code":"invalid_parameter"'),
    ]);
  });
});
