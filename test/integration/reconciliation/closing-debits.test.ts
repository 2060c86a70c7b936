import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
  type ShownDebit,
} from '../../support/reconciliation/deciding-harness.ts';

let harness: DecidingHarness;
beforeAll(async () => {
  harness = await createDecidingHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const unmatched = async (amount: string, bookedAt = '2026-09-29T12:00:00Z'): Promise<string> => {
  const entry = harness.deposit({ remittance: 'Rent', amount, bookedAt });
  const [id = ''] = await harness.arriveUnmatched(entry);
  return id;
};

/** Two operators close a credit against a line; whether it was closed. */
async function close(creditId: string, line: ShownDebit): Promise<boolean> {
  const { code } = await harness.approve(await harness.proposeClosing(creditId, line));
  const isClosed = (await harness.credit(creditId))?.outcome === 'CLOSED';
  expect(code).toBe(isClosed ? 0 : 1);
  return isClosed;
}

describe('one debit closes one credit, for two operators who mean ill as well', () => {
  it('though the bank shows it on two statements', async () => {
    const one = await unmatched('61.01');
    const other = await unmatched('61.01');
    const shown = { bankReference: newId('back') };
    const first = await harness.showDebit('61.01', shown);
    const again = await harness.showDebit('61.01', shown);
    const suspense = await harness.suspense();
    expect(await close(one, first)).toBe(true);
    expect(await close(other, again)).toBe(false);
    expect(await harness.suspense()).toBe(suspense - 6_101n);

    expect(await close(other, await harness.showDebit('61.01'))).toBe(true);
    expect(await harness.suspense()).toBe(suspense - 12_202n);
  });

  it('and two equal debits of one statement close two, shown again none', async () => {
    const amount = '61.02';
    const one = await unmatched(amount);
    const two = await unmatched(amount);
    const third = await unmatched(amount);
    const debit = { amount, bankReference: newId('back') };
    const showTwo = async (): Promise<ShownDebit[]> => {
      const { statementId } = await harness.reconcile({ entries: [debit, debit] });
      const [shown] = await harness.rows<{ id: string }>(
        'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
        [statementId],
      );
      const where = { statementId: BigInt(statementId), bankStatementId: shown?.id ?? '' };
      return [1, 2].map((line) => ({ ...where, line }));
    };
    const [first, second] = await showTwo();
    const [firstAgain, secondAgain] = await showTwo();
    if (!first || !second || !firstAgain || !secondAgain) throw new Error('a line is missing');
    expect(await close(one, first)).toBe(true);
    expect(await close(third, firstAgain)).toBe(false);
    // The second one is told from the first on either statement.
    expect(await close(two, secondAgain)).toBe(true);
    expect(await close(third, second)).toBe(false);
  });

  it('but a reference that the bank uses again, days later, is another debit', async () => {
    const one = await unmatched('61.03');
    const other = await unmatched('61.03');
    const bankReference = newId('back');
    const first = await harness.showDebit('61.03', { bankReference });
    const later = { bankReference, bookedAt: '2026-10-02T12:00:00Z' };
    const second = await harness.showDebit('61.03', later);
    expect(await close(one, first)).toBe(true);
    expect(await close(other, second)).toBe(true);
  });

  it('and one without a reference of the bank is told by its line', async () => {
    const one = await unmatched('61.04');
    const other = await unmatched('61.04');
    const first = await harness.showDebit('61.04', { bankReference: null });
    const second = await harness.showDebit('61.04', { bankReference: null });
    expect(await close(one, first)).toBe(true);
    expect(await close(other, first)).toBe(false);
    expect(await close(other, second)).toBe(true);
  });

  it('and none that was booked days before the credit came', async () => {
    const late = await unmatched('61.05', '2026-10-05T12:00:00Z');
    const before = await harness.showDebit('61.05', { bookedAt: '2026-10-01T12:00:00Z' });
    expect(await close(late, before)).toBe(false);
    const behind = await harness.showDebit('61.05', { bookedAt: '2026-10-05T13:00:00Z' });
    expect(await close(late, behind)).toBe(true);
  });

  it('which it took back before that arrived, on both statements that show it', async () => {
    const amount = '61.06';
    const entry = harness.deposit({ remittance: await harness.reference(), amount });
    const { bankReference, remittance } = entry;
    const reversal = { reversal: true, bankReference, remittance } as const;
    const first = await harness.showDebit(amount, reversal);
    const again = await harness.showDebit(amount, reversal);
    const [its = ''] = await harness.arriveUnmatched(entry);
    const other = await unmatched(amount);
    expect((await harness.credit(its))?.unmatchedReason).toBe('REVERSED_FIRST');
    expect(await close(other, first)).toBe(false);
    expect(await close(other, again)).toBe(false);
    expect(await close(its, again)).toBe(true);
  });

  it('which a later statement showed it to take back', async () => {
    const amount = '61.07';
    const entry = harness.deposit({ remittance: 'Rent', amount });
    const { bankReference } = entry;
    const reversal = { reversal: true, bankReference } as const;
    const first = await harness.showDebit(amount, reversal);
    const [its = ''] = await harness.arriveUnmatched(entry);
    await harness.showDebit(amount, reversal);
    expect((await harness.credit(its))?.outcome).toBe('REVERSED');
    const other = await unmatched(amount);
    expect(await close(other, first)).toBe(false);
  });
});
