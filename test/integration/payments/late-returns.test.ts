import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { alarmLateReturns } from '../../../src/modules/payments/alarm-late-returns.ts';
import type { Seeded } from '../../support/seed-payments.ts';
import {
  createFinalityHarness,
  type FinalityHarness,
} from '../../support/payments/finality-harness.ts';
import { ledgerKinds, raceReturns } from '../../support/payments/return-races.ts';

let harness: FinalityHarness;
beforeAll(async () => {
  harness = await createFinalityHarness();
});
afterAll(() => harness.close());
afterEach(async () => {
  const sums = await harness.rows(
    'SELECT FROM ledger_entries GROUP BY currency HAVING sum(amount) <> 0',
  );
  expect(sums).toEqual([]);
});

const kinds = ({ id }: Seeded) => ledgerKinds(harness, id);

const lateReturn = async ({ id }: Seeded) => {
  const [row] = await harness.rows<Record<string, unknown>>(
    `SELECT amount, currency, reason, contradicted_by AS "contradictedBy" FROM late_returns
     WHERE payment_id = $1`,
    [id],
  );
  return row;
};

describe('the money of a final payment comes back', () => {
  it('and a callback that says so moves nothing: an exception, told once, however often it comes', async () => {
    const paid = await harness.final();
    const before = await harness.accounts();
    for (let time = 0; time < 3; time += 1) {
      await harness.callback(paid, { status: 'RETURNED', amount: '10.00' });
      await harness.applyCallbacks(paid);
    }
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ status: 'COMPLETED', finality: 'FINAL', reconciliation: 'EXCEPTION', returned: null },
      evidence: { exception: 'LATE_RETURN', before: { line: 1 } },
    });
    expect((await harness.events(paid.id)).slice(-2)).toEqual(['payment.final', 'payment.updated']);
    expect(await harness.accounts()).toEqual(before);
    expect(await lateReturn(paid)).toMatchObject({ amount: null, reason: 'AC04' });
  });

  it('and a statement that shows it moves it from nostro to suspense: the books are the bank', async () => {
    const paid = await harness.final();
    const before = await harness.accounts();
    const ref = await harness.showReturn(paid);
    expect(await harness.outcomes(ref)).toEqual(['LATE_RETURN']);
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ status: 'COMPLETED', finality: 'FINAL', reconciliation: 'EXCEPTION' },
      evidence: {
        ...{ exception: 'LATE_RETURN', line: 1, before: { line: 1 } },
        suspense: { minorUnits: '1000', currency: 'EUR' },
      },
    });
    expect(await harness.accounts()).toEqual({
      ...before,
      'nostro:SEPA': (before['nostro:SEPA'] ?? 0n) - 1_000n,
      suspense: (before['suspense'] ?? 0n) + 1_000n,
    });
    expect(await kinds(paid)).toEqual(['HOLD', 'SETTLE', 'LATE_RETURN']);
    expect(harness.alarms).toContainEqual(
      expect.objectContaining({ kind: 'EXCEPTION', exception: 'LATE_RETURN', paymentId: paid.id }),
    );
  });

  it('and a callback, the statement, the callback again and the statement read again are one return', async () => {
    const paid = await harness.final();
    await harness.callback(paid, { status: 'RETURNED', amount: '10.00' });
    await harness.applyCallbacks(paid);
    const ref = await harness.showReturn(paid, '7.50');
    const shown = await harness.finality(paid.id);
    expect(shown.evidence).toMatchObject({
      ...{ exception: 'LATE_RETURN', before: { line: 1 } },
      suspense: { minorUnits: '750', currency: 'EUR' },
    });
    await harness.callback(paid, { status: 'RETURNED', amount: '10.00' });
    await harness.applyCallbacks(paid);
    await harness.rows('UPDATE statement_lines SET processed_at = NULL WHERE payment_id = $1', [
      paid.id,
    ]);
    await harness.rows("UPDATE statements SET status = 'READ' WHERE id = $1", [ref.statementId]);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.finality(paid.id)).toEqual(shown);
    expect(await kinds(paid)).toEqual(['HOLD', 'SETTLE', 'LATE_RETURN']);
  });

  it.each([
    ['twice, on two statements', '10.00', 'DUPLICATE_AT_BANK'],
    ['and then in part once more', '4.00', 'DUPLICATE_AT_BANK'],
    ['and then more than was paid', '11.00', 'DUPLICATE_AT_BANK'],
  ])(
    '%s: suspense holds the first, the second is an exception of its own',
    async (_, again, exception) => {
      const paid = await harness.final();
      await harness.showReturn(paid);
      const { version } = await harness.finality(paid.id);
      const second = await harness.showReturn(paid, again);
      expect(await harness.outcomes(second)).toEqual([exception]);
      expect(await kinds(paid)).toEqual(['HOLD', 'SETTLE', 'LATE_RETURN']);
      // What operators had proposed before is void.
      expect((await harness.finality(paid.id)).version).toBe(version + 1);
      expect(await lateReturn(paid)).toMatchObject({ contradictedBy: exception });
    },
  );

  it('in a greater amount than was paid: none of it is taken for the payment', async () => {
    const paid = await harness.final();
    const ref = await harness.showReturn(paid, '10.01');
    expect(await harness.outcomes(ref)).toEqual(['AMOUNT_MISMATCH']);
    expect(await kinds(paid)).toEqual(['HOLD', 'SETTLE']);
    expect(await lateReturn(paid)).toBeUndefined();
  });

  it('and the bank takes it back on another statement: contradicted, so that nothing is credited', async () => {
    const paid = await harness.final();
    await harness.showReturn(paid);
    const undone = await harness.reconcile({
      entries: [{ reference: paid.reference, amount: '10.00', reversal: true }],
    });
    expect(await harness.outcomes(undone)).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await lateReturn(paid)).toMatchObject({ contradictedBy: 'UNEXPECTED_AT_BANK' });
    expect(await harness.finality(paid.id)).toMatchObject({
      evidence: { exception: 'LATE_RETURN', contradictedBy: 'UNEXPECTED_AT_BANK' },
    });
  });

  it('and is taken back on the same statement: nothing came back', async () => {
    const paid = await harness.final();
    const before = await harness.finality(paid.id);
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
        { reference, amount: '10.00', reversal: true },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['OFFSET', 'OFFSET']);
    expect(await harness.finality(paid.id)).toEqual(before);
  });

  it('and a credit that only bears its reference, from any payer, is none of it', async () => {
    const paid = await harness.final();
    const before = await harness.finality(paid.id);
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [{ reference, amount: '10.00', direction: 'CRDT' }],
    });
    expect(await harness.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect(await harness.finality(paid.id)).toEqual(before);
  });

  it('and the bank contradicts itself in turns: what lies in suspense stays in sight, evidence stays small', async () => {
    const paid = await harness.final();
    await harness.showReturn(paid);
    for (let turn = 0; turn < 6; turn += 1) {
      for (const status of ['REJECTED', 'RETURNED'] as const) {
        await harness.callback(paid, { status, amount: '10.00' });
        await harness.applyCallbacks(paid);
      }
    }
    const { evidence } = await harness.finality(paid.id);
    expect(evidence).toMatchObject({ suspense: { minorUnits: '1000' } });
    expect(JSON.stringify(evidence).length).toBeLessThan(2_000);
  });

  it('and each is told to the operators by one alarm', async () => {
    const paid = await harness.final();
    await harness.callback(paid, { status: 'RETURNED', amount: '10.00' });
    await harness.applyCallbacks(paid);
    const raised: string[] = [];
    const deps = {
      ...{ db: harness.db, clock: harness.clock },
      raiseLateReturn: ({ paymentId }: { paymentId: string }) => void raised.push(paymentId),
    };
    await Promise.all([alarmLateReturns(deps, 'test'), alarmLateReturns(deps, 'test')]);
    await alarmLateReturns(deps, 'test');
    await alarmLateReturns(deps, 'live');
    expect(raised.filter((id) => id === paid.id)).toEqual([paid.id]);
  });
});

