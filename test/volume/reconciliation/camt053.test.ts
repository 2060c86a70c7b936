import { describe, expect, it } from 'vitest';
import { parseCamt053 } from '../../../src/adapters/iso20022/camt053.ts';
import { batchOf, statementOf } from '../../support/adapters/iso20022/statement-streams.ts';
import { sizeOf } from '../../support/campaign.ts';

async function measureHeap(stream: AsyncIterable<string>) {
  const start = process.memoryUsage().heapUsed;
  let heapGrowthMax = 0;
  let lines = 0;
  let last = null;
  for await (const part of parseCamt053(stream)) {
    last = part;
    if (part.kind !== 'line') continue;
    lines += 1;
    if (lines % 2_000 === 0) {
      heapGrowthMax = Math.max(heapGrowthMax, process.memoryUsage().heapUsed - start);
    }
  }
  return { lines, last, heapGrowthMax };
}

describe('a statement of any size', () => {
  // 100,000 lines are 22 MB of XML; the bound leaves room for garbage not yet collected.
  const ENTRIES = sizeOf(100_000, 1_000_000);
  const heapGrowthBytesMax = 64 * 1024 * 1024;

  it(`${String(ENTRIES)} entries pass through a bounded heap`, async () => {
    const { lines, last, heapGrowthMax } = await measureHeap(statementOf(ENTRIES));
    expect(lines).toBe(ENTRIES);
    expect(last).toMatchObject({ kind: 'end', entries: ENTRIES, lines: ENTRIES });
    expect(heapGrowthMax).toBeLessThan(heapGrowthBytesMax);
  });

  it(`one batch of ${String(ENTRIES)} transactions does too`, async () => {
    const { lines, heapGrowthMax } = await measureHeap(batchOf(ENTRIES));
    expect(lines).toBe(ENTRIES);
    expect(heapGrowthMax).toBeLessThan(heapGrowthBytesMax);
  });
});
