import { describe, expect, it } from 'vitest';
import { parseCamt053 } from '../../src/iso20022/camt053.ts';
import { entryXml, statementXml } from './statement-reading.ts';

const [head = '', tail = ''] = statementXml('|').split('|');

/** Entries made as they are asked for: the file never exists as a whole. */
async function* statementOf(entries: number, onChunk?: () => void): AsyncGenerator<string> {
  yield head;
  for (let start = 0; start < entries; start += 100) {
    let text = '';
    for (let index = start; index < Math.min(start + 100, entries); index += 1) {
      text += entryXml(`CW${String(index).padStart(26, '0')}01`, '12.34');
    }
    onChunk?.();
    yield text;
  }
  yield tail;
}

async function* batchOf(transactions: number): AsyncGenerator<string> {
  yield `${head}<Ntry><Amt Ccy="EUR">${transactions}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls>`;
  for (let index = 0; index < transactions; index += 100) {
    yield '<TxDtls><Amt Ccy="EUR">1</Amt></TxDtls>'.repeat(100);
  }
  yield `</NtryDtls></Ntry>${tail}`;
}

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
  // 200,000 lines are 45 MB of XML; the bound leaves harness for garbage not yet collected.
  const heapGrowthBytesMax = 64 * 1024 * 1024;

  it('200,000 entries pass through a bounded heap', { timeout: 60_000 }, async () => {
    const { lines, last, heapGrowthMax } = await measureHeap(statementOf(200_000));
    expect(lines).toBe(200_000);
    expect(last).toMatchObject({ kind: 'end', entries: 200_000, lines: 200_000 });
    expect(heapGrowthMax).toBeLessThan(heapGrowthBytesMax);
  });

  it('one batch of 100,000 transactions does too', { timeout: 60_000 }, async () => {
    const { lines, heapGrowthMax } = await measureHeap(batchOf(100_000));
    expect(lines).toBe(100_000);
    expect(heapGrowthMax).toBeLessThan(heapGrowthBytesMax);
  });

  it('is read no further than its parts are taken', async () => {
    let chunks = 0;
    const parts = parseCamt053(statementOf(100_000, () => (chunks += 1)));
    for (let index = 0; index < 50; index += 1) await parts.next();
    expect(chunks).toBe(1);
    await parts.return();
    expect(chunks).toBe(1);
  });
});
