import { afterAll, beforeAll, expect, it } from 'vitest';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import {
  keyed,
  keys,
  startTogetherHarness,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

let harness: TogetherHarness;
beforeAll(async () => {
  harness = await startTogetherHarness();
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 10_000_000n);
});
afterAll(() => harness.close());

it(
  'of 1,000 payments that use one quote at once in two processes, one is accepted',
  { timeout: 300_000 },
  async () => {
    const quoted = await quote(harness, { lockFor: '1h' });
    const before = await harness.balance('USD');
    const requests = keys('one quote', 1_000).map((key) =>
      keyed(harness.payer, key, { quoteId: quoted.id }),
    );
    const outcomes = await Promise.all([
      harness.start().acceptAll(requests.slice(0, 500)),
      harness.start().acceptAll(requests.slice(500)),
    ]);
    const found: Record<string, number> = {};
    for (const one of outcomes.flat()) {
      const code = one.status === 'fulfilled' ? 'accepted' : (one.reason as { code: string }).code;
      found[code] = (found[code] ?? 0) + 1;
    }
    expect(found).toEqual({ accepted: 1, quote_already_used: 999 });
    const after = await harness.balance('USD');
    const cost = BigInt(quoted.sourceAmount.replace('.', ''));
    expect(BigInt(before.available) - BigInt(after.available)).toBe(cost);
    await harness.expectAllWritten();
  },
);
