import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalRefused } from '../../../src/modules/approvals/approval-refused.ts';
import type { ConfirmedOutcome } from '../../../src/domain/payments/confirm-outcome.ts';
import { proposeConfirmation } from '../../../src/modules/payments/confirm-outcome.ts';
import { holdStalled } from '../../support/hold-stalled.ts';
import type { Seeded } from '../../support/seed-payments.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import {
  createFinalityHarness,
  type FinalityHarness,
} from '../../support/payments/finality-harness.ts';

let harness: FinalityHarness;
let operators: TwoOperators;
beforeAll(async () => {
  harness = await createFinalityHarness();
  operators = createTwoOperators(harness.people, harness.clock);
});
afterAll(() => harness.close());
afterEach(async () => {
  const sums = await harness.rows(
    'SELECT FROM ledger_entries GROUP BY currency HAVING sum(amount) <> 0',
  );
  expect(sums).toEqual([]);
});

/** Sent, and not a word of the bank since: it waits for operators. */
async function stalled(): Promise<Seeded> {
  const sent = await harness.pay('UNKNOWN');
  await holdStalled(harness, harness.customer.scope, sent.id);
  return sent;
}

async function propose({ id, reference }: Seeded, outcome: ConfirmedOutcome): Promise<string> {
  const said = { outcome, reference, bankReference: null, evidence: 'LETTER 2026-11' };
  const act = { operator: await operators.operator('ada', 'OPERATIONS'), reason: 'asked the bank' };
  const { scope } = harness.customer;
  return (await proposeConfirmation(operators.deps, scope, id, said, act)) ?? '';
}

const kinds = async ({ id }: Seeded) => {
  const rows = await harness.rows<{ kind: string }>(
    'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
    [id],
  );
  return rows.map(({ kind }) => kind);
};

describe('a statement', () => {
  it('that shows the payout later confirms what operators said', async () => {
    const held = await stalled();
    expect(await operators.approve(await propose(held, 'SETTLED'))).toMatchObject({ code: 0 });
    await harness.showPayouts([held]);
    expect(await harness.finality(held.id)).toMatchObject({
      ...{ status: 'COMPLETED', reconciliation: 'RECONCILED' },
    });
    expect(await kinds(held)).toEqual(['HOLD', 'SETTLE']);
  });

  it('that shows the payout of what operators made fail is an exception, and an alarm', async () => {
    const held = await stalled();
    expect(await operators.approve(await propose(held, 'FAILED'))).toMatchObject({ code: 0 });
    const ref = await harness.reconcile({
      entries: [{ reference: held.reference, amount: '10.00' }],
    });
    expect(await harness.outcomes(ref)).toEqual(['LATE']);
    expect(await harness.finality(held.id)).toMatchObject({
      ...{ status: 'FAILED', reconciliation: 'EXCEPTION' },
    });
    expect(harness.alarms).toContainEqual(
      expect.objectContaining({ kind: 'EXCEPTION', paymentId: held.id }),
    );
    expect(await kinds(held)).toEqual(['HOLD', 'RELEASE']);
  });

  it('that is read, and not judged yet, keeps operators from giving the funds back', async () => {
    const held = await stalled();
    const proposal = await propose(held, 'FAILED');
    const ref = await harness.list({ entries: [{ reference: held.reference, amount: '10.00' }] });
    await harness.activities.readStatement(ref);
    const { code, error } = await operators.approve(proposal);
    expect([code, error]).toEqual([
      1,
      'A bank statement shows the opposite. The approval is void.',
    ]);
    await expect(propose(held, 'FAILED')).rejects.toThrow(ApprovalRefused);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.finality(held.id)).toMatchObject({
      ...{ status: 'COMPLETED', reconciliation: 'RECONCILED' },
    });
  });

  it('whose lines about it cancel out keeps them from saying that it was paid, not that it failed', async () => {
    const held = await stalled();
    const { reference } = held;
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
        { reference, amount: '10.00', reversal: true },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['OFFSET', 'OFFSET']);
    await expect(propose(held, 'SETTLED')).rejects.toThrow('A bank statement shows');
    expect(await operators.approve(await propose(held, 'FAILED'))).toMatchObject({ code: 0 });
    expect(await harness.finality(held.id)).toMatchObject({ status: 'FAILED' });
  });
});

describe('a payment that the bank has taken on', () => {
  it('is waited for first, and is confirmed once it is quiet for too long', async () => {
    const sent = await harness.pay('ACCEPTED', { at: harness.clock.now() });
    await expect(propose(sent, 'FAILED')).rejects.toThrow('the bank accepted it too recently');
    harness.clock.advance(61_000);
    expect(await operators.approve(await propose(sent, 'FAILED'))).toMatchObject({ code: 0 });
    expect(await harness.finality(sent.id)).toMatchObject({ status: 'FAILED' });
  });
});
