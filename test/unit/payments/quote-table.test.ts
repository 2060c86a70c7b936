import { describe, expect, it } from 'vitest';

import { quoteTable } from '../../../src/domain/payments/fx/quote-table.ts';
import { hourMs, hoursBefore, leg, noon } from '../../support/payments/legs.ts';

const question = { base: 'USD', at: noon, maxAgeMs: 24 * hourMs };

describe('quote table', () => {
  it('answers every reachable pair where none is named, without the base itself', () => {
    const table = quoteTable([leg('EUR/USD 1.25'), leg('EUR/GBP 0.8')], question);
    expect(table.rows.map(({ quote, rate }) => [quote, rate])).toEqual([
      ['EUR', '0.8'],
      ['GBP', '0.64'],
    ]);
    expect(table).toMatchObject({ missing: [], asOf: noon, isStale: false, source: 'sample' });
  });

  it('answers the named pairs in their order, once each, and says which are missing', () => {
    const quotes = ['GBP', 'XCG', 'EUR', 'GBP'];
    const table = quoteTable([leg('USD/EUR 0.8'), leg('USD/GBP 0.7')], { ...question, quotes });
    expect(table.rows.map((row) => row.quote)).toEqual(['GBP', 'EUR']);
    expect(table.missing).toEqual(['XCG']);
  });

  it('knows that a currency is worth itself, even without any rates', () => {
    expect(quoteTable([], { ...question, quotes: ['USD'] }).rows).toEqual([
      { base: 'USD', quote: 'USD', rate: '1', asOf: noon, isStale: false, source: 'identity' },
    ]);
  });

  it('is as old as its oldest contributing leg, and stale with it', () => {
    const legs = [leg('USD/EUR 0.8', { asOf: hoursBefore(25) }), leg('USD/GBP 0.7')];
    expect(quoteTable(legs, question)).toMatchObject({ asOf: hoursBefore(25), isStale: true });
    const gbpOnly = quoteTable(legs, { ...question, quotes: ['GBP'] });
    expect(gbpOnly).toMatchObject({ asOf: noon, isStale: false });
  });

  it('is not stale at exactly the greatest age', () => {
    const legs = [leg('USD/EUR 0.8', { asOf: hoursBefore(24) })];
    expect(quoteTable(legs, question).isStale).toBe(false);
  });

  it('takes the median of several sources, so that a wild one does not count', () => {
    const legs = [
      leg('USD/EUR 0.80', { source: 'a' }),
      leg('EUR/USD 1.25', { source: 'b', asOf: hoursBefore(2) }),
      leg('USD/EUR 80', { source: 'c' }),
    ];
    expect(quoteTable(legs, question).rows[0]).toEqual({
      base: 'USD',
      quote: 'EUR',
      rate: '0.8',
      asOf: hoursBefore(2),
      isStale: false,
      source: 'a+b',
    });
  });

  it('leaves stale sources out while a fresh one answers', () => {
    const legs = [
      leg('USD/EUR 0.5', { source: 'old', asOf: hoursBefore(100) }),
      leg('USD/EUR 0.8', { source: 'new' }),
    ];
    const [row] = quoteTable(legs, question).rows;
    expect(row).toMatchObject({ rate: '0.8', source: 'new', isStale: false, asOf: noon });
  });

  it('marks a rate made only of stale ones', () => {
    const legs = [leg('USD/EUR 0.5', { asOf: hoursBefore(100) })];
    expect(quoteTable(legs, question).rows[0]).toMatchObject({ rate: '0.5', isStale: true });
  });

  it('puts a pair together from several sources only if none knows it alone', () => {
    const legs = [leg('EUR/USD 1.25', { source: 'a' }), leg('USD/NGN 1500', { source: 'b' })];
    const { rows } = quoteTable(legs, { ...question, base: 'EUR', quotes: ['NGN'] });
    expect(rows[0]).toMatchObject({ rate: '1875', source: 'a+b' });
  });

  it('marks a rate of which two sources say different things, and no third one decides', () => {
    const two = [leg('USD/EUR 0.8', { source: 'a' }), leg('USD/EUR 0.9', { source: 'b' })];
    expect(quoteTable(two, question).rows[0]).toMatchObject({ rate: '0.85', isStale: true });
    const third = leg('USD/EUR 0.81', { source: 'c' });
    expect(quoteTable([...two, third], question).rows[0]).toMatchObject({
      ...{ rate: '0.805', isStale: false, source: 'a+c' },
    });
  });

  it('takes neither side of two against two', () => {
    const rates = { a: '0.8', b: '0.8', c: '1', d: '1' };
    const legs = Object.entries(rates).map(([source, rate]) => leg(`USD/EUR ${rate}`, { source }));
    expect(quoteTable(legs, question).rows[0]).toMatchObject({ rate: '0.9', isStale: true });
  });

  it('does not let a stale source dispute a fresh one', () => {
    const legs = [
      leg('USD/EUR 0.5', { source: 'old', asOf: hoursBefore(100) }),
      leg('USD/EUR 0.8', { source: 'new' }),
    ];
    expect(quoteTable(legs, question).isStale).toBe(false);
  });

  it('has no row for a rate that has too few digits within 24 decimals', () => {
    const legs = [leg('USD/IRR 1000000001')];
    const table = quoteTable(legs, { ...question, base: 'IRR', quotes: ['USD'] });
    expect(table).toMatchObject({ rows: [], missing: ['USD'], asOf: null });
  });
});
