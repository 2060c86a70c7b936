import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAddressOwner } from '../../../src/db/parties/deposit-address-store.ts';
import { listDeposits } from '../../../src/db/onchain/deposit-list-store.ts';
import { viewDeposit } from '../../../src/modules/ledger/funding/deposit-view.ts';
import { readSoFar } from '../../../src/modules/onchain/deposits/read-so-far.ts';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import type { Depth } from '../../../src/domain/onchain/network.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';

const SIX_THOUSAND = 6_000_000_000n;

const blocks = (count: number): Depth => ({ kind: 'BLOCKS', blocks: count });
const DEPTHS = { credit: blocks(3), creditAbove: blocks(6), final: blocks(6) };

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
});
afterAll(() => chain.close());

/** A chain on which more than 10,000 is credited only once it is final: six blocks deep, and not three. */
const nodes = (): ReaderDeps['nodes'] => ({
  ...chain.pair.nodes,
  async heads() {
    const heads = await chain.pair.nodes.heads();
    return { ...heads, creditAbove: heads.final };
  },
});
/** So many blocks, with a poll cycle after the first and one after the last. */
async function mine(blocks: number): Promise<void> {
  for (const more of blocks === 1 ? [1] : [1, blocks - 1]) {
    await chain.anvil.mine(more);
    await chain.poll({ nodes: nodes() });
  }
}
const statusAt = async (address: string) =>
  (await chain.deposits(address)).map((one) => one.status);

/** What the API and the dashboard say that the first deposit to an address must have. */
async function neededAt(address: string): Promise<number | null | undefined> {
  const { database, customer } = chain;
  return database.db.read(customer.scope, async (tx) => {
    const owner = await findAddressOwner(tx, customer.scope, address);
    const filter = { depositAddressId: owner?.depositAddressId ?? 'none' };
    const page = { limit: 1, before: null };
    const { items } = await listDeposits(tx, customer.scope, filter, page);
    const soFar = await readSoFar(tx, customer.scope, [{ network: 'BASE', depths: DEPTHS }], items);
    return items.map((row) => viewDeposit(row, soFar(row.network)).confirmations.need)[0];
  });
}

describe('an amount over 10,000', () => {
  it('waits for the deeper block however it is split, over addresses and blocks', async () => {
    const [first, second] = [await chain.addStanding(), await chain.addStanding()];
    await chain.send(first, SIX_THOUSAND);
    await mine(2);
    expect(await neededAt(first)).toBe(3);
    await chain.send(second, SIX_THOUSAND);
    await mine(4);
    expect([await statusAt(first), await statusAt(second)]).toEqual([['SEEN'], ['SEEN']]);
    expect([await neededAt(first), await neededAt(second)]).toEqual([6, 6]);
    await mine(1);
    // The first one is final: what is left above it is no large amount.
    expect([await statusAt(first), await statusAt(second)]).toEqual([['FINAL'], ['CREDITED']]);
  });

  it('waits so behind what of it is credited already', async () => {
    await mine(8);
    const [first, second] = [await chain.addStanding(), await chain.addStanding()];
    await chain.send(first, SIX_THOUSAND);
    await mine(4);
    expect(await statusAt(first)).toEqual(['CREDITED']);
    await chain.send(second, SIX_THOUSAND);
    await mine(1);
    expect([await statusAt(first), await statusAt(second)]).toEqual([['CREDITED'], ['SEEN']]);
    expect([await neededAt(first), await neededAt(second)]).toEqual([3, 6]);
    await mine(3);
    expect([await statusAt(first), await statusAt(second)]).toEqual([['FINAL'], ['CREDITED']]);
  });
});
