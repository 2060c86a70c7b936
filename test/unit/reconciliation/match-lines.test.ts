import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  matchLines,
  type LineOutcome,
  type MatchCandidate,
  type MatchLine,
} from '../../../src/domain/reconciliation/match-lines.ts';
import { outcomeName, plantedStatement } from './planted-statement.ts';

function byOwner(outcomes: LineOutcome[], owners: number[], count: number): string[][] {
  const found: string[][] = Array.from({ length: count }, () => []);
  outcomes.forEach((outcome, index) => found[owners[index] ?? -1]?.push(outcomeName(outcome)));
  return found.map((names) => names.sort());
}

/** What SQL does between slices: counts what earlier ones booked for each payment. */
function matchInSlices(lines: MatchLine[], candidates: MatchCandidate[], size: number) {
  const counts = new Map<string, { debitsBooked: number; creditsBooked: number }>();
  const owners = new Map(candidates.map((found) => [found.reference.toUpperCase(), found]));
  const outcomes: LineOutcome[] = [];
  for (let start = 0; start < lines.length; start += size) {
    const slice = lines.slice(start, start + size);
    const current = candidates.map((found) => ({ ...found, ...counts.get(found.paymentId) }));
    outcomes.push(...matchLines(slice, current));
    for (const line of slice) {
      const owner = owners.get(line.reference?.toUpperCase() ?? '');
      if (owner === undefined || owner.attempt === 'NEVER_SENT' || line.status !== 'BOOK') continue;
      const known = counts.get(owner.paymentId) ?? { debitsBooked: 0, creditsBooked: 0 };
      if (line.direction === 'DBIT') known.debitsBooked += 1;
      else known.creditsBooked += 1;
      counts.set(owner.paymentId, known);
    }
  }
  return outcomes;
}

describe('matching a statement', () => {
  it('finds exactly the anomalies that were planted, wherever they stand', () => {
    fc.assert(
      fc.property(plantedStatement, ({ lines, candidates, owners, expected }) => {
        const outcomes = matchLines(lines, candidates);
        expect(outcomes.map(({ lineNumber }) => lineNumber)).toEqual(
          lines.map(({ lineNumber }) => lineNumber),
        );
        expect(byOwner(outcomes, owners, expected.length)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same in slices as at once', () => {
    fc.assert(
      fc.property(
        plantedStatement,
        fc.integer({ min: 1, max: 20 }),
        ({ lines, candidates }, size) => {
          expect(matchInSlices(lines, candidates, size)).toEqual(matchLines(lines, candidates));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never takes two lines as the payout of one payment, nor as its return', () => {
    fc.assert(
      fc.property(plantedStatement, ({ lines, candidates }) => {
        for (const kind of ['RECONCILED', 'RETURN'] as const) {
          const taken = matchLines(lines, candidates).filter((found) => found.kind === kind);
          const payments = taken.map((found) => ('paymentId' in found ? found.paymentId : null));
          expect(new Set(payments).size).toBe(payments.length);
        }
      }),
    );
  });

  it('says how much of a return came back', () => {
    const candidate: MatchCandidate = {
      paymentId: 'pay-1',
      reference: 'CWA01',
      minor: 1_000n,
      currency: 'EUR',
      attempt: 'SETTLED',
      areFundsReleased: false,
      debitsBooked: 1,
      creditsBooked: 0,
    };
    const line: MatchLine = {
      lineNumber: 7,
      reference: 'cwa01',
      amount: '9.5',
      currency: 'EUR',
      direction: 'CRDT',
      isReversal: false,
      isReturn: true,
      status: 'BOOK',
    };
    expect(matchLines([line], [candidate])).toEqual([
      { lineNumber: 7, kind: 'RETURN', paymentId: 'pay-1', minor: 950n },
    ]);
  });
});
