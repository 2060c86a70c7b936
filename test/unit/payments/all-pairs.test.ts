import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FxLeg } from '../../../src/domain/payments/fx/fx-leg.ts';
import { quoteTable } from '../../../src/domain/payments/fx/quote-table.ts';
import { parseRate, type Rate } from '../../../src/domain/payments/fx/rate.ts';
import { readEcbDocument } from '../../../src/adapters/fx/ecb-document.ts';
import { readNbpDocument } from '../../../src/adapters/fx/nbp-document.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { ecbSample } from '../../support/payments/ecb-sample.ts';
import { hourMs, noon } from '../../support/payments/legs.ts';
import { nbpSample } from '../../support/payments/nbp-sample.ts';

/** Published rates by base and quote. */
type Matrix = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** For every currency, what it is worth in all the others, as published. */
function publish(legs: readonly FxLeg[]): Matrix {
  const codes = ['USD', ...new Set(legs.flatMap(({ base, quote }) => [base, quote]))];
  const quotes = [...new Set(codes)];
  return new Map(
    quotes.map((base) => {
      const { rows } = quoteTable(legs, { base, quotes, at: noon, maxAgeMs: 100 * hourMs });
      return [base, new Map(rows.map(({ quote, rate }) => [quote, rate]))];
    }),
  );
}

function rateOf(matrix: Matrix, base: string, quote: string): Rate {
  const rate = parseRate(matrix.get(base)?.get(quote) ?? '');
  if (rate === null) throw new Error(`${base}/${quote} is not published`);
  return rate;
}

const distance = (rate: Rate): Rate => rate.minus('1').abs();

describe.each(['one source', 'three sources'])('every pair of %s', (name) => {
  let matrix: Matrix;
  let codes: string[];
  beforeAll(async () => {
    const snapshot = await createSnapshotSource().fetch();
    const others = [...readEcbDocument(ecbSample, 'ecb'), ...readNbpDocument(nbpSample, 'nbp')];
    matrix = publish(name === 'one source' ? snapshot : [...snapshot, ...others]);
    codes = [...matrix.keys()];
  });

  it('is there, of far more than 46 currencies', () => {
    expect(codes.length).toBeGreaterThan(150);
    const missing = codes.filter((base) => matrix.get(base)?.size !== codes.length);
    expect(missing).toEqual([]);
  });

  it('has 15 digits that count, or comes out even before', () => {
    const wrong: string[] = [];
    for (const base of codes) {
      for (const [quote, rate] of matrix.get(base) ?? []) {
        const decimals = rate.split('.')[1]?.length ?? 0;
        const digits = rate.replace('.', '').replace(/^0+/, '').length;
        const isShort = digits < 15 && decimals >= 24;
        if (decimals > 24 || isShort) wrong.push(`${base}/${quote} ${rate}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is 1 of a currency with itself, and inverse within 1e-9', () => {
    const wrong: string[] = [];
    for (const [index, base] of codes.entries()) {
      if (matrix.get(base)?.get(base) !== '1') wrong.push(base);
      for (const quote of codes.slice(index + 1)) {
        const product = rateOf(matrix, base, quote).times(rateOf(matrix, quote, base));
        // At 18 digits it is in truth a hundred million times nearer.
        if (distance(product).gt('0.00000000000000002')) wrong.push(`${base}/${quote}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('closes a triangle within 1e-8', () => {
    const code = fc.nat().map((index) => codes[index % codes.length] ?? '');
    fc.assert(
      fc.property(code, code, code, (a, b, c) => {
        const around = rateOf(matrix, a, b)
          .times(rateOf(matrix, b, c))
          .times(rateOf(matrix, c, a));
        return distance(around).lt('0.00000000000000005');
      }),
      { numRuns: 2_000 },
    );
  });
});
