import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  LineOutcome,
  MatchCandidate,
  MatchLine,
} from '../../../src/domain/reconciliation/match-lines.ts';
import { matchInSlices } from '../../support/reconciliation/counted-lines.ts';
import { outcomeName, plantedStatement } from '../../support/reconciliation/planted-statement.ts';

function byOwner(outcomes: LineOutcome[], owners: number[], count: number): string[][] {
  const found: string[][] = Array.from({ length: count }, () => []);
  outcomes.forEach((outcome, index) => found[owners[index] ?? -1]?.push(outcomeName(outcome)));
  return found.map((names) => names.sort());
}

describe('matching a statement', () => {
  it('finds exactly the anomalies that were planted, wherever they are', () => {
    fc.assert(
      fc.property(plantedStatement, ({ lines, candidates, owners, expected }) => {
        const outcomes = matchInSlices(lines, candidates);
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
          expect(matchInSlices(lines, candidates, size)).toEqual(matchInSlices(lines, candidates));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never takes two lines as the payout of one payment, nor as its return', () => {
    fc.assert(
      fc.property(plantedStatement, ({ lines, candidates }) => {
        for (const kind of ['RECONCILED', 'RETURN'] as const) {
          const taken = matchInSlices(lines, candidates).filter((found) => found.kind === kind);
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
    expect(matchInSlices([line], [candidate])).toEqual([
      { lineNumber: 7, kind: 'RETURN', paymentId: 'pay-1', minor: 950n },
    ]);
  });
});
