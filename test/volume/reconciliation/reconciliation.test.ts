import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { statementChunks } from '../../support/reconciliation/statement-xml.ts';
import { sizeOf } from '../../support/campaign.ts';

/** More than one slice of 5,000. */
const LINES = sizeOf(6_000, 100_000);
const HEAP_GROWTH_BYTES_MAX = 128 * 1024 * 1024;

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

describe('a statement of more than one slice', () => {
  it('is reconciled in bounded memory', { timeout: 3_000_000 }, async () => {
    const payments = await harness.customer.payMany(LINES, new Date('2026-09-29T11:00:00Z'), () =>
      harness.analyze(),
    );
    const entries = payments.map(({ reference }) => ({ reference, amount: '1.00' }));
    harness.bank.publish(
      (id) =>
        async function* () {
          for (const chunk of statementChunks({ id, entries })) yield Buffer.from(chunk);
        },
    );
    const [ref] = await harness.activities.listStatements('test');
    if (ref === undefined) throw new Error('nothing is listed');

    const heapAtStart = process.memoryUsage().heapUsed;
    let heapGrowthMax = 0;
    const watch = setInterval(() => {
      heapGrowthMax = Math.max(heapGrowthMax, process.memoryUsage().heapUsed - heapAtStart);
    }, 50);
    await harness.activities.readStatement(ref);
    await harness.activities.reconcileStatement(ref);
    clearInterval(watch);

    expect(await harness.statement(ref)).toMatchObject({ status: 'RECONCILED', lines: LINES });
    const [count] = await harness.rows<{ reconciled: bigint }>(
      `SELECT count(*) AS reconciled FROM payments WHERE reconciliation_status = 'RECONCILED'`,
    );
    expect(count?.reconciled).toBe(BigInt(LINES));
    expect(harness.alarms).toEqual([]);
    expect(harness.heartbeats.at(-1)).toBe(LINES);
    expect(heapGrowthMax).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
  });
});
