import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { quoteTable } from '../../../src/domain/payments/fx/quote-table.ts';
import { isMoneyCode, stablecoinCodes } from '../../../src/domain/money/currencies.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { hourMs } from '../../support/payments/legs.ts';

const original = readFileSync(
  new URL(
    '../../../node_modules/@fawazahmed0/currency-api/v1/currencies/usd.json',
    import.meta.url,
  ),
  'utf8',
);

describe('shipped snapshot', () => {
  it('has the digits of its original, character by character, and its date', async () => {
    const legs = await createSnapshotSource().fetch();
    const date = /"date": "([^"]+)"/.exec(original)?.[1] ?? '';
    for (const { quote, rate, asOf } of legs) {
      const written = new RegExp(`"${quote.toLowerCase()}": ([^,\\s]+)`).exec(original)?.[1];
      expect(rate, quote).toBe(written);
      expect(asOf.toISOString()).toBe(`${date}T00:00:00.000Z`);
    }
  });

  it('prices at least 46 active currencies and every asset against the dollar, once each', async () => {
    const legs = await createSnapshotSource().fetch();
    const quotes = legs.map(({ quote }) => quote);
    expect(new Set(quotes).size).toBe(quotes.length);
    expect(quotes.length).toBeGreaterThanOrEqual(46);
    expect(quotes.every(isMoneyCode)).toBe(true);
    expect(quotes).toEqual(expect.arrayContaining(stablecoinCodes()));
    expect(legs.every(({ base }) => base === 'USD')).toBe(true);
  });

  it('reaches every currency from every other', async () => {
    const legs = await createSnapshotSource().fetch();
    const at = new Date('2026-09-29T00:00:00.000Z');
    const quotes = ['USD', 'EUR', 'IRR', 'KWD'];
    for (const base of [...quotes, ...legs.map(({ quote }) => quote)]) {
      const { rows, missing } = quoteTable(legs, { base, quotes, at, maxAgeMs: hourMs });
      expect(rows, base).toHaveLength(quotes.length);
      expect(missing, base).toEqual([]);
    }
    expect(quoteTable(legs, { base: 'IRR', at, maxAgeMs: hourMs }).rows).toHaveLength(legs.length);
  });
});