describe('a return before that', () => {
  it('is an ordinary one, also where the window is over and the payment is not final yet', async () => {
    const paid = await harness.complete();
    await harness.showPayouts([paid]);
    harness.clock.advance(60_000);
    await harness.showReturn(paid);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ status: 'RETURNED', finality: 'FINAL', reconciliation: 'RECONCILED', dueAt: null },
    });
    expect(await kinds(paid)).toEqual(['HOLD', 'SETTLE', 'RETURN']);
  });

  it('is an ordinary one where its statement was listed and no worker has read it, or read it to its end', async () => {
    const paid = await harness.complete();
    await harness.showPayouts([paid]);
    const { reference } = paid;
    const ref = await harness.list({
      entries: [{ reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' }],
    });
    harness.clock.advance(60_000);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await harness.activities.readStatement(ref);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await harness.activities.reconcileStatement(ref);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ status: 'RETURNED' });
    expect(await kinds(paid)).toEqual(['HOLD', 'SETTLE', 'RETURN']);
  });

  it('is waited for while a line that was judged has had no effect, however old its statement is', async () => {
    const paid = await harness.complete();
    await harness.showPayouts([paid]);
    const set = (processed: string) =>
      harness.rows(`UPDATE statement_lines SET processed_at = ${processed} WHERE payment_id = $1`, [
        paid.id,
      ]);
    await set('NULL');
    harness.clock.advance(3 * 24 * 3_600_000);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await set('judged_at');
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'FINAL' });
  });

  it.each([
    ['that cannot be read', 'UNREADABLE', 0],
    ['that no worker has read for a day', 'LISTED', 24 * 3_600_000],
  ])('is not waited for on a statement %s', async (_which, status, ageMs) => {
    const paid = await harness.complete();
    await harness.showPayouts([paid]);
    const { statementId } = await harness.list({ entries: [] });
    const set = (to: string) =>
      harness.rows('UPDATE statements SET status = $2 WHERE id = $1', [statementId, to]);
    harness.clock.advance(60_000);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await set(status);
    harness.clock.advance(ageMs);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'FINAL' });
    await set('REFUSED');
  });

  it('races finality 60 times: the payment came back or is final, never both, and no cent is made', async () => {
    await raceReturns(harness, 3);
  });
});
