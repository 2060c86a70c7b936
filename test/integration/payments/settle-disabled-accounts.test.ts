import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
  type Told,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeEach(async () => {
  harness = await startScriptedHarness();
});
afterEach(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

async function disableAccountOf({ payment: { destination } }: Told): Promise<void> {
  if (destination.kind !== 'BANK') throw new Error('it goes to no account');
  const url = `/bank-accounts/${destination.bankAccountId}/disable`;
  const answer = await harness.ask({ method: 'POST', url, body: {} });
  expect(answer.statusCode).toBe(200);
}

const FAILED = {
  payment: {
    ...{ status: 'FAILED', statusDetail: 'BANK_ACCOUNT_DISABLED', fundsStatus: 'BACK_IN_BALANCE' },
    failure: { code: 'destination_disabled', category: 'CUSTOMER' },
  },
};

describe('a payment whose bank account is disabled between two sends', () => {
  it('fails once the bank has confirmed that it rejected the last one, and nothing is sent', async () => {
    harness.bank.onPut = says('REJECTED', 'AB05');
    harness.bank.onGet = says('REJECTED', 'AB05');
    const before = await harness.balance();
    const id = await harness.accept();
    const rejected = await harness.drive(id, ({ payment }) => payment.rejections === 1);
    await disableAccountOf(rejected);
    expect(await harness.drive(id)).toMatchObject(FAILED);
    expect(harness.bank.puts()).toHaveLength(1);
    expect(await harness.balance()).toEqual(before);
  });

  it('waits for operators where the bank never saw it: its bytes may arrive late', async () => {
    harness.bank.onPut = () => 'SILENCE';
    harness.bank.onGet = () => NEVER_SEEN;
    const id = await harness.accept();
    const unknown = await harness.drive(id, ({ attempts }) => attempts[0]?.phase === 'UNKNOWN');
    await disableAccountOf(unknown);
    const { payment, attempts } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    expect(payment.fundsStatus).toBe('UNKNOWN');
    expect(attempts).toMatchObject([{ phase: 'UNKNOWN', missingCount: 2 }]);
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('goes on being asked about while the bank does not say what became of it', async () => {
    harness.bank.onPut = () => 'SILENCE';
    harness.bank.onGet = () => ({ status: 500 });
    const id = await harness.accept();
    const unknown = await harness.drive(id, ({ attempts }) => attempts[0]?.phase === 'UNKNOWN');
    await disableAccountOf(unknown);
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });
    harness.bank.onGet = says('SETTLED');
    harness.clock.advance(60_000);
    expect(await harness.drive(id)).toMatchObject({ payment: { status: 'COMPLETED' } });
  });
});
