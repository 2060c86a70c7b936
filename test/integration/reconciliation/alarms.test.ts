import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listUnresolvedStatementExceptions } from '../../../src/db/reconciliation/statement-exception-store.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';

let harness: ReconciliationHarness;
beforeEach(async () => {
  harness = await createReconciliationHarness();
});
afterEach(() => harness.close());

/** The process that gives the alarms dies at the first one. */
function dieAtFirstAlarm(): void {
  harness.alarms.push = () => {
    Reflect.deleteProperty(harness.alarms, 'push');
    throw new Error('the worker is killed');
  };
}

describe('an alarm that follows a commit', () => {
  it('of a line without a payment is given by the next run when the first one died', async () => {
    const ref = await harness.list({ entries: [{ reference: 'UNKNOWN-1', amount: '3.00' }] });
    await harness.activities.readStatement(ref);
    dieAtFirstAlarm();
    await expect(harness.activities.reconcileStatement(ref)).rejects.toThrow('killed');
    expect(harness.alarms).toEqual([]);
    await harness.activities.reconcileStatement(ref);
    expect(harness.alarms).toMatchObject([
      { kind: 'EXCEPTION', exception: 'UNEXPECTED_AT_BANK', line: 1, paymentId: null },
    ]);
    await harness.activities.reconcileStatement(ref);
    expect(harness.alarms).toHaveLength(1);
  });

  it('of a line with a payment, too', async () => {
    const failed = await harness.pay('FAILED');
    const entries = [{ reference: failed.reference, amount: '10.00' }];
    const ref = await harness.list({ entries });
    await harness.activities.readStatement(ref);
    dieAtFirstAlarm();
    await expect(harness.activities.reconcileStatement(ref)).rejects.toThrow('killed');
    await harness.activities.reconcileStatement(ref);
    expect(harness.alarms).toMatchObject([{ exception: 'LATE', line: 1, paymentId: failed.id }]);
  });

  it('of a payment on no statement, too', async () => {
    const paid = await harness.pay('COMPLETED');
    const ref = await harness.list({ entries: [] }, '2026-09-29T11:01:01.000Z');
    await harness.activities.readStatement(ref);
    dieAtFirstAlarm();
    await expect(harness.activities.reconcileStatement(ref)).rejects.toThrow('killed');
    await harness.activities.reconcileStatement(ref);
    expect(harness.alarms).toMatchObject([
      { exception: 'MISSING_AT_BANK', line: null, paymentId: paid.id },
    ]);
  });

  it('of a statement that does not add up, too', async () => {
    const ref = await harness.list({ entries: [], opening: '1.00', closing: '2.00' });
    dieAtFirstAlarm();
    await expect(harness.activities.readStatement(ref)).rejects.toThrow('killed');
    await harness.activities.listStatements('test');
    expect(harness.alarms).toMatchObject([{ kind: 'BALANCE_MISMATCH', count: 1 }]);
    await harness.activities.listStatements('test');
    await harness.activities.readStatement(ref);
    expect(harness.alarms).toHaveLength(1);
  });
});

describe('the list of what no payment shows', () => {
  const list = (limit = 10) =>
    harness.db.system((tx) => listUnresolvedStatementExceptions(tx, limit));

  it('has lines without a payment and problems of statements, the newest first', async () => {
    const failed = await harness.pay('FAILED');
    const { statementId: older } = await harness.reconcile({
      opening: '100.00',
      closing: '1.00',
      entries: [
        { reference: failed.reference, amount: '10.00' },
        { reference: 'UNKNOWN-1', amount: '3.00' },
        { amount: '0' },
      ],
    });
    const { statementId: newer } = await harness.reconcile({
      entries: [{ amount: '4.00', direction: 'CRDT' }],
    });
    const first = {
      statementId: BigInt(older),
      environment: 'test',
      connector: 'http-bank',
      bankStatementId: 'STMT-1',
    };
    const nothing = {
      ...{ line: null, amount: null, currency: null, bookedAt: null, expected: null },
    };
    const booked = {
      currency: 'EUR',
      bookedAt: new Date('2026-09-29T12:00:00.000Z'),
      expected: null,
    };
    expect(await list()).toEqual([
      {
        ...first,
        ...booked,
        statementId: BigInt(newer),
        bankStatementId: 'STMT-2',
        line: 1,
        exception: 'UNKNOWN_RETURN',
        amount: '4.00',
      },
      { ...first, ...nothing, exception: 'BALANCE_MISMATCH' },
      { ...first, ...booked, line: 2, exception: 'UNEXPECTED_AT_BANK', amount: '3.00' },
    ]);
    expect(await list(1)).toHaveLength(1);
  });
});
