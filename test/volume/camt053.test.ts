import { describe, expect, it } from 'vitest';
import { parseCamt053 } from '../../src/iso20022/camt053.ts';
import { batchOf, statementOf } from '../iso20022/statement-streams.ts';

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
  // 200,000 lines are 45 MB of XML; the bound leaves room for garbage not yet collected.
  const heapGrowthBytesMax = 64 * 1024 * 1024;

  it('200,000 entries pass through a bounded heap', async () => {
    const { lines, last, heapGrowthMax } = await measureHeap(statementOf(200_000));
    expect(lines).toBe(200_000);
    expect(last).toMatchObject({ kind: 'end', entries: 200_000, lines: 200_000 });
    expect(heapGrowthMax).toBeLessThan(heapGrowthBytesMax);
  });

  it('one batch of 100,000 transactions does too', async () => {
    const { lines, heapGrowthMax } = await measureHeap(batchOf(100_000));
    expect(lines).toBe(100_000);
    expect(heapGrowthMax).toBeLessThan(heapGrowthBytesMax);
  });
});
