import { describe, expect, it } from 'vitest';
import { parseCamt053 } from '../../../../src/adapters/iso20022/camt053.ts';
import {
  batchOf,
  PER_CHUNK,
  statementOf,
} from '../../../support/adapters/iso20022/statement-streams.ts';

const LINES = 2_000;

describe('a statement is read no further than its lines are taken', () => {
  it.each([
    ['entries', statementOf],
    ['transactions of one batch', batchOf],
  ])('%s', async (_what, streamOf) => {
    let chunks = 0;
    let lines = 0;
    for await (const part of parseCamt053(streamOf(LINES, () => (chunks += 1)))) {
      if (part.kind !== 'line') continue;
      lines += 1;
      // So what lies in memory at a time does not grow with the statement.
      expect(chunks).toBe(Math.ceil(lines / PER_CHUNK));
    }
    expect(lines).toBe(LINES);
  });

  it('is closed where its reader stops', async () => {
    let chunks = 0;
    const parts = parseCamt053(statementOf(LINES, () => (chunks += 1)));
    for (let index = 0; index < PER_CHUNK / 2; index += 1) await parts.next();
    await parts.return();
    expect(chunks).toBe(1);
  });
});
