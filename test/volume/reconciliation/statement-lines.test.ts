import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { verify } from '../../../src/cli/verify/verify.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';
import { ODDITY_NAMES } from '../../support/reconciliation/statement-lines/oddities.ts';
import {
  playStatementLines,
  type StatementLines,
} from '../../support/reconciliation/statement-lines/play-statement-lines.ts';

const LINES = sizeOf(2_000, 100_000);
const ODDITIES = sizeOf(66, 2_000);
const SEED = seedOf(29);
const SHOWN_MAX = 20;

let play: StatementLines;
beforeAll(async () => {
  play = await playStatementLines(SEED, { lines: LINES, oddities: ODDITIES });
}, 3_600_000);
afterAll(() => play.harness.close());

/** The first things that one side has and the other one has not, or has otherwise. */
function differences(): string[] {
  const { oddities, found } = play;
  const wanted = new Map(
    oddities.flatMap(({ kind, expected }) =>
      Object.entries(expected()).map(([place, exception]) => [place, { kind, exception }] as const),
    ),
  );
  const missed = [...wanted].filter(([place, { exception }]) => found[place] !== exception);
  const added = Object.entries(found).filter(([place]) => !wanted.has(place));
  return [
    ...missed.map(
      ([place, { kind, exception }]) =>
        `${kind}: ${place} is ${found[place] ?? 'no exception'} and not ${exception}`,
    ),
    ...added.map(([place, exception]) => `nothing was planted: ${place} is ${exception}`),
  ].slice(0, SHOWN_MAX);
}

describe(`${String(LINES)} lines of reports of the same days, ${String(ODDITIES)} oddities: seed ${String(SEED)}`, () => {
  it('show exactly the oddities as exceptions, each of its kind', () => {
    expect(play.bank.lines()).toBeGreaterThanOrEqual(LINES);
    expect(new Set(play.oddities.map(({ kind }) => kind)).size).toBe(ODDITY_NAMES.length);
    expect(differences()).toEqual([]);
  });

  it('leave none that two operators cannot end', async () => {
    const { harness, notEnded, ops } = play;
    const listed = async (...args: string[]) => (await ops(...args)).printed.slice(0, 2_000);
    expect(notEnded.slice(0, SHOWN_MAX)).toEqual([]);
    expect(await listed('exceptions', 'list')).toBe('No exception is open.');
    expect(await harness.unmatched()).toEqual([]);
    expect(await listed('payments', 'late-returns')).toBe('There are no late returns.');
  });

  it('leave the books with what the bank holds, to the cent', async () => {
    const { harness, bank } = play;
    const rows = await harness.rows<{ currency: 'EUR' | 'USD'; held: string }>(
      `SELECT currency, (-sum(amount))::text AS held FROM ledger_entries
       WHERE account LIKE 'nostro:%' GROUP BY currency ORDER BY currency`,
    );
    const held = bank.held();
    expect(rows).toEqual([
      { currency: 'EUR', held: String(held.EUR) },
      { currency: 'USD', held: String(held.USD) },
    ]);
    expect(await harness.suspense()).toBe(0n);
  });

  it('leave nothing that `verify` finds', async () => {
    const connection = await connectToVerify(play.harness.url);
    try {
      const verdicts = await verify({
        ...{ connection, clientLog: null, isWorkflowOpen: null, chains: null },
        startGraceSeconds: 30,
      });
      expect(verdicts.filter(({ status }) => status === 'violated')).toEqual([]);
    } finally {
      await connection.close();
    }
  });
});
