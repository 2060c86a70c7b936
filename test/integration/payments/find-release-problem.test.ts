import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { setCustomerStatus } from '../../support/set-customer-status.ts';
import { KYC_WITHDRAWN_MAX_MS } from '../../../src/domain/payments/settlement-timing.ts';
import { approveEndUser, revokeApproval } from '../../support/approve-end-user.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  TIMING,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
let began: { readonly available: string; readonly reserved: string };
let recipient: Recipient;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(async () => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
  harness.clock.advance(Date.now() - harness.clock.now().getTime());
  recipient = await addRecipient(harness);
  began = await harness.balance();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** To an end-user of the test's own. */
const accept = () => {
  const { endUserId, bankAccountId } = recipient;
  return harness.accept({ endUserId, bankAccountId });
};
const withdraw = () =>
  revokeApproval(harness.deps.db, harness.scope, recipient, harness.clock.now());
const approve = () =>
  approveEndUser(harness.deps.db, harness.scope, recipient.endUserId, harness.clock.now());
const setCustomer = (status: string) =>
  setCustomerStatus(harness.database.url, harness.scope.customerId, status);

describe('KYC withdrawn between acceptance and release', () => {
  it('holds the payment, and nothing is sent', async () => {
    const id = await accept();
    await withdraw();
    expect(await harness.settle(id)).toMatchObject({
      kind: 'WAIT',
      waitMs: 10_000,
      needsHuman: false,
    });
    const { payment } = await harness.tell(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'KYC_WITHDRAWN' });
    expect(payment.fundsStatus).toBe('HELD');
    await harness.settle(id);
    expect((await harness.tell(id)).payment.version).toBe(payment.version);
    expect(harness.bank.calls).toEqual([]);
  });

  it('resumes once KYC is approved again', async () => {
    const id = await accept();
    await withdraw();
    await harness.settle(id);
    await approve();
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('fails after 30 days and gives the funds back', async () => {
    const id = await accept();
    await withdraw();
    await harness.settle(id);
    harness.clock.advance(KYC_WITHDRAWN_MAX_MS - 1);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    harness.clock.advance(1);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    const { payment } = await harness.tell(id);
    expect(payment.failure).toMatchObject({ code: 'kyc_withdrawn', category: 'KYC' });
    expect(await harness.balance()).toEqual(began);
    expect(harness.bank.calls).toEqual([]);
  });

  it('counts its 30 days from the withdrawal, not from an earlier reason to wait', async () => {
    const id = await accept();
    await setCustomer('SUSPENDED');
    await harness.settle(id);
    harness.clock.advance(KYC_WITHDRAWN_MAX_MS);
    await setCustomer('ACTIVE');
    await withdraw();
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    expect((await harness.tell(id)).payment).toMatchObject({ statusDetail: 'KYC_WITHDRAWN' });
  });
});

describe('whatever else is withdrawn', () => {
  type Set = (status: string) => Promise<unknown>;
  const WITHDRAWALS: readonly (readonly [string, string, Set])[] = [
    ['CUSTOMER_SUSPENDED', 'SUSPENDED', setCustomer],
    [
      'END_USER_NOT_ACTIVE',
      'SUSPENDED',
      (to) =>
        harness.rows('UPDATE end_users SET status = $1 WHERE id = $2', [to, recipient.endUserId]),
    ],
    [
      'BANK_ACCOUNT_DISABLED',
      'DISABLED',
      (to) =>
        harness.rows('UPDATE bank_accounts SET status = $1 WHERE id = $2', [
          ...[to, recipient.bankAccountId],
        ]),
    ],
  ];

  it.each(WITHDRAWALS)('%s holds until it is undone', async (detail, status, set) => {
    const id = await accept();
    await set(status);
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: detail,
    });
    expect(harness.bank.calls).toEqual([]);
    await set('ACTIVE');
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('does not stop a question about what was sent before', async () => {
    harness.bank.onPut = () => ({ status: 500 });
    const id = await accept();
    await harness.settle(id);
    await withdraw();
    harness.clock.advance(1_000);
    await harness.settle(id);
    expect(harness.bank.calls.map(({ method }) => method)).toEqual(['PUT', 'GET']);
  });
});

describe('KYC withdrawn while the bank cannot be reached', () => {
  async function notSent(): Promise<string> {
    await harness.bank.goDown();
    const id = await accept();
    await expect(harness.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
    await harness.bank.comeBack();
    await withdraw();
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    return id;
  }

  it('holds what was committed but never left', async () => {
    const id = await notSent();
    const { payment, attempts } = await harness.tell(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'KYC_WITHDRAWN' });
    expect(attempts).toMatchObject([{ phase: 'NOT_SENT' }]);
    expect(harness.bank.calls).toEqual([]);
  });

  it('sends the same attempt once KYC is approved again', async () => {
    const id = await notSent();
    await approve();
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    const { attempts, story } = await harness.tell(id);
    expect(attempts).toMatchObject([{ number: 1, sends: 1 }]);
    expect(story.slice(-3)).toEqual([
      'ON_HOLD/KYC_WITHDRAWN',
      'PROCESSING/SUBMITTING',
      'COMPLETED/DELIVERED',
    ]);
  });

  it('fails after 30 days and gives the funds back', async () => {
    const id = await notSent();
    harness.clock.advance(KYC_WITHDRAWN_MAX_MS);
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(await harness.balance()).toEqual(began);
    expect(harness.bank.calls).toEqual([]);
  });
});

describe('KYC withdrawn after the bytes may have left', () => {
  /** Sent, unclearly answered, and "never seen" twice: only the withdrawal keeps it from a resend. */
  async function heldWhileUnknown(): Promise<string> {
    harness.bank.onPut = () => ({ status: 503 });
    const id = await accept();
    await harness.drive(id, ({ attempts }) => attempts[0]?.missingCount === 2);
    await withdraw();
    await harness.settle(id);
    expect((await harness.tell(id)).payment).toMatchObject({ statusDetail: 'KYC_WITHDRAWN' });
    return id;
  }
  const questions = () => harness.bank.calls.filter(({ method }) => method === 'GET').length;

  it('the bank is still asked, ever less often, and nothing is sent', async () => {
    const id = await heldWhileUnknown();
    const asked = questions();
    await harness.drive(id, () => questions() === asked + 5);
    const before = harness.clock.now().getTime();
    await harness.drive(id, () => questions() === asked + 6);
    expect(harness.clock.now().getTime() - before).toBe(TIMING.askMaxMs);
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('what the bank turns out to have paid is completed', async () => {
    const id = await heldWhileUnknown();
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('the same bytes go out again once KYC is approved', async () => {
    const id = await heldWhileUnknown();
    harness.bank.onPut = says('SETTLED');
    await approve();
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    const [first, second] = harness.bank.puts();
    expect(second).toEqual(first);
  });

  it('after 30 days an operator is called; the funds stay held', async () => {
    const id = await heldWhileUnknown();
    harness.clock.advance(KYC_WITHDRAWN_MAX_MS);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: true });
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: 'STALLED',
    });
    const { reserved } = await harness.balance();
    expect(BigInt(reserved) - BigInt(began.reserved)).toBe(1_000n);
    expect(harness.bank.puts()).toHaveLength(1);
  });
});
