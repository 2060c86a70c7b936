import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import {
  addSecondSignerAccount,
  type SecondSignerAccount,
} from '../../support/onchain/second-signer-account.ts';
import { mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';

let harness: SignerHarness;
let second: SecondSignerAccount;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(async () => {
  await startOver();
  second = addSecondSignerAccount(harness);
});
afterAll(() => harness.close());

const stand = async (reference: string) => {
  const [row] = await harness.rows<{ state: string; hold: string | null }>(
    'SELECT state, hold FROM chain_transfers WHERE reference = $1',
    [reference],
  );
  return row;
};

const issue = (call: string, ...args: readonly unknown[]) =>
  harness.anvil.sendAndMine({
    ...{ from: harness.anvil.accounts[0]!, to: harness.usdc },
    data: usdcCall(call, ...args),
  });

async function fillSecond(): Promise<void> {
  await harness.anvil.rpc('anvil_setBalance', second.address, '0x8ac7230489e80000');
  await mintUsdc(harness.anvil, harness.usdc, second.address, 1_000_000_000n);
}

it('a signer account that has nothing keeps no transfer from one that can pay it', async () => {
  const { order } = await harness.send();
  await harness.poll(second.both);
  await harness.mineAndPoll(1);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a signer account that the issuer has frozen keeps no transfer from one that can pay it', async () => {
  await fillSecond();
  await issue('blacklist', second.address);
  const { order } = await harness.send();
  await harness.poll(second.both);
  await harness.mineAndPoll(1);
  expect(await harness.balance(order.to)).toBe(order.amount);
  const refused = { kind: 'TOKEN_REFUSES', address: second.address, contract: harness.usdc };
  expect(harness.alarms).toEqual([refused]);
});

it('a token that is paused holds the payment and calls a human; nothing is given up', async () => {
  const { order, reference } = await harness.send();
  await issue('pause');
  await harness.poll();
  expect(await stand(reference)).toEqual({ state: 'WAITING', hold: 'AWAITING_LIQUIDITY' });
  expect(harness.alarms).toMatchObject([{ kind: 'TOKEN_REFUSES', address: harness.signerAccount }]);
  await issue('unpause');
  await harness.poll();
  await harness.mineAndPoll(1);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('what the token lets go nowhere is given up, also where another signer account has nothing', async () => {
  const { order, reference } = await harness.send();
  await issue('blacklist', order.to);
  await harness.poll(second.both);
  expect(await stand(reference)).toMatchObject({ state: 'REJECTED' });
});

it('nothing is given up as long as a signer account that may pay it cannot be asked', async () => {
  await fillSecond();
  const { order, reference } = await harness.send();
  await issue('blacklist', order.to);
  const { nodes } = harness.deps;
  const tryCall: typeof nodes.tryCall = (call) =>
    call.from === second.address
      ? Promise.reject(new ChainUnreadable('SILENT'))
      : nodes.tryCall(call);
  const poll = harness.poll({ ...second.both, nodes: { ...nodes, tryCall } });
  await expect(poll).rejects.toThrow(ChainUnreadable);
  expect(await stand(reference)).toMatchObject({ state: 'WAITING' });
});

it('transfers that are too large for the signer account do not starve those behind them', async () => {
  for (let held = 0; held < 101; held += 1) {
    await harness.send(2_000_000_000n);
    harness.clock.advance(1);
  }
  const { order } = await harness.send();
  await harness.poll();
  await harness.mineAndPoll(1);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a transfer of which nothing can be read keeps no other from its turn', async () => {
  const unread = await harness.send();
  harness.clock.advance(1);
  const { order } = await harness.send();
  const { nodes } = harness.deps;
  const to = unread.order.to.slice(2).toLowerCase();
  const tryCall: typeof nodes.tryCall = (call) =>
    Buffer.from(call.data).toString('hex').includes(to)
      ? Promise.reject(new ChainUnreadable('NODES_DIFFER'))
      : nodes.tryCall(call);
  await expect(harness.poll({ nodes: { ...nodes, tryCall } })).rejects.toThrow(ChainUnreadable);
  await harness.mineAndPoll(1);
  expect(await harness.balance(order.to)).toBe(order.amount);
});
