import { beforeAll, describe, expect, it } from 'vitest';
import { sayAfter } from '../support/say-after.ts';
import { openStack } from '../support/e2e/stack.ts';

/** On a machine that is busy; alone it takes some seconds. */
const DELIVERED_MS_MAX = 60_000;

const stack = openStack();
let endUserId: string;
beforeAll(async () => {
  await stack.untilReady();
  ({ endUserId } = await stack.addBeneficiary());
});

const pay = (amount: string): Promise<string> => stack.payWallet(endUserId, amount);

async function seen(id: string) {
  const { body } = await stack.insist('GET', `/payments/${id}`);
  const { state } = body['finality'] as { state: string };
  return { status: body['status'], detail: body['statusDetail'], finality: state };
}

const untilSeen = (id: string, wanted: object, timeout = DELIVERED_MS_MAX) =>
  expect.poll(() => seen(id), { timeout, interval: 200 }).toMatchObject(wanted);

async function heightOf(network: string): Promise<number> {
  const { controlUrl } = stack.state().chain!;
  const answer = await fetch(`${controlUrl}/rpc/${network}/a`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  });
  return Number(((await answer.json()) as { result: string }).result);
}

describe('a payment to a wallet', () => {
  it('is COMPLETED, then FINAL and RECONCILED; afterwards the chain adds no block', async () => {
    const id = await pay('25.00');
    const told = sayAfter('a payment to a wallet');
    await untilSeen(id, { status: 'COMPLETED' });
    told('COMPLETED');
    await untilSeen(id, { status: 'COMPLETED', finality: 'FINAL' });
    told('FINAL');
    const { body } = await stack.insist('GET', `/payments/${id}`);
    expect(body['reconciliation']).toMatchObject({ status: 'RECONCILED' });
    const read: number[] = [];
    const isStill = async () => {
      read.push(await heightOf('base'));
      return new Set(read.slice(-8)).size === 1 && read.length >= 8;
    };
    await expect.poll(isStill, { interval: 500 }).toBe(true);
  });

  it('that is reverted on the chain is FAILED', async () => {
    await untilSeen(await pay('25.01'), { status: 'FAILED' });
  });

  it('waits for tokens, and goes on by itself once the hot address has some', async () => {
    const id = await pay('25.06');
    await untilSeen(id, { detail: 'AWAITING_LIQUIDITY' });
    const { controlUrl } = stack.state().chain!;
    await fetch(`${controlUrl}/refills`, {
      method: 'POST',
      body: JSON.stringify({ network: 'BASE' }),
    });
    await untilSeen(id, { status: 'COMPLETED' });
  });
});
