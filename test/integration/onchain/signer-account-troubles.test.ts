import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { STUCK_MS } from '../../../src/domain/onchain/next-chain-step.ts';
import { SigningRefused } from '../../../src/domain/onchain/signer.ts';
import { encodeUnsigned, selfTransfer } from '../../../src/domain/onchain/transaction.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

const GWEI = 1_000_000_000n;

/** The nodes send nothing on: what is broadcast is lost. */
const lost = () => ({ nodes: { ...harness.deps.nodes, broadcast: async () => undefined } });

const transactions = () =>
  harness.rows<{ kind: string; fee: bigint; tip: bigint; hash: string | null }>(
    `SELECT kind, max_fee_per_gas AS fee, max_priority_fee_per_gas AS tip, hash
     FROM chain_transactions ORDER BY nonce, number`,
  );

/** Blocks without what is in the pool, so that it seems too cheap. */
async function passBy(blocks: number): Promise<void> {
  await harness.anvil.rpc('anvil_dropAllTransactions');
  await harness.anvil.mine(blocks);
}

it('a transfer that is stuck for five blocks and 30 s is raised by an eighth, and paid once', async () => {
  const { id, order } = await harness.send();
  await harness.poll(lost());
  await passBy(4);
  harness.clock.advance(STUCK_MS);
  await harness.poll(lost());
  expect(await transactions()).toHaveLength(1);
  await passBy(1);
  await harness.poll(lost());
  const [first, second] = await transactions();
  expect(second).toMatchObject({ kind: 'TRANSFER' });
  expect(second!.fee * 8n).toBeGreaterThanOrEqual(first!.fee * 9n);
  expect(second!.tip * 8n).toBeGreaterThanOrEqual(first!.tip * 9n);
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('what is stuck behind the lowest nonce is raised together with it', async () => {
  const sent = [await harness.send(), await harness.send(), await harness.send()];
  await harness.poll(lost());
  await passBy(5);
  harness.clock.advance(STUCK_MS);
  const late = await harness.send();
  await harness.poll(lost());
  const numbers = await harness.rows(
    'SELECT max(number)::integer AS number FROM chain_transactions GROUP BY nonce ORDER BY nonce',
  );
  // What was signed just now is not stuck.
  expect(numbers).toEqual([{ number: 1 }, { number: 1 }, { number: 1 }, { number: 0 }]);
  await harness.poll();
  await harness.makeFinal();
  for (const { order } of [...sent, late]) {
    expect(await harness.balance(order.to)).toBe(order.amount);
  }
});

it('a broadcast that fails is repeated by the next poll cycle, with the same bytes, and pays once', async () => {
  const { id, order } = await harness.send();
  const broadcast = () => Promise.reject(new Error('connection reset'));
  await expect(harness.poll({ nodes: { ...harness.deps.nodes, broadcast } })).rejects.toThrow(
    'connection reset',
  );
  const signed = await transactions();
  expect(signed).toHaveLength(1);
  await harness.poll();
  await harness.makeFinal();
  expect(await transactions()).toEqual(signed);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('an earlier transaction of the nonce that is mined after all settles the payment', async () => {
  const { id, order } = await harness.send();
  await harness.poll(lost());
  await passBy(5);
  harness.clock.advance(STUCK_MS);
  await harness.poll(lost());
  await broadcastFirst();
  await harness.anvil.mine(7);
  await harness.poll();
  await harness.poll();
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a payment that was told one hash of its nonce names the other once that is mined in its place', async () => {
  const { id, order } = await harness.send();
  await harness.poll(lost());
  await passBy(5);
  harness.clock.advance(STUCK_MS);
  await harness.poll(lost());
  const [first, second] = await harness.rows<{ raw: Buffer; hash: string }>(
    'SELECT raw, hash FROM chain_transactions ORDER BY number',
  );
  const { deps, customer } = harness;
  const hashes = async () => {
    const { refs } = await withLockedPayment(
      deps,
      customer.scope,
      id,
      async (locked) => locked.payment,
    );
    return refs.flatMap(({ type, value }) => (type === 'TX_HASH' ? value : []));
  };
  await deps.nodes.broadcast([second!.raw]);
  await harness.anvil.mine(4);
  await harness.poll();
  expect(await hashes()).toEqual([second!.hash]);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'PROVISIONAL' });

  await harness.anvil.rpc('anvil_rollback', 4);
  await harness.anvil.rpc('anvil_dropAllTransactions');
  await deps.nodes.broadcast([first!.raw]);
  await harness.anvil.mine(7);
  await harness.poll();
  await harness.poll();
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await hashes()).toEqual([first!.hash]);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('fees are raised up to the cap and no further, and then a human is called', async () => {
  const settings = {
    ...harness.deps.settings,
    gasCaps: { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 3n * GWEI },
  };
  await harness.send();
  for (let look = 0; look < 12; look += 1) {
    await harness.poll({ ...lost(), settings });
    await passBy(5);
    harness.clock.advance(STUCK_MS);
  }
  const all = await transactions();
  expect(all.length).toBeLessThanOrEqual(9);
  for (const { fee, tip } of all) {
    expect(fee).toBeLessThanOrEqual(3n * GWEI);
    expect(tip).toBeLessThanOrEqual(fee);
  }
  expect(harness.alarms).toContainEqual(expect.objectContaining({ kind: 'STALLED' }));
});

it('what is voided in time gives the funds back, only once that is final', async () => {
  const { id, reference, order } = await harness.send();
  await harness.poll(lost());
  expect(await voidTransfer(harness.deps, reference)).toBe(true);
  expect(await voidTransfer(harness.deps, reference)).toBe(false);
  await harness.poll();
  expect((await transactions()).map(({ kind }) => kind)).toEqual(['TRANSFER', 'VOID']);
  await harness.pollAfter(6);
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  await harness.mineAndPoll(1);
  expect(harness.woken).toHaveLength(1);
  expect(await harness.balance(order.to)).toBe(0n);
  expect(await reportsOf(reference)).toEqual([{ status: 'REJECTED', reason: 'VOIDED' }]);
});

it('a void that loses to its transfer changes nothing: the payment is COMPLETED', async () => {
  const { reference, order } = await harness.send();
  await harness.poll();
  await harness.anvil.mine();
  expect(await voidTransfer(harness.deps, reference)).toBe(true);
  await harness.pollAfter(7);
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await reportsOf(reference)).toEqual([{ status: 'SETTLED', reason: null }]);
  expect(await voidTransfer(harness.deps, reference)).toBe(false);
});

it('a transfer that waits is given up without a nonce', async () => {
  const { reference } = await harness.send();
  expect(await voidTransfer(harness.deps, reference)).toBe(true);
  await harness.poll();
  expect(await transactions()).toEqual([]);
  expect(await reportsOf(reference)).toEqual([{ status: 'REJECTED', reason: 'VOIDED' }]);
});

it('what the token refuses uses no nonce, and the funds go back', async () => {
  const owner = harness.anvil.accounts[0]!;
  const { reference, order } = await harness.send();
  const data = usdcCall('blacklist', order.to);
  await harness.anvil.sendAndMine({ from: owner, to: harness.usdc, data });
  await harness.poll();
  expect(await transactions()).toEqual([]);
  expect(await reportsOf(reference)).toEqual([{ status: 'REJECTED', reason: 'REVERTED' }]);
});

it('a transfer that is reverted is tried again with another nonce once that is final', async () => {
  const owner = harness.anvil.accounts[0]!;
  const { id, order } = await harness.send();
  await harness.poll(lost());
  const refuse = usdcCall('blacklist', order.to);
  await harness.anvil.sendAndMine({ from: owner, to: harness.usdc, data: refuse });
  await harness.poll();
  await harness.mineAndPoll(1);
  const allow = usdcCall('unBlacklist', order.to);
  await harness.anvil.sendAndMine({ from: owner, to: harness.usdc, data: allow });
  await harness.pollAfter(4);
  expect(await transactions()).toHaveLength(1);
  await harness.makeFinal();
  expect(await transactions()).toHaveLength(2);
  await harness.makeFinal();
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(harness.alarms).toEqual([{ kind: 'REVERTED', paymentId: id }]);
});

it.each(['before it is mined', 'before it is final', 'in the look that finds it final'] as const)(
  'a transfer that is given up and reverted is not paid by another nonce: voided %s',
  async (when) => {
    const owner = harness.anvil.accounts[0]!;
    const { id, reference, order } = await harness.send();
    const giveUp = async () => expect(await voidTransfer(harness.deps, reference)).toBe(true);
    await harness.poll(lost());
    const refuse = usdcCall('blacklist', order.to);
    await harness.anvil.sendAndMine({ from: owner, to: harness.usdc, data: refuse });
    if (when === 'before it is mined') await giveUp();
    await broadcastFirst();
    await harness.mineAndPoll(1);
    const allow = usdcCall('unBlacklist', order.to);
    await harness.anvil.sendAndMine({ from: owner, to: harness.usdc, data: allow });
    await harness.pollAfter(2);
    if (when === 'before it is final') await giveUp();
    await harness.anvil.mine(4);
    const { nodes } = harness.deps;
    const blocksAt = async (numbers: readonly bigint[]) => {
      if (when === 'in the look that finds it final') await giveUp();
      return nodes.blocksAt(numbers);
    };
    await harness.poll({ nodes: { ...nodes, blocksAt } });
    await harness.makeFinal();
    expect(await transactions()).toHaveLength(1);
    expect(await harness.balance(order.to)).toBe(0n);
    expect(await reportsOf(reference)).toEqual([{ status: 'REJECTED', reason: 'VOIDED' }]);
    await applyReports(id);
    expect(await harness.payment(id)).toMatchObject({ status: 'FAILED' });
  },
);

it('a delivered payment whose block is gone is an exception until the same bytes are mined again', async () => {
  const { id, order } = await harness.send();
  const before = await harness.anvil.rpc<string>('evm_snapshot');
  await harness.poll();
  await harness.pollAfter(4);
  await harness.poll();
  expect(await harness.payment(id)).toMatchObject({ status: 'SENT' });
  await applyReports(id);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED' });
  await harness.anvil.rpc('evm_revert', before);
  await harness.anvil.mine(6);
  await harness.poll();
  expect(await harness.payment(id)).toMatchObject({
    ...{ status: 'COMPLETED', finality: 'PROVISIONAL', reconciliation: 'EXCEPTION' },
  });
  expect(harness.alarms).toEqual([{ kind: 'REORGANISED', paymentId: id }]);
  await harness.poll();
  await harness.pollAfter(4);
  expect(await harness.payment(id)).toMatchObject({ reconciliation: 'PENDING' });
  await harness.pollAfter(4);
  expect(await harness.payment(id)).toMatchObject({
    ...{ finality: 'FINAL', reconciliation: 'RECONCILED' },
  });
  expect(await transactions()).toHaveLength(1);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a transaction of another at a nonce of ours freezes the signer account at the second poll cycle', async () => {
  const { reference } = await harness.send();
  await harness.poll(lost());
  await harness.deps.nodes.broadcast([await foreign(0n)]);
  await harness.anvil.mine(8);
  await harness.poll();
  expect(harness.alarms).toEqual([]);
  await harness.send();
  await harness.poll();
  const frozen = {
    kind: 'SIGNER_ACCOUNT_FROZEN',
    address: harness.signerAccount,
    why: 'FOREIGN_TRANSACTION',
  };
  expect(harness.alarms).toEqual([frozen]);
  await harness.makeFinal();
  expect(harness.alarms).toEqual([frozen, frozen, frozen]);
  expect(await transactions()).toHaveLength(1);
  expect(await reportsOf(reference)).toEqual([]);
});

it('a chain that is ahead of a signer account freezes it: a foreign transaction used a nonce of its address', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  await harness.deps.nodes.broadcast([await foreign(1n)]);
  await harness.anvil.mine(1);
  await harness.send();
  await harness.poll();
  await harness.poll();
  const frozen = {
    kind: 'SIGNER_ACCOUNT_FROZEN',
    address: harness.signerAccount,
    why: 'NONCE_AHEAD',
  };
  expect(harness.alarms).toEqual([frozen]);
  expect(await transactions()).toHaveLength(1);
});

it('a signer account without enough of the token waits until it is filled', async () => {
  const { id, order } = await harness.send(1_500_000_000n);
  await harness.send(1_000_000_000n);
  await harness.poll();
  const holds = 'SELECT hold FROM chain_transfers ORDER BY created_at, reference';
  expect(await harness.rows(holds)).toContainEqual({ hold: 'AWAITING_LIQUIDITY' });
  await harness.anvil.mine();
  await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 2_000_000_000n);
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
  expect(await harness.rows(holds)).toEqual([{ hold: null }, { hold: null }]);
});

