import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { STUCK_MS } from '../../../src/domain/onchain/next-chain-step.ts';
import { forwarderAddress } from '../../../src/domain/onchain/create2.ts';
import { encodeUnsigned } from '../../../src/domain/onchain/transaction.ts';
import { encodeTransferCall, referenceMark } from '../../../src/domain/onchain/transfer-call.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import {
  act,
  addSweeps,
  deployHostile,
  hostileCall,
  TREASURY,
  type SweepChain,
} from '../../support/onchain/sweep-parts.ts';
import { thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';

const HOUR_MS = 3_600_000;
const ONE = 1_000_000n;
const GWEI = 1_000_000_000n;

let harness: SignerHarness;
let chain: SweepChain;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  chain = await addSweeps(harness);
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

const poll = (overrides: Partial<ChainDeps> = {}) => pollChain({ ...chain.deps, ...overrides });

/** What it sent becomes final. */
async function makeFinal(overrides: Partial<ChainDeps> = {}): Promise<void> {
  await harness.anvil.mine(8);
  await poll(overrides);
  await poll(overrides);
}

async function sweepRound(overrides: Partial<ChainDeps> = {}): Promise<void> {
  harness.clock.advance(10_000);
  await poll(overrides);
  await makeFinal(overrides);
}

/** Nodes that take what they are sent and tell no one. */
const lost = (): Partial<ChainDeps> => ({
  nodes: { ...chain.deps.nodes, broadcast: async () => undefined },
});

async function deposits(howMany: number): Promise<void> {
  await chain.depositMany(howMany, ONE);
  await harness.anvil.mine(7);
}

const states = async () => (await chain.sweeps()).map(({ state }) => state);
const inTreasury = () => chain.held(harness.usdc, TREASURY);

it('a sweep begins while many nonces are in blocks that are not final, and none while payments fill the next block', async () => {
  await deposits(1);
  await harness.anvil.mine(8);
  for (let sent = 0; sent < 12; sent += 1) await harness.send(ONE);
  harness.clock.advance(10_000);
  await poll();
  expect(await chain.sweeps()).toEqual([]);
  await harness.anvil.mine();
  harness.clock.advance(10_000);
  await poll();
  expect(await harness.rows("SELECT FROM chain_nonces WHERE state = 'OPEN'")).toHaveLength(13);
  expect(await chain.sweeps()).toMatchObject([{ state: 'OPEN', addresses: 1 }]);
});

it('a sweep that is stuck and may offer no more is given up, and holds up no payment', async () => {
  await deposits(1);
  harness.clock.advance(10_000);
  await poll(lost());
  const { id } = await harness.send(ONE);
  await poll(lost());
  const { settings } = chain.deps;
  const dear = { settings: { ...settings, sweeps: { ...settings.sweeps!, maxFeePerGas: 1n } } };
  await harness.anvil.mine(5);
  harness.clock.advance(STUCK_MS);
  await poll({ ...lost(), ...dear });
  await poll(dear);
  await makeFinal(dear);
  expect(await states()).toEqual(['REJECTED']);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  expect(harness.alarms).toEqual([]);
  // It says nothing of the address: an hour later it is swept like any other.
  harness.clock.advance(HOUR_MS);
  await sweepRound();
  expect(await states()).toEqual(['REJECTED', 'FINAL']);
  expect(await inTreasury()).toBe(ONE);
});

it('two sweeps and a payment together take no more of the coin than the signer account has', async () => {
  await deposits(51);
  const { maxFeePerGas } = await chain.deps.nodes.suggestFees();
  // As much as fifty addresses take, with what sixteen transfers need kept back.
  const coins = (60_000n + 50n * 150_000n + 16n * 100_000n) * maxFeePerGas;
  await harness.anvil.rpc('anvil_setBalance', harness.signerAccount, `0x${coins.toString(16)}`);
  harness.clock.advance(10_000);
  await poll(lost());
  expect(await chain.sweeps()).toMatchObject([{ addresses: 50, state: 'OPEN' }]);
  const left = 60_000n * maxFeePerGas;
  const swept = (60_000n + 50n * 150_000n) * maxFeePerGas;
  await harness.anvil.rpc(
    'anvil_setBalance',
    harness.signerAccount,
    `0x${(swept + left).toString(16)}`,
  );
  await harness.anvil.mine();
  await harness.send(ONE);
  await poll(lost());
  const holds = 'SELECT state, hold FROM chain_transfers';
  expect(await harness.rows(holds)).toEqual([{ state: 'WAITING', hold: 'AWAITING_LIQUIDITY' }]);
});

it('an address that two sweeps leave full is left for a day, and calls a human', async () => {
  const hostile = await deployHostile(harness.anvil, chain.factory);
  const id = newId('da');
  const address = forwarderAddress(chain.factory, PLACE.environment, id);
  await act(harness.anvil, hostile, hostileCall('issue', address, 5n * ONE));
  await act(harness.anvil, hostile, hostileCall('treat', address, 2, []));
  await chain.list('EURC', address, id);
  await harness.anvil.mine(7);
  const { settings, nodes } = chain.deps;
  const tokens = [{ asset: 'EURC', contract: hostile, floor: ONE }];
  const listed: Partial<ChainDeps> = {
    settings: { ...settings, sweeps: { ...settings.sweeps!, tokens } },
    // The token says that it would move.
    nodes: { ...nodes, tryCall: async () => ({ kind: 'WORKS', gas: 60_000n }) },
  };
  await sweepRound(listed);
  harness.clock.advance(HOUR_MS);
  await sweepRound(listed);
  expect(await states()).toEqual(['FINAL', 'FINAL']);
  expect(harness.alarms).toEqual([]);
  for (let hour = 0; hour < 3; hour += 1) {
    harness.clock.advance(HOUR_MS);
    await sweepRound(listed);
  }
  expect(await states()).toEqual(['FINAL', 'FINAL']);
  expect(harness.alarms).toEqual([{ kind: 'NOT_SWEPT', address, asset: 'EURC' }]);
  harness.clock.advance(24 * HOUR_MS);
  await sweepRound(listed);
  expect(await states()).toHaveLength(3);
});

it('a sweep ends where a payment of before the restore is found at its nonce, and its addresses are swept anew', async () => {
  await deposits(1);
  harness.clock.advance(10_000);
  await poll(lost());
  const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI };
  const turn = { chainId: BigInt(harness.anvil.chainId), nonce: 0n, gas: 100_000n, ...fees };
  const order = {
    to: harness.anvil.accounts[3]!,
    amount: 7n,
    mark: referenceMark('before the restore'),
  };
  const call = { to: harness.usdc, value: 0n, data: encodeTransferCall(order) };
  const signed = await harness.deps
    .signerOf(harness.signerAccount)!
    .sign(encodeUnsigned({ ...turn, ...call }));
  await harness.deps.nodes.broadcast([signed.raw]);
  await harness.anvil.mine(8);
  await poll();
  await poll();
  await thawSignerAccount(harness);
  for (let look = 0; look < 6; look += 1) {
    await harness.anvil.mine(4);
    await poll();
  }
  expect(await states()).toEqual(['REJECTED']);
  expect(await harness.rows('SELECT status FROM chain_signer_accounts')).toEqual([
    { status: 'OPEN' },
  ]);
  harness.clock.advance(HOUR_MS);
  await sweepRound();
  expect(await states()).toEqual(['REJECTED', 'FINAL']);
  expect(await inTreasury()).toBe(ONE);
});
