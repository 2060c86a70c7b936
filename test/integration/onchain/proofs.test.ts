import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { sendAtOnce } from '../../support/onchain/send-at-once.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
});
afterAll(() => chain.close());

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status }) => status);

/** As the reader asks for them, with the transactions whose receipts it looked for. */
function counting() {
  const proved: string[] = [];
  const nodes: ReaderDeps['nodes'] = {
    ...chain.deps.nodes,
    findReceipts: (queries) => {
      proved.push(...queries.map(({ hash }) => hash));
      return chain.deps.nodes.findReceipts(queries);
    },
  };
  return { proved, nodes };
}

async function depositsAtOnce(count: number) {
  const addresses: string[] = [];
  for (let given = 0; given < count; given += 1) addresses.push(await chain.addStanding());
  const transfers = addresses.map((address) => [address, 5_000_000n] as const);
  return { addresses, txHash: await sendAtOnce(chain, transfers) };
}

describe('the receipt of a deposit', () => {
  it('is asked for once, when it is seen: the hash of its block commits to it', async () => {
    await chain.poll();
    const { proved, nodes } = counting();
    const one = await depositsAtOnce(4);
    const other = await depositsAtOnce(2);
    await chain.poll({ nodes });
    expect(proved).toEqual([one.txHash, other.txHash]);
    const addresses = [...one.addresses, ...other.addresses];
    await chain.anvil.mine(3);
    await chain.poll({ nodes });
    for (const address of addresses) expect(await stand(address)).toEqual(['CREDITED']);
    await chain.anvil.mine(6);
    await chain.poll({ nodes });
    for (const address of addresses) expect(await stand(address)).toEqual(['FINAL']);
    expect(proved).toHaveLength(2);
  });

  it('costs at most six questions to both providers until the deposit is credited', async () => {
    await chain.poll();
    const addresses: string[] = [];
    for (let given = 0; given < 30; given += 1) addresses.push(await chain.addStanding());
    const [from = ''] = chain.anvil.accounts;
    for (const address of addresses) {
      const data = usdcCall('transfer', address, 5_000_000n);
      await chain.anvil.send({ from, to: chain.usdc, data });
    }
    await chain.anvil.mine(1);
    const heard = () => chain.pair.one.heard.length + chain.pair.other.heard.length;
    const before = heard();
    await chain.poll();
    await chain.anvil.mine(3);
    await chain.poll();
    for (const address of addresses) expect(await stand(address)).toEqual(['CREDITED']);
    expect(heard() - before).toBeLessThanOrEqual(6 * addresses.length);
  });

  it('is asked for again where its block is another one, and what is not there is not credited', async () => {
    const address = await chain.addStanding();
    await chain.send(address, 5_000_000n);
    await chain.anvil.mine(1);
    await chain.poll();
    expect(await stand(address)).toEqual(['SEEN']);
    await chain.reorganise(1);
    await chain.anvil.mine(4);
    await chain.poll();
    expect(await stand(address)).toEqual(['ORPHANED']);
  });

  it('is not believed where one provider alone has the block, and the deposit waits', async () => {
    const address = await chain.addStanding();
    await chain.send(address, 5_000_000n);
    await chain.anvil.mine(1);
    await chain.poll();
    await chain.anvil.mine(3);
    const { nodes } = chain.deps;
    const differing: ReaderDeps['nodes'] = {
      ...nodes,
      blocksAt: async (numbers) => numbers.map(() => new ChainUnreadable('NODES_DIFFER')),
    };
    await expect(chain.poll({ nodes: differing })).rejects.toMatchObject({ why: 'NODES_DIFFER' });
    expect(await stand(address)).toEqual(['SEEN']);
    await chain.poll();
    expect(await stand(address)).toEqual(['CREDITED']);
  });
});
