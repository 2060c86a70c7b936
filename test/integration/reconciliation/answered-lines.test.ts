import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
  type ShownDebit,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: DecidingHarness;
beforeAll(async () => {
  harness = await createDecidingHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** A credit of a customer's reference, and the line that took it back and was looked at before it. */
async function takenBackFirst(amount: string): Promise<[EntryDraft, ShownDebit]> {
  const entry = harness.deposit({ remittance: await harness.reference(), amount });
  const { bankReference, remittance } = entry;
  const reversal = { reversal: true, bankReference, remittance } as const;
  return [entry, await harness.showDebit(amount, reversal)];
}

const unmatched = async (amount: string): Promise<string> => {
  const [id = ''] = await harness.arriveUnmatched(harness.deposit({ remittance: 'Rent', amount }));
  return id;
};

describe('the line that took a credit back before it arrived', () => {
  it('closes that credit, and no other one of its amount', async () => {
    const [entry, line] = await takenBackFirst('51.01');
    const [its = ''] = await harness.arriveUnmatched(entry);
    expect((await harness.credit(its))?.unmatchedReason).toBe('REVERSED_FIRST');
    const other = await unmatched('51.01');
    const suspense = await harness.suspense();

    const wrong = await harness.approve(await harness.proposeClosing(other, line));
    expect(wrong.code).toBe(1);
    expect(wrong.printed).toContain('belongs to another credit');
    expect((await harness.credit(other))?.outcome).toBeNull();
    expect(await harness.suspense()).toBe(suspense);

    expect((await harness.approve(await harness.proposeClosing(its, line))).code).toBe(0);
    expect((await harness.credit(its))?.outcome).toBe('CLOSED');
    expect(await harness.suspense()).toBe(suspense - 5_101n);
  });

  it('closes no other one at the moment at which its own arrives', async () => {
    const [entry, line] = await takenBackFirst('51.02');
    const other = await unmatched('51.02');
    const proposal = await harness.proposeClosing(other, line);
    const ref = await harness.list({ entries: [entry] });
    await harness.activities.readStatement(ref);
    const suspense = await harness.suspense();
    expect((await approveWhileArriving(proposal, ref, line)).code).toBe(1);
    expect((await harness.credit(other))?.outcome).toBeNull();
    expect(await harness.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect(await harness.suspense()).toBe(suspense + 5_102n);
  });

  it('answers no credit that arrives at the moment at which another one is closed by it', async () => {
    const [entry, line] = await takenBackFirst('51.03');
    const other = await unmatched('51.03');
    const proposal = await harness.proposeClosing(other, line);
    const ref = await harness.list({ entries: [entry] });
    await harness.activities.readStatement(ref);
    const { available } = await harness.standing();
    expect((await arriveWhileApproving(proposal, ref)).code).toBe(0);
    expect((await harness.credit(other))?.outcome).toBe('CLOSED');
    expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
    expect((await harness.standing()).available - available).toBe(5_103n);
  });
});

/** A lock on the line holds the arrival up, which has found that the line is its own. */
const approveWhileArriving = (proposal: string, ref: StatementRef, line: ShownDebit) =>
  harness.whileHeld(
    `SELECT FROM statement_lines WHERE statement_id = ${String(line.statementId)}
       AND line = ${String(line.line)} FOR NO KEY UPDATE`,
    async (release) => {
      const arriving = harness.activities.reconcileStatement(ref);
      await harness.somebodyWaits('the arrival at the line', ['transactionid']);
      let isApproved = false;
      const approving = harness.approve(proposal).finally(() => (isApproved = true));
      const isOver = () => isApproved;
      await harness.somebodyWaits('the approval, unless it is through', ['advisory'], { isOver });
      await release();
      const [approved] = await Promise.all([approving, arriving]);
      return approved;
    },
  );

/** A lock on the ledger holds the approval up, which has closed the credit and is not committed. */
const arriveWhileApproving = (proposal: string, ref: StatementRef) =>
  harness.whileHeld('LOCK TABLE ledger_transactions IN SHARE MODE', async (release) => {
    const approving = harness.approve(proposal);
    await harness.somebodyWaits('the approval at the ledger', ['relation']);
    const arriving = harness.activities.reconcileStatement(ref);
    await harness.somebodyWaits('the arrival too', ['relation', 'advisory'], { count: 2 });
    await release();
    const [approved] = await Promise.all([approving, arriving]);
    return approved;
  });
