import { createReadStream } from 'node:fs';
import { parseCamt053 } from '../../../src/adapters/iso20022/camt053.ts';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import type { ParseReport } from '../peers/parse-statement.ts';

// The yardstick of reconciliation: the reader of statements, and nothing done with what it reads.

async function measure(file: string): Promise<ParseReport> {
  const startedAtMs = nowMs();
  let lines = 0;
  for await (const part of parseCamt053(createReadStream(file))) {
    if (part.kind === 'line') lines += 1;
  }
  return { lines, tookMs: nowMs() - startedAtMs };
}

answerParent({ measure });
