import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('ACCEPTED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** A payment that the bank has ACCEPTED, and the reference it knows it by. */
async function sent(): Promise<{ id: string; reference: string }> {
  const id = await harness.accept();
  await harness.settle(id);
  return { id, reference: (await harness.tell(id)).attempts[0]?.reference ?? '' };
}

/** A payment whose first attempt the bank REJECTED, and whose second it has ACCEPTED. */
async function sentAgain() {
  harness.bank.onPut = says('REJECTED', 'BANK_UNAVAILABLE');
  const id = await harness.accept();
  await harness.settle(id);
  harness.bank.onPut = says('ACCEPTED');
  const { attempts } = await harness.drive(id, ({ payment }) => payment.status === 'SENT');
  const [first, second] = attempts;
  if (first === undefined || second === undefined) throw new Error('an attempt is missing');
  return { id, first, second };
}

const ledgerOf = async (id: string) =>
  (
    await harness.rows<{ kind: string }>(
      'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
      [id],
    )
  ).map(({ kind }) => kind);

/** Callbacks in this order, judged one by one or all at once. */
async function hear(id: string, reference: string, statuses: readonly string[], oneByOne = true) {
  for (const status of statuses) {
    const reason = status === 'REJECTED' || status === 'RETURNED' ? { reason: 'AC04' } : {};
    expect(await harness.callback({ reference, status, ...reason })).toBe(202);
    if (oneByOne) await harness.applyTransferReports(id);
  }
  await harness.applyTransferReports(id);
  return harness.tell(id);
}

describe('callbacks', () => {
  it('the same one twice is one report', async () => {
    const { id, reference } = await sent();
    const word = { reference, status: 'SETTLED' };
    await harness.callback(word, { id: 'msg_twice' });
    await harness.callback(word, { id: 'msg_twice' });
    expect(await harness.applyTransferReports(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    const reports = await harness.rows(
      'SELECT effect FROM transfer_reports WHERE payment_id = $1',
      [id],
    );
    expect(reports).toEqual([{ effect: 'COMPLETE' }]);
  });

  it.each([
    [['SETTLED', 'ACCEPTED', 'SETTLED'], 'COMPLETED', ['HOLD', 'SETTLE']],
    [['ACCEPTED', 'ACCEPTED', 'SETTLED'], 'COMPLETED', ['HOLD', 'SETTLE']],
    [['RETURNED', 'SETTLED', 'ACCEPTED'], 'RETURNED', ['HOLD', 'SETTLE', 'RETURN']],
    [['SETTLED', 'RETURNED', 'RETURNED'], 'RETURNED', ['HOLD', 'SETTLE', 'RETURN']],
    [['REJECTED', 'ACCEPTED', 'REJECTED'], 'FAILED', ['HOLD', 'RELEASE']],
  ])('%j leads to %s, one by one or all at once', async (statuses, outcome, ledger) => {
    for (const oneByOne of [true, false]) {
      const { id, reference } = await sent();
      const { payment } = await hear(id, reference, statuses, oneByOne);
      expect(payment).toMatchObject({ status: outcome, reconciliationStatus: 'PENDING' });
      expect(await ledgerOf(id)).toEqual(ledger);
    }
  });

  it('of an unknown reference are kept, and change nothing', async () => {
    expect(await harness.callback({ reference: 'CWUNKNOWN', status: 'SETTLED' })).toBe(202);
    const kept = await harness.rows(
      "SELECT payment_id AS id, processed_at AS at FROM transfer_reports WHERE reference = 'CWUNKNOWN'",
    );
    expect(kept).toEqual([{ id: null, at: null }]);
  });

  it('signed with another secret are refused and not kept', async () => {
    const { id, reference } = await sent();
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    expect(await harness.callback({ reference, status: 'SETTLED' }, { secret })).toBe(401);
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.status).toBe('SENT');
  });

  it('of one environment never touch a payment of the other', async () => {
    const { reference } = await sent();
    await harness.rows(
      `SELECT * FROM store_bank_callback('live', 'msg_live', $1, 'SETTLED', NULL, NULL, NULL, now(),
         now())`,
      [reference],
    );
    const kept = await harness.rows(
      "SELECT payment_id AS id FROM transfer_reports WHERE report_id = 'msg_live'",
    );
    expect(kept).toEqual([{ id: null }]);
  });
});

describe('a bank that contradicts itself', () => {
  it.each([
    [['SETTLED', 'REJECTED'], 'COMPLETED', ['HOLD', 'SETTLE']],
    [['REJECTED', 'SETTLED'], 'FAILED', ['HOLD', 'RELEASE']],
    [['REJECTED', 'RETURNED'], 'FAILED', ['HOLD', 'RELEASE']],
    [['RETURNED', 'REJECTED'], 'RETURNED', ['HOLD', 'SETTLE', 'RETURN']],
  ])('%j: nothing moves any more, a human must look', async (statuses, outcome, ledger) => {
    const { id, reference } = await sent();
    const { payment } = await hear(id, reference, statuses);
    expect(payment).toMatchObject({ status: outcome, reconciliationStatus: 'EXCEPTION' });
    expect(payment.reconciliationEvidence).toMatchObject({ kind: 'CONTRADICTION', reference });
    expect(await ledgerOf(id)).toEqual(ledger);
  });

  it('by saying the same again adds no version and no event', async () => {
    const { id, reference } = await sent();
    const { payment } = await hear(id, reference, ['REJECTED', 'SETTLED']);
    const again = await hear(id, reference, ['SETTLED', 'SETTLED', 'REJECTED']);
    expect(again.payment.version).toBe(payment.version);
  });

  it('about an earlier attempt does not give back what a later one may have paid', async () => {
    const before = await harness.balance();
    const { id, first, second } = await sentAgain();
    // The rejected one was paid after all, says the bank; then it rejects the one under way.
    await hear(id, first.reference, ['SETTLED']);
    const { payment } = await hear(id, second.reference, ['REJECTED']);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(await ledgerOf(id)).toEqual(['HOLD']);
    expect(await harness.balance()).not.toEqual(before);
    // Once the bank repeats that the first was paid, and nothing else is under way, it is believed.
    expect((await hear(id, first.reference, ['SETTLED'])).payment.status).toBe('COMPLETED');
  });

  it('after a contradiction nothing is sent any more', async () => {
    const { id, first, second } = await sentAgain();
    await hear(id, first.reference, ['SETTLED']);
    await harness.callback({
      ...{ reference: second.reference, status: 'REJECTED', reason: 'BANK_UNAVAILABLE' },
    });
    harness.bank.calls.length = 0;
    expect((await harness.drive(id)).payment).toMatchObject({ status: 'ON_HOLD' });
    expect(harness.bank.puts()).toEqual([]);
  });
});
