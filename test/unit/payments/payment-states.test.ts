import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paymentEventType } from '../../../src/domain/payments/payment-events.ts';
import {
  isFinal,
  isLegalMove,
  isSettledOrFinal,
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
} from '../../../src/domain/payments/payment-states.ts';

const anyStatus = fc.constantFrom(...PAYMENT_STATUSES);
const FINAL = ['FAILED', 'CANCELED', 'EXPIRED', 'RETURNED'];

/** The moves that the seed writes into payment_moves. */
function migratedMoves(): Set<string> {
  const sql = readFileSync('src/db/schema/migrations/0015_seed.sql', 'utf8');
  const table = /INSERT INTO payment_moves([\s\S]*?);/.exec(sql)?.[1] ?? '';
  const rows = table.matchAll(/\('([A-Z_]+)', '\{([A-Z_,]+)\}'/g);
  return new Set(
    [...rows].flatMap(([, from, to]) => (to ?? '').split(',').map((t) => `${from ?? ''}>${t}`)),
  );
}

describe('the moves of a payment', () => {
  it('are those of the database, no more and no less', () => {
    expect(new Set(PAYMENT_MOVES.map((move) => move.join('>')))).toEqual(migratedMoves());
  });

  it('in any order that the domain takes are taken by the database', () => {
    const stored = migratedMoves();
    fc.assert(
      fc.property(fc.array(anyStatus, { maxLength: 12 }), (overrideSets) => {
        let at: (typeof PAYMENT_STATUSES)[number] = 'PROCESSING';
        for (const overrides of overrideSets) {
          expect(isLegalMove(at, overrides)).toBe(stored.has(`${at}>${overrides}`));
          if (isLegalMove(at, overrides)) at = overrides;
        }
      }),
    );
  });

  it('never leave what is final, and COMPLETED only for RETURNED', () => {
    fc.assert(
      fc.property(fc.array(anyStatus, { maxLength: 20 }), (overrideSets) => {
        let at: (typeof PAYMENT_STATUSES)[number] = 'PROCESSING';
        for (const overrides of overrideSets) {
          if (!isLegalMove(at, overrides)) continue;
          expect(isFinal(at)).toBe(false);
          if (at === 'COMPLETED') expect(overrides).toBe('RETURNED');
          at = overrides;
        }
      }),
    );
  });

  it('stay: no status moves to itself', () => {
    for (const status of PAYMENT_STATUSES) expect(isLegalMove(status, status)).toBe(false);
  });

  it('end in four statuses, and COMPLETED ends the workflow', () => {
    expect(PAYMENT_STATUSES.filter(isFinal)).toEqual(FINAL);
    expect(new Set(PAYMENT_STATUSES.filter(isSettledOrFinal))).toEqual(
      new Set([...FINAL, 'COMPLETED']),
    );
  });
});

describe('the event of a version', () => {
  it.each([
    [null, 'PROCESSING', false, 'payment.created'],
    ['PROCESSING', 'ON_HOLD', false, 'payment.on_hold'],
    ['PROCESSING', 'PROCESSING', false, 'payment.updated'],
    ['COMPLETED', 'COMPLETED', true, 'payment.reconciled'],
    ['COMPLETED', 'RETURNED', true, 'payment.returned'],
  ] as const)('%s to %s (reconciled: %s) is %s', (from, to, reconciled, type) => {
    expect(paymentEventType({ from, to, reconciled })).toBe(type);
  });
});
