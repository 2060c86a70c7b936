import { beforeAll, describe, expect, it } from 'vitest';
import { sayAfter } from '../support/say-after.ts';
import { openStack } from '../support/e2e/stack.ts';

/** On a machine that is busy; alone it takes some seconds. */
const STEP_MS_MAX = 90_000;

const stack = openStack();
let to: { readonly endUserId: string; readonly bankAccountId: string };
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

interface Awaited {
  readonly id: string;
  readonly funding: { readonly address: string; readonly amountDue: string };
}

/** EUR for a bank account, paid for by USDC on Base. */
async function order(key: string, amount: string): Promise<Awaited> {
  const funding = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' };
  const body = { ...to, amount, currency: 'EUR', funding };
  const answer = await stack.insist<Awaited>('POST', '/payments', body, { 'idempotency-key': key });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function deposit(address: string, amount: string): Promise<void> {
  const body = { address, network: 'BASE', asset: 'USDC', amount };
  const answer = await stack.insist('POST', '/sandbox/token-deposits', body, {
    'idempotency-key': `${address}/${amount}`,
  });
  expect(answer.status, answer.text).toBe(202);
}

async function seen(id: string) {
  const { body } = await stack.insist('GET', `/payments/${id}`);
  const { state } = body['finality'] as { state: string };
  const { amountReceived } = body['funding'] as { amountReceived: string };
  const { status, statusDetail, fundsStatus } = body;
  return { status, statusDetail, fundsStatus, amountReceived, finality: state };
}

const untilSeen = (id: string, wanted: object) =>
  expect.poll(() => seen(id), { timeout: STEP_MS_MAX, interval: 200 }).toMatchObject(wanted);

interface ListedDeposit {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly appliedTo: string | null;
  readonly reason: string | null;
}

async function depositsOf(paymentId: string): Promise<readonly ListedDeposit[]> {
  const { body } = await stack.insist<{ data: ListedDeposit[] }>(
    'GET',
    `/deposits?paymentId=${paymentId}`,
  );
  return body.data;
}

const untilDeposits = (id: string, wanted: readonly object[]) =>
  expect
    .poll(() => depositsOf(id), { timeout: STEP_MS_MAX, interval: 200 })
    .toEqual(wanted.map((one) => expect.objectContaining(one) as unknown));

describe('a payment that a deposit pays for', { timeout: 5 * STEP_MS_MAX }, () => {
  it('waits for it, is COMPLETED once it is credited, and FINAL later; a second post answers the same address', async () => {
    const { id, funding } = await order('off-ramp', '40.00');
    expect((await order('off-ramp', '40.00')).funding.address).toBe(funding.address);
    await untilSeen(id, { statusDetail: 'AWAITING_DEPOSIT', fundsStatus: 'AWAITED' });
    await deposit(funding.address, funding.amountDue);
    const told = sayAfter('a deposit and its payment');
    await untilSeen(id, { status: 'COMPLETED', amountReceived: funding.amountDue });
    told('COMPLETED');
    await untilDeposits(id, [
      { status: 'FINAL', amount: funding.amountDue, appliedTo: 'PAYMENT', reason: null },
    ]);
    told('the deposit FINAL');
    await untilSeen(id, { status: 'COMPLETED', finality: 'FINAL' });
  });

  it('takes what is due of two deposits, and gives the rest to the balance', async () => {
    const { id, funding } = await order('off-ramp-in-parts', '30.00');
    await deposit(funding.address, '1.50');
    await untilSeen(id, { statusDetail: 'AWAITING_DEPOSIT', amountReceived: '1.500000' });
    await deposit(funding.address, funding.amountDue);
    await untilSeen(id, { status: 'COMPLETED', amountReceived: funding.amountDue });
    await untilDeposits(id, [
      { amount: funding.amountDue, appliedTo: 'PAYMENT', reason: 'SURPLUS' },
      { amount: '1.500000', appliedTo: 'PAYMENT', reason: null },
    ]);
  });
});
