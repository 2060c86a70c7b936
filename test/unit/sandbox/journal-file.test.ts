import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournalFile } from '../../../src/sandbox/journal-file.ts';

interface Numbered {
  n: number;
  text?: string;
}

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-journal-'));
  path = join(folder, 'new', 'facts.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

async function replayed(): Promise<Numbered[]> {
  const facts: Numbered[] = [];
  const journal = await openJournalFile<Numbered>(path, (fact) => facts.push(fact));
  await journal.close();
  return facts;
}

describe('a journal file', () => {
  it('gives back in order what was appended, awaited or not', async () => {
    const journal = await openJournalFile<Numbered>(path, () => {});
    await Promise.all(Array.from({ length: 500 }, (_none, n) => journal.append({ n })));
    await journal.append({ n: 500 });
    await journal.close();
    expect((await replayed()).map(({ n }) => n)).toEqual(Array.from({ length: 501 }, (_o, n) => n));
  });

  it('has on disk what an append has confirmed', async () => {
    const journal = await openJournalFile<Numbered>(path, () => {});
    void journal.append({ n: 1 });
    await journal.flush();
    expect(await readFile(path, 'utf8')).toBe('{"n":1}\n');
    await journal.close();
  });

  it('reads lines longer than a chunk, outside ASCII', async () => {
    const text = 'é'.repeat(200_000);
    const journal = await openJournalFile<Numbered>(path, () => {});
    await journal.append({ n: 1, text });
    await journal.append({ n: 2, text });
    await journal.close();
    expect((await replayed()).map((fact) => fact.text === text)).toEqual([true, true]);
  });

  it('cuts off an unfinished last line wherever the write stopped', async () => {
    await replayed();
    const whole = '{"n":1}\n';
    const torn = '{"n":2,"text":"é"}\n';
    const bytes = Buffer.from(whole + torn);
    for (let length = whole.length; length < bytes.length; length += 1) {
      await writeFile(path, bytes.subarray(0, length));
      expect(await replayed()).toEqual([{ n: 1 }]);
      expect(await readFile(path, 'utf8')).toBe(whole);
    }
  });

  it('keeps nothing without a path', async () => {
    const journal = await openJournalFile<Numbered>(null, () => {});
    await journal.append({ n: 1 });
    await journal.flush();
    await journal.close();
  });
});
