import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNREADABLE_HOPED_FOR } from '../../../src/domain/reconciliation/reread-wait.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { statementXml } from '../../support/reconciliation/statement-xml.ts';

let harness: ReconciliationHarness;
beforeEach(async () => {
  harness = await createReconciliationHarness();
});
afterEach(() => harness.close());

// Payments complete at 11:00:00; test's bank has 60 s to put them on a statement.
const TOO_EARLY = '2026-09-29T11:00:59.000Z';
const LATE_ENOUGH = '2026-09-29T11:01:01.000Z';

describe('a payout on no statement', () => {
  it('is missing once a statement ends long enough after it, and not before', async () => {
    const paid = await harness.pay('COMPLETED');
    const seen = await harness.pay('COMPLETED');
    const unfinished = await harness.pay('UNKNOWN');
    await harness.reconcile({ entries: [] }, TOO_EARLY);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });

    const entries = [{ reference: seen.reference, amount: '10.00' }];
    await harness.reconcile({ entries }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'EXCEPTION',
      evidence: {
        exception: 'MISSING_AT_BANK',
        statementTo: LATE_ENOUGH,
        completedAt: '2026-09-29T11:00:00.000Z',
      },
    });
    expect(await harness.payment(seen.id)).toMatchObject({ reconciliation: 'RECONCILED' });
    expect(await harness.payment(unfinished.id)).toMatchObject({ reconciliation: 'PENDING' });
    expect(harness.alarms).toMatchObject([{ exception: 'MISSING_AT_BANK', paymentId: paid.id }]);
  });

  it('is judged by the time of the statement, however late it is by the clock', async () => {
    const paid = await harness.pay('COMPLETED');
    harness.clock.advance(30 * 24 * 3_600_000);
    await harness.reconcile({ entries: [] }, TOO_EARLY);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
  });

  it('is found once, and its line makes it reconciled when it comes after all', async () => {
    const paid = await harness.pay('COMPLETED');
    const { version } = await harness.payment(paid.id);
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ version: version + 1 });
    await harness.reconcile({ entries: [{ reference: paid.reference, amount: '10.00' }] });
    const { reconciliation, evidence } = await harness.payment(paid.id);
    expect(reconciliation).toBe('RECONCILED');
    expect(evidence).not.toHaveProperty('exception');
    expect(evidence).toMatchObject({ line: 1 });
  });

  it('a statement in another currency says nothing about it', async () => {
    const paid = await harness.pay('COMPLETED', { currency: 'USD' });
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
    await harness.reconcile({ entries: [], currency: 'USD' }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  });

  it('is not missing while an earlier statement is still open', async () => {
    const paid = await harness.pay('COMPLETED');
    const entries = [{ reference: paid.reference, amount: '10.00' }];
    const earlier = await harness.list({ entries }, TOO_EARLY);
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
    await harness.activities.readStatement(earlier);
    await harness.activities.reconcileStatement(earlier);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'RECONCILED' });
    expect(harness.alarms).toEqual([]);
  });

  it('is not missing while an earlier statement cannot be read, until a week of tries is over', async () => {
    const paid = await harness.pay('COMPLETED');
    harness.bank.publish(() => '<html>busy</html>', { to: TOO_EARLY });
    const [broken] = await harness.activities.listStatements('test');
    if (broken === undefined) throw new Error('nothing is listed');
    const tryToRead = () => harness.activities.readStatement(broken).catch(() => undefined);
    await tryToRead();
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
    for (let time = 2; time <= UNREADABLE_HOPED_FOR; time += 1) await tryToRead();
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  });

  it('what a broken statement showed of it is no booking', async () => {
    const paid = await harness.pay('COMPLETED');
    const entries = [{ reference: paid.reference, amount: '10.00' }];
    // Beyond the first thousand, so that what comes before the break has been stored.
    const many = Array.from({ length: 1_100 }, () => ({ amount: '1.00' }));
    harness.bank.publish(
      (id) => statementXml({ id, entries: [...entries, ...many] }).slice(0, -80),
      {
        to: TOO_EARLY,
      },
    );
    const [broken] = await harness.activities.listStatements('test');
    if (broken === undefined) throw new Error('nothing is listed');
    await harness.activities.readStatement(broken).catch(() => undefined);
    await harness.rows('UPDATE statements SET unreadable_readings = $2 WHERE id = $1', [
      broken.statementId,
      UNREADABLE_HOPED_FOR,
    ]);
    await harness.reconcile({ entries: [] }, LATE_ENOUGH);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  });
});
