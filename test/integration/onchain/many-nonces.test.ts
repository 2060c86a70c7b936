import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { ChainUnreadable, type ChainNodes } from '../../../src/domain/onchain/chain-nodes.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import { createChainPayer, type ChainPayer } from '../../support/onchain/chain-payer.ts';
import {
  createSignerHarness,
  NOT_FINAL_MAX,
  type SentPayment,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';

const ONE = 1_000_000n;
/** Three quarters of 16 and of what may be not final: what one customer may have under way. */
const UNMINED_OF_ONE = 12;
const NOT_FINAL_OF_ONE = (NOT_FINAL_MAX * 3) / 4;

let harness: SignerHarness;
let other: ChainPayer;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  const { database, clock, usdc } = harness;
  other = await createChainPayer(database, clock, { asset: 'USDC', contract: usdc });
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

async function sendMany(count: number, payer: Pick<ChainPayer, 'send'> = harness) {
  const sent: SentPayment[] = [];
  for (let n = 0; n < count; n += 1) {
    sent.push(await payer.send(ONE));
    harness.clock.advance(1);
  }
  return sent;
}

const countNonces = async (): Promise<number> =>
  (await harness.rows('SELECT FROM chain_nonces')).length;

/** The same nodes; counts what they are asked. */
function counting(): { readonly nodes: ChainNodes; readonly asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const nodes = new Proxy(harness.deps.nodes, {
    get(target, name: keyof ChainNodes) {
      return (...given: readonly never[]) => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        return (target[name] as (...args: readonly never[]) => unknown)(...given);
      };
    },
  });
  return { nodes, asked };
}

it('nonces in a block that is not final leave room for more, and no more than the limit are not final', async () => {
  const sent = await sendMany(30);
  const counts: number[] = [];
  for (let block = 0; block < 4; block += 1) {
    await harness.poll();
    counts.push(await countNonces());
    await harness.anvil.mine();
  }
  const twice = 2 * UNMINED_OF_ONE;
  expect(counts).toEqual([UNMINED_OF_ONE, twice, NOT_FINAL_OF_ONE, NOT_FINAL_OF_ONE]);
  await harness.makeFinal();
  await harness.makeFinal();
  for (const { order } of sent) expect(await harness.balance(order.to)).toBe(ONE);
});

it('a signer account has 16 nonces that no block holds at the most', async () => {
  await sendMany(20);
  await sendMany(20, other);
  await harness.poll();
  expect(await countNonces()).toBe(16);
  await harness.poll();
  expect(await countNonces()).toBe(16);
});

it('a payment is in the second block at the latest, though another customer has more waiting than may be under way', async () => {
  await sendMany(60);
  for (let block = 0; block < 4; block += 1) {
    await harness.poll();
    await harness.anvil.mine();
  }
  const [single] = await sendMany(1, other);
  await harness.mineAndPoll(2);
  expect(await harness.balance(single!.order.to)).toBe(ONE);
});

it('customers take turns: the one with the fewest transfers under way is first, whoever waits longest', async () => {
  await sendMany(16);
  const late = await sendMany(8, other);
  await harness.poll();
  const rows = await harness.rows<{ reference: string; state: string }>(
    "SELECT reference, state FROM chain_transfers WHERE state = 'CARRIED'",
  );
  const carried = new Set(rows.map(({ reference }) => reference));
  expect(late.filter(({ reference }) => carried.has(reference))).toHaveLength(8);
  expect(carried.size).toBe(16);
});

it('what holds all transfers of one customer keeps no other from its turn', async () => {
  for (let held = 0; held < 110; held += 1) await harness.send(2_000_000_000n);
  const [single] = await sendMany(1, other);
  await harness.poll();
  await harness.mineAndPoll(1);
  expect(await harness.balance(single!.order.to)).toBe(ONE);
});

it('of nonces in blocks that are not final, one header is read and no receipt', async () => {
  await sendMany(24);
  await harness.poll();
  await harness.mineAndPoll(2);
  await harness.mineAndPoll(1);
  expect(await countNonces()).toBe(24);
  const { nodes, asked } = counting();
  await harness.anvil.mine();
  await harness.poll({ nodes });
  expect(asked.get('findTransactions')).toBeUndefined();
  expect(asked.get('findTransaction')).toBeUndefined();
  expect(asked.get('blockAt')).toBeUndefined();
  expect(asked.get('blocksAt')).toBe(1);
});

it('a process that begins reads receipts in groups, and concludes the same', async () => {
  const sent = await sendMany(24);
  await harness.poll();
  await harness.mineAndPoll(2);
  await harness.anvil.mine(7);
  const { nodes, asked } = counting();
  await harness.poll({ nodes, memory: createChainMemory() });
  await harness.poll({ nodes, memory: createChainMemory() });
  expect(asked.get('findTransactions')).toBeLessThanOrEqual(2);
  expect(asked.get('findTransaction')).toBeUndefined();
  for (const { id } of sent) {
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  }
});

it('while two nodes give different headers, nothing that was proved becomes final', async () => {
  const [sent] = await sendMany(1);
  await harness.poll();
  await harness.pollAfter(4);
  expect(await harness.rows("SELECT FROM chain_nonces WHERE state = 'SETTLED'")).toHaveLength(1);
  await harness.anvil.mine(4);
  const { nodes } = harness.deps;
  const blocksAt = () => Promise.reject(new ChainUnreadable('NODES_DIFFER'));
  const poll = harness.poll({ nodes: { ...nodes, blocksAt }, memory: createChainMemory() });
  await expect(poll).rejects.toThrow(ChainUnreadable);
  expect(await harness.rows("SELECT FROM chain_nonces WHERE state = 'FINAL'")).toEqual([]);
  await harness.makeFinal();
  expect(await harness.payment(sent!.id)).toMatchObject({ finality: 'FINAL' });
});

it('many nonces that are reorganised away are open again, and each payment is paid once', async () => {
  const sent = await sendMany(24);
  await harness.poll();
  const before = await harness.anvil.rpc<string>('evm_snapshot');
  await harness.mineAndPoll(2);
  await harness.mineAndPoll(3);
  const settled = () => harness.rows("SELECT FROM chain_nonces WHERE state = 'SETTLED'");
  expect((await settled()).length).toBeGreaterThan(UNMINED_OF_ONE);
  await harness.anvil.rpc('evm_revert', before);
  await harness.anvil.rpc('anvil_dropAllTransactions');
  await harness.anvil.mine(6);
  await harness.poll();
  expect(await settled()).toEqual([]);
  await harness.poll();
  await harness.makeFinal();
  await harness.makeFinal();
  for (const { order, id } of sent) {
    expect(await harness.balance(order.to)).toBe(ONE);
    expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
  }
});

it('a transfer that is given up among many is voided alone', async () => {
  const sent = await sendMany(UNMINED_OF_ONE);
  const lost: Partial<ChainDeps> = {
    nodes: { ...harness.deps.nodes, broadcast: async () => undefined },
  };
  await harness.poll(lost);
  expect(await voidTransfer(harness.deps, sent[5]!.reference)).toBe(true);
  await harness.poll();
  await harness.makeFinal();
  const paid = await Promise.all(sent.map(({ order }) => harness.balance(order.to)));
  expect(paid.filter((amount) => amount === ONE)).toHaveLength(UNMINED_OF_ONE - 1);
  expect(paid[5]).toBe(0n);
});
