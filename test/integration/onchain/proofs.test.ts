import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { sendAtOnce } from '../../support/onchain/send-at-once.ts';

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
});
afterAll(() => chain.close());

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status }) => status);

/** As the reader asks for them, with the transactions that it looked for. */
function counting() {
  const proved: string[] = [];
  const nodes: ReaderDeps['nodes'] = {
    ...chain.deps.nodes,
    findTransaction: (hash) => {
      proved.push(hash);
      return chain.deps.nodes.findTransaction(hash);
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

describe('the deposits of one transaction', () => {
  it('are proved once when they are credited, and once when they are final', async () => {
    await chain.poll();
    const { addresses } = await depositsAtOnce(4);
    await chain.poll();
    const { proved, nodes } = counting();
    await chain.anvil.mine(3);
    await chain.poll({ nodes });
    expect(proved).toHaveLength(1);
    for (const address of addresses) expect(await stand(address)).toEqual(['CREDITED']);
    await chain.anvil.mine(3);
    proved.length = 0;
    await chain.poll({ nodes });
    // Once where the final blocks are read, once where they are made final.
    expect(proved).toHaveLength(2);
    for (const address of addresses) expect(await stand(address)).toEqual(['FINAL']);
  });

  it('are proved apart from those of the transaction before and behind', async () => {
    const one = await depositsAtOnce(2);
    const other = await depositsAtOnce(2);
    await chain.poll();
    const { proved, nodes } = counting();
    await chain.anvil.mine(3);
    await chain.poll({ nodes });
    expect(proved).toEqual([one.txHash, other.txHash]);
    for (const address of [...one.addresses, ...other.addresses]) {
      expect(await stand(address)).toEqual(['CREDITED']);
    }
  });
});
