import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBalanceListHarness, PAGE_LIMIT } from '../../support/balance-list-harness.ts';

let harness: Awaited<ReturnType<typeof createBalanceListHarness>>;
beforeAll(async () => {
  harness = await createBalanceListHarness(20_000);
});
afterAll(() => harness.database.close());

/**
 * A page of each of the walks that find something, of lines and of their transactions, and what lies
 * within five minutes of a moment. A walk through the table would read thousands.
 */
const READ_MAX = 14 * (PAGE_LIMIT + 1);

describe.each(['custom', 'generic'] as const)('a ledger of 20,000, by a %s plan', (plan) => {
  it('every combination of filters reads a page, and no table', async () => {
    const wrong: unknown[] = [];
    let shown = 0;
    for (const filter of harness.filters) {
      const { items, read, scans } = await harness.list(filter, plan, null);
      shown += items.length;
      if (read > READ_MAX || scans > 0) wrong.push({ filter, read, scans });
    }
    expect(wrong).toEqual([]);
    expect(shown).toBeGreaterThan(150);
  });

  it('page 500 costs what the first does', async () => {
    const [all] = harness.filters;
    if (all === undefined) throw new Error('there is no filter');
    const first = await harness.list(all, plan, null);
    const newest = first.items[0]?.seq ?? 0n;
    const later = await harness.list(all, plan, newest / 2n);
    expect(later.items).toHaveLength(PAGE_LIMIT);
    expect(later.read).toBeLessThanOrEqual(first.read);
  });
});
