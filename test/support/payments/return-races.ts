import { expect } from 'vitest';
import type { FinalityHarness } from './finality-harness.ts';

/** Races that run beside one another in a round. */
const AT_ONCE = 20;

/** What the ledger did for a payment, in order. */
export async function ledgerKinds(harness: FinalityHarness, id: string): Promise<string[]> {
  const rows = await harness.rows<{ kind: string }>(
    'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
    [id],
  );
  return rows.map(({ kind }) => kind);
}

/** Rounds of races of a return that the bank tells against finality. Fails where a payment is both, or neither. */
export async function raceReturns(harness: FinalityHarness, rounds: number): Promise<void> {
  const ends = { RETURNED: 0, COMPLETED: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const paid = await Promise.all(Array.from({ length: AT_ONCE }, () => harness.complete()));
    await harness.showPayouts(paid);
    harness.clock.advance(60_000);
    // Two at a time: all at once would queue before the schedule's one transaction, and always win.
    const waiting = paid.values();
    const bank = async () => {
      for (const one of waiting) {
        await harness.tellReturned(one);
        await harness.applyCallbacks(one);
      }
    };
    await Promise.all([bank(), harness.finalise(), bank(), harness.finalise()]);
    for (const one of paid) {
      const { status, finality, reconciliation } = await harness.finality(one.id);
      expect(['RETURNED', 'COMPLETED']).toContain(status);
      ends[status as keyof typeof ends] += 1;
      const wasReturned = status === 'RETURNED';
      expect(await ledgerKinds(harness, one.id)).toEqual([
        ...['HOLD', 'SETTLE'],
        ...(wasReturned ? ['RETURN'] : []),
      ]);
      expect(finality).toBe('FINAL');
      expect(reconciliation).toBe(wasReturned ? 'PENDING' : 'EXCEPTION');
      const told = await harness.events(one.id);
      expect(told.includes('payment.returned')).toBe(wasReturned);
      expect(told.includes('payment.final')).toBe(!wasReturned);
    }
  }
  expect(ends.RETURNED + ends.COMPLETED).toBe(AT_ONCE * rounds);
  // Both sides won: otherwise nothing was raced.
  expect(ends.RETURNED).toBeGreaterThan(0);
  expect(ends.COMPLETED).toBeGreaterThan(0);
}
