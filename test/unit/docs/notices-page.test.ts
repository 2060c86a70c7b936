import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OVERDUE, OVERDUE_KINDS } from '../../../src/domain/notices/overdue.ts';
import { NOTICES_AT_ONCE, STATE_NOTICES } from '../../../src/domain/notices/state-notices.ts';
import { PAYMENT_STATUSES, isFinal } from '../../../src/domain/payments/payment-states.ts';
import { ROOT } from '../../support/docs/markdown.ts';

const page = readFileSync(join(ROOT, 'docs/how-to/operate.md'), 'utf8');

/** The rows of the table under a heading of its columns, their cells joined. */
function rowsBelow(heading: string): string[] {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => cellsOf(line).join(' | ') === heading);
  const rest = lines.slice(head + 2);
  return rest.slice(0, rest.indexOf('')).map((line) => cellsOf(line).join(' | '));
}
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const HOUR_MS = 3_600_000;
const timeOf = (ms: number): string => {
  if (ms === 0) return 'at once';
  const [count, unit] = ms < 24 * HOUR_MS ? [ms / HOUR_MS, 'hour'] : [ms / (24 * HOUR_MS), 'day'];
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
};

/** Each state of something that lasts, with its notice. */
const LASTING = Object.entries(STATE_NOTICES).flatMap(([what, notices]) =>
  Object.entries(notices).map(([state, notice]) => ({ what, state, notice })),
);

describe('the notices that docs/how-to/operate.md lists', () => {
  it('has each kind with its time', () => {
    expect(rowsBelow('kind | what waits | time')).toEqual(
      OVERDUE_KINDS.map((kind) => {
        const { what, afterMs } = OVERDUE[kind];
        const promised =
          'isPromised' in OVERDUE[kind] ? ' after that, or 4 days after sending' : '';
        return `\`${kind}\` | ${what} | ${timeOf(afterMs)}${promised}`;
      }),
    );
  });

  it('has each state that is not final, with its notice', () => {
    const told = LASTING.filter(({ notice }) => notice !== 'FINAL' && notice !== 'BY_STATUS');
    expect(rowsBelow('what | state | notice')).toEqual(
      told.map(({ what, state, notice }) => `${what} | \`${state}\` | \`${notice}\``),
    );
  });

  it('names a notice that exists for each state, and none for a final status alone', () => {
    const known = new Set([
      ...OVERDUE_KINDS,
      ...Object.keys(NOTICES_AT_ONCE),
      'FINAL',
      'BY_STATUS',
    ]);
    expect(LASTING.filter(({ notice }) => !known.has(notice))).toEqual([]);
    // RETURNED and the others may wait for a statement: their reconciliation tells.
    expect(PAYMENT_STATUSES.filter((status) => STATE_NOTICES.Payment[status] === 'FINAL')).toEqual(
      PAYMENT_STATUSES.filter(isFinal),
    );
  });
});
