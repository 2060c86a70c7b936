import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KYC_WITHDRAWN_MAX_MS } from '../../src/domain/payments/settlement-timing.ts';
import { approveEndUser, revokeApproval } from '../support/approve-end-user.ts';
import { says } from './scripted-bank.ts';
import { startScriptedWorld, TIMING, type ScriptedWorld } from './settlement-world.ts';

let world: ScriptedWorld;
beforeEach(async () => {
  world = await startScriptedWorld();
});
afterEach(async () => {
  await world.expectBooksToHold();
  await world.close();
});

const withdraw = () => revokeApproval(world.deps.db, world.scope, world.payer, world.clock.now());
const approve = () =>
  approveEndUser(world.deps.db, world.scope, world.payer.endUserId, world.clock.now());
const setCustomer = (status: string) =>
  world.rows('UPDATE customers SET status = $1 WHERE id = $2', [status, world.scope.customerId]);

describe('KYC withdrawn between acceptance and release', () => {
  it('holds the payment, and nothing is sent', async () => {
    const id = await world.accept();
    await withdraw();
    expect(await world.settle(id)).toEqual({ kind: 'WAIT', waitMs: 10_000, needsHuman: false });
    const { payment } = await world.tell(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'KYC_WITHDRAWN' });
    expect(payment.fundsStatus).toBe('HELD');
    await world.settle(id);
    expect((await world.tell(id)).payment.version).toBe(payment.version);
    expect(world.bank.calls).toEqual([]);
  });

  it('resumes once KYC is approved again', async () => {
    const id = await world.accept();
    await withdraw();
    await world.settle(id);
    await approve();
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('fails after 30 days and gives the funds back', async () => {
    const before = await world.balance();
    const id = await world.accept();
    await withdraw();
    await world.settle(id);
    world.clock.advance(KYC_WITHDRAWN_MAX_MS - 1);
    expect(await world.settle(id)).toMatchObject({ kind: 'WAIT' });
    world.clock.advance(1);
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    const { payment } = await world.tell(id);
    expect(payment.failure).toMatchObject({ code: 'kyc_withdrawn', category: 'KYC' });
    expect(await world.balance()).toEqual(before);
    expect(world.bank.calls).toEqual([]);
  });

  it('counts its 30 days from the withdrawal, not from an earlier reason to wait', async () => {
    const id = await world.accept();
    await setCustomer('SUSPENDED');
    await world.settle(id);
    world.clock.advance(KYC_WITHDRAWN_MAX_MS);
    await setCustomer('ACTIVE');
    await withdraw();
    expect(await world.settle(id)).toMatchObject({ kind: 'WAIT' });
    expect((await world.tell(id)).payment).toMatchObject({ statusDetail: 'KYC_WITHDRAWN' });
  });
});

describe('whatever else is withdrawn', () => {
  const WITHDRAWALS = [
    ['CUSTOMER_SUSPENDED', 'UPDATE customers SET status = $1 WHERE id = $2', 'SUSPENDED'],
    ['END_USER_NOT_ACTIVE', 'UPDATE end_users SET status = $1 WHERE customer_id = $2', 'SUSPENDED'],
    [
      'BANK_ACCOUNT_DISABLED',
      'UPDATE bank_accounts SET status = $1 WHERE customer_id = $2',
      'DISABLED',
    ],
  ] as const;

  it.each(WITHDRAWALS)('%s holds until it is undone', async (detail, sql, status) => {
    const id = await world.accept();
    await world.rows(sql, [status, world.scope.customerId]);
    await world.settle(id);
    expect((await world.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: detail,
    });
    expect(world.bank.calls).toEqual([]);
    await world.rows(sql, ['ACTIVE', world.scope.customerId]);
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  });

  it('does not stop a question about what was sent before', async () => {
    world.bank.onPut = () => ({ status: 500 });
    const id = await world.accept();
    await world.settle(id);
    await withdraw();
    world.clock.advance(1_000);
    await world.settle(id);
    expect(world.bank.calls.map(({ method }) => method)).toEqual(['PUT', 'GET']);
  });
});

describe('KYC withdrawn while the bank cannot be reached', () => {
  async function notSent(): Promise<string> {
    await world.bank.goDown();
    const id = await world.accept();
    await expect(world.settle(id)).rejects.toMatchObject({ code: 'BANK_UNREACHABLE' });
    await world.bank.comeBack();
    await withdraw();
    expect(await world.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    return id;
  }

  it('holds what was committed but never left', async () => {
    const id = await notSent();
    const { payment, attempts } = await world.tell(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'KYC_WITHDRAWN' });
    expect(attempts).toMatchObject([{ phase: 'NOT_SENT' }]);
    expect(world.bank.calls).toEqual([]);
  });

  it('sends the same attempt once KYC is approved again', async () => {
    const id = await notSent();
    await approve();
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    const { attempts, story } = await world.tell(id);
    expect(attempts).toMatchObject([{ number: 1, sends: 1 }]);
    expect(story.slice(-3)).toEqual([
      'ON_HOLD/KYC_WITHDRAWN',
      'PROCESSING/SUBMITTING',
      'COMPLETED/DELIVERED',
    ]);
  });

  it('fails after 30 days and gives the funds back', async () => {
    const id = await notSent();
    world.clock.advance(KYC_WITHDRAWN_MAX_MS);
    expect(await world.settle(id)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(await world.balance()).toEqual({ available: '100000000', reserved: '0' });
    expect(world.bank.calls).toEqual([]);
  });
});

describe('KYC withdrawn after the bytes may have left', () => {
  /** Sent, unclearly answered, and "never seen" twice: only the withdrawal keeps it from a resend. */
  async function heldWhileUnknown(): Promise<string> {
    world.bank.onPut = () => ({ status: 503 });
    const id = await world.accept();
    await world.drive(id, ({ attempts }) => attempts[0]?.missingCount === 2);
    await withdraw();
    await world.settle(id);
    expect((await world.tell(id)).payment).toMatchObject({ statusDetail: 'KYC_WITHDRAWN' });
    return id;
  }
  const questions = () => world.bank.calls.filter(({ method }) => method === 'GET').length;

  it('the bank is still asked, ever less often, and nothing is sent', async () => {
    const id = await heldWhileUnknown();
    const asked = questions();
    await world.drive(id, () => questions() === asked + 5);
    const before = world.clock.now().getTime();
    await world.drive(id, () => questions() === asked + 6);
    expect(world.clock.now().getTime() - before).toBe(TIMING.askMaxMs);
    expect(world.bank.puts()).toHaveLength(1);
  });

  it('what the bank turns out to have paid is completed', async () => {
    const id = await heldWhileUnknown();
    world.bank.onGet = says('SETTLED');
    expect((await world.drive(id)).payment.status).toBe('COMPLETED');
    expect(world.bank.puts()).toHaveLength(1);
  });

  it('the same bytes go out again once KYC is approved', async () => {
    const id = await heldWhileUnknown();
    world.bank.onPut = says('SETTLED');
    await approve();
    expect((await world.drive(id)).payment.status).toBe('COMPLETED');
    const [first, second] = world.bank.puts();
    expect(second).toEqual(first);
  });

  it('after 30 days an operator is called; the funds stay held', async () => {
    const id = await heldWhileUnknown();
    world.clock.advance(KYC_WITHDRAWN_MAX_MS);
    expect(await world.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: true });
    expect((await world.tell(id)).payment).toMatchObject({
      status: 'ON_HOLD',
      statusDetail: 'STALLED',
    });
    expect((await world.balance()).reserved).not.toBe('0');
    expect(world.bank.puts()).toHaveLength(1);
  });
});
