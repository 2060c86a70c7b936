import { createReadStream } from 'node:fs';
import { mkdir, open, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

const NEWLINE = 0x0a;

/** An append-only file of one JSON fact per line; the only memory that a sandbox server has. */
export interface JournalFile<Fact> {
  /** Resolves when the fact is on disk. Facts that come together share one write and one fsync. */
  append(fact: Fact): Promise<void>;
  /** Resolves when everything appended so far is on disk: nothing may be answered before. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a journal and replays its facts in order; without a path it keeps nothing.
 * A last line that a killed process left unfinished is cut off: no answer was given for it.
 * Throws when another line cannot be read, since the truth after it could not be trusted.
 * A failed write fails everything after it, for the same reason.
 */
export async function openJournalFile<Fact>(
  path: string | null,
  replay: (fact: Fact) => void,
): Promise<JournalFile<Fact>> {
  if (path === null)
    return { append: async () => {}, flush: async () => {}, close: async () => {} };
  await mkdir(dirname(path), { recursive: true });
  await (await open(path, 'a')).close();
  await truncate(path, await replayLines(path, replay));
  const file = await open(path, 'a');

  let lines: string[] = [];
  let written: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function writeLines(): Promise<void> {
    const batch = lines.join('');
    lines = [];
    next = null;
    await file.appendFile(batch);
    await file.datasync();
  }

  function flush(): Promise<void> {
    if (lines.length === 0) return written;
    if (next === null) {
      next = written.then(writeLines);
      written = next;
    }
    return next;
  }

  return {
    append(fact) {
      lines.push(`${JSON.stringify(fact)}\n`);
      return flush();
    },
    flush,
    async close() {
      await flush().finally(() => file.close());
    },
  };
}

/** Replays every finished line and answers the number of bytes that they take. */
async function replayLines<Fact>(path: string, replay: (fact: Fact) => void): Promise<number> {
  let unfinished: Buffer = Buffer.alloc(0);
  let finishedBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = unfinished.length > 0 ? Buffer.concat([unfinished, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      replay(readFact(bytes.toString('utf8', start, end), path, finishedBytes) as Fact);
      finishedBytes += end + 1 - start;
      start = end + 1;
    }
    unfinished = bytes.subarray(start);
  }
  return finishedBytes;
}

function readFact(line: string, path: string, offset: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(
      `${path} is damaged at byte ${offset}: move it away to start with an empty one`,
    );
  }
}