it('nothing is sent while the network asks for more than the cap', async () => {
  const { order } = await harness.send();
  await harness.poll({
    settings: { ...harness.deps.settings, gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } },
  });
  expect(await harness.rows('SELECT hold FROM chain_transfers')).toEqual([
    { hold: 'NETWORK_CONGESTED' },
  ]);
  await harness.poll();
  await harness.pollAfter(4);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a nonce whose transfer the signer refuses is used up by a void, and the next one goes on', async () => {
  const { reference } = await harness.send();
  const signerOf = () => ({
    address: harness.signerAccount,
    sign: () => Promise.reject(new SigningRefused('AMOUNT_OVER_CAP')),
  });
  await harness.poll({ signerOf });
  const next = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  expect(await reportsOf(reference)).toEqual([{ status: 'REJECTED', reason: 'VOIDED' }]);
  expect(await harness.balance(next.order.to)).toBe(next.order.amount);
});

/** A transaction that the signer account's key signs behind our back. */
async function foreign(nonce: bigint): Promise<Uint8Array> {
  const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI };
  const turn = { chainId: BigInt(harness.anvil.chainId), nonce, gas: 50_000n, ...fees };
  const unsigned = encodeUnsigned(selfTransfer(turn, harness.signerAccount));
  const signed = await harness.deps.signerOf(harness.signerAccount)!.sign(unsigned);
  return signed.raw;
}

/** Nodes hold the bytes that were signed first. */
async function broadcastFirst(): Promise<void> {
  const [first] = await harness.rows<{ raw: Buffer }>(
    'SELECT raw FROM chain_transactions WHERE number = 0',
  );
  await harness.deps.nodes.broadcast([first!.raw]);
}

const reportsOf = (reference: string) =>
  harness.rows<{ status: string; reason: string | null }>(
    `SELECT status, reason FROM transfer_reports WHERE reference = $1 AND source = 'CHAIN'`,
    [reference],
  );

/** As the payment's workflow does when it is woken. */
async function applyReports(paymentId: string): Promise<void> {
  const { scope } = harness.customer;
  await withLockedPayment(harness.deps, scope, paymentId, async () => undefined);
}
