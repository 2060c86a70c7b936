import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
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

/** A statement that takes a credit back, read and not yet reconciled. */
async function readReversal(entry: EntryDraft): Promise<StatementRef> {
  const reversal = { ...entry, direction: 'DBIT', reversal: true } as const;
  const ref = await harness.list({ entries: [reversal] });
  await harness.activities.readStatement(ref);
  return ref;
}

/**
 * Approves a proposal and, while its transaction has decided the credit and is not committed, reconciles
 * a reversal, which waits for it. A lock on the ledger holds its books up.
 */
const decideWhileReversing = (proposal: string, reversal: StatementRef): Promise<number> =>
  harness.whileHeld('LOCK TABLE ledger_transactions IN SHARE MODE', async (release) => {
    const approving = harness.approve(proposal);
    await harness.somebodyWaits('the approval at the ledger', ['relation']);
    const reversing = harness.activities.reconcileStatement(reversal);
    await harness.somebodyWaits('the reversal at the credit', ['transactionid', 'advisory']);
    await release();
    const [{ code }] = await Promise.all([approving, reversing]);
    return code;
  });

describe('a reversal at the moment at which operators decide its credit', () => {
  it('takes nothing out of suspense where they closed it: the money left once', async () => {
    const entry = harness.deposit({ remittance: 'Rent', amount: '20.01' });
    const before = await harness.suspense();
    const [id = ''] = await harness.arriveUnmatched(entry);
    const proposal = await harness.proposeClosing(id, await harness.showDebit('20.01'));
    const ref = await readReversal(entry);
    expect(await decideWhileReversing(proposal, ref)).toBe(0);
    expect((await harness.credit(id))?.outcome).toBe('CLOSED');
    expect(await harness.outcomes(ref)).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await harness.suspense()).toBe(before);
  });

  it('undoes the next that fits where they closed the newest', async () => {
    const entry = harness.deposit({ remittance: 'Rent', amount: '20.02' });
    const before = await harness.suspense();
    const [older = '', newest = ''] = await harness.arriveUnmatched(entry, 2);
    const proposal = await harness.proposeClosing(newest, await harness.showDebit('20.02'));
    const ref = await readReversal(entry);
    expect(await decideWhileReversing(proposal, ref)).toBe(0);
    expect((await harness.credit(newest))?.outcome).toBe('CLOSED');
    expect((await harness.credit(older))?.outcome).toBe('REVERSED');
    expect(await harness.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
    expect(await harness.suspense()).toBe(before);
  });

  it('undoes none where they gave one of two to a customer: whose it was is not known', async () => {
    const entry = harness.deposit({ remittance: 'Rent', amount: '20.03' });
    const before = await harness.standing();
    const [, newest = ''] = await harness.arriveUnmatched(entry, 2);
    const proposal = await harness.proposeAssignment(newest);
    const ref = await readReversal(entry);
    expect(await decideWhileReversing(proposal, ref)).toBe(0);
    expect(await harness.outcomes(ref)).toEqual(['UNEXPECTED_AT_BANK']);
    expect((await harness.standing()).available - before.available).toBe(2_003n);
  });

  it('is taken from the customer to whom they gave it', async () => {
    const entry = harness.deposit({ remittance: 'Rent', amount: '20.04' });
    const before = await harness.standing();
    const [id = ''] = await harness.arriveUnmatched(entry);
    const ref = await readReversal(entry);
    const proposal = await harness.proposeAssignment(id);
    expect(await decideWhileReversing(proposal, ref)).toBe(0);
    expect(await harness.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
    expect(await harness.standing()).toEqual(before);
  });
});
