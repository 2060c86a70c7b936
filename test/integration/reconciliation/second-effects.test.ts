import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

/** Thirty payments with every kind of line. */
async function mixedEntries(): Promise<EntryDraft[]> {
  const entries: EntryDraft[] = [];
  for (let round = 0; round < 6; round += 1) {
    const paid = await harness.pay('COMPLETED');
    const unknown = await harness.pay('UNKNOWN');
    const returned = await harness.pay('UNKNOWN');
    const altered = await harness.pay('COMPLETED');
    const failed = await harness.pay('FAILED');
    for (const { reference } of [paid, unknown, returned, failed, unknown]) {
      entries.push({ reference, amount: '10.00' });
    }
    entries.push({
      reference: returned.reference,
      amount: '9.00',
      direction: 'CRDT',
      reversal: true,
    });
    entries.push({ reference: altered.reference, amount: '11.00' });
    entries.push({ amount: '1.00' });
  }
  return entries;
}
const outcomesOfRound = [
  'RECONCILED',
  'RECONCILED',
  'RECONCILED',
  'LATE',
  'DUPLICATE_AT_BANK',
  'RETURN',
  'AMOUNT_MISMATCH',
  'UNEXPECTED_AT_BANK',
];

describe('reconciling again has no second effect', () => {
  it('one after the other', async () => {
    const ref = await harness.reconcile({ entries: await mixedEntries() });
    expect(await harness.outcomes(ref)).toEqual(Array(6).fill(outcomesOfRound).flat());
    const before = await harness.fingerprint();
    const alarms = harness.alarms.length;
    await harness.activities.readStatement(ref);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.fingerprint()).toEqual(before);
    expect(harness.alarms).toHaveLength(alarms);
  });

  it('four workers at once do what one does', async () => {
    const entries = await mixedEntries();
    const ref = await harness.list({ entries });
    const before = await harness.fingerprint();
    const atOnce = (work: () => Promise<void>) => Promise.all(Array.from({ length: 4 }, work));
    // The one that began last stores it; to the others it is busy, or read.
    const isBusy = (error: unknown) => {
      expect(error).toMatchObject({ code: 'STATEMENT_BUSY' });
    };
    await atOnce(() => harness.activities.readStatement(ref).catch(isBusy));
    expect(await harness.statement(ref)).toMatchObject({ status: 'READ', lines: entries.length });
    harness.alarms.splice(0);
    await atOnce(() => harness.activities.reconcileStatement(ref));
    expect(await harness.outcomes(ref)).toEqual(Array(6).fill(outcomesOfRound).flat());
    // Per round: paid 1; unknown 2 + its duplicate 1; returned 2 + RETURNED 1 + evidence 1;
    // altered 1; failed 1. Ledger: two SETTLE and one RETURN, two lines each.
    const [counts] = (await harness.fingerprint()) as { versions: bigint; entries: bigint }[];
    const [old] = before as { versions: bigint; entries: bigint }[];
    expect(Number(counts?.versions) - Number(old?.versions)).toBe(6 * 10);
    expect(Number(counts?.entries) - Number(old?.entries)).toBe(6 * 6);
    expect(harness.alarms.filter(({ kind }) => kind === 'EXCEPTION')).toHaveLength(6 * 4);
  });

  it('two statements that show a debit each at once leave one of them a duplicate', async () => {
    const paid = await harness.pay('UNKNOWN');
    const listed = (bankReference: string) =>
      harness.list({ entries: [{ reference: paid.reference, amount: '10.00', bankReference }] });
    const refs = [await listed('DEBIT-1'), await listed('DEBIT-2')];
    await Promise.all(refs.map((ref) => harness.activities.readStatement(ref)));
    await Promise.all(refs.map((ref) => harness.activities.reconcileStatement(ref)));
    const outcomes = await Promise.all(refs.map((ref) => harness.outcomes(ref)));
    expect(outcomes.flat().sort()).toEqual(['DUPLICATE_AT_BANK', 'RECONCILED']);
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'EXCEPTION',
    });
  });

  it('killed after the payments committed and before their lines were marked', async () => {
    const ref = await harness.reconcile({ entries: await mixedEntries() });
    const outcomes = await harness.outcomes(ref);
    const before = await harness.fingerprint();
    await harness.rows(
      `UPDATE statement_lines SET processed_at = NULL
       WHERE statement_id = $1 AND payment_id IS NOT NULL`,
      [ref.statementId],
    );
    await harness.rows(`UPDATE statements SET status = 'READ' WHERE id = $1`, [ref.statementId]);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.fingerprint()).toEqual(before);
    expect(await harness.outcomes(ref)).toEqual(outcomes);
    expect(await harness.statement(ref)).toMatchObject({ status: 'RECONCILED' });
  });

  it('a line that cannot be applied stops no other, and the statement stays open', async () => {
    const broken = await harness.pay('UNKNOWN');
    const paid = await harness.pay('COMPLETED');
    const ref = await harness.list({
      entries: [broken, paid].map(({ reference }) => ({ reference, amount: '10.00' })),
    });
    await harness.activities.readStatement(ref);
    await breakPayment(broken.id);
    await expect(harness.activities.reconcileStatement(ref)).rejects.toThrow();
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'RECONCILED' });
    expect(await harness.statement(ref)).toMatchObject({ status: 'READ' });
  });
});

/** Lets the database refuse every further version of one payment. */
async function breakPayment(id: string): Promise<void> {
  const admin = new pg.Client({ connectionString: harness.url });
  await admin.connect();
  await admin.query(
    `INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
       status_detail, funds_status, reconciliation_status, actor, at)
     SELECT customer_id, environment, id, version + 1, status, status_detail, funds_status,
       reconciliation_status, 'a foreign hand', now() FROM payments WHERE id = $1`,
    [id],
  );
  await admin.end();
}
