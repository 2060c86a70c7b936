import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proposeResumption } from '../../../src/modules/onchain/resume-network.ts';
import { findChainStop } from '../../../src/db/onchain/chain-stop-store.ts';
import type { BlockedDecision } from '../../../src/domain/onchain/deposits/deposit.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';
import { decideBlockedDeposit } from '../../support/decide-blocked-deposit.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';

let chain: ReaderHarness;
let operators: TwoOperators;
beforeAll(async () => {
  chain = await createReaderHarness();
  operators = createTwoOperators(chain.database.people, chain.clock);
  const [sender = ''] = chain.anvil.accounts;
  chain.verdicts.set(sender, 'BLOCKED');
});
afterAll(() => chain.close());

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status, appliedTo }) => `${status} ${appliedTo ?? '-'}`);
const unswept = async () => {
  const rows = await chain.rows<{ address: string }>('SELECT address FROM chain_unswept');
  return rows.map(({ address }) => address).sort();
};

/** Two operators decide about the one deposit to an address. */
async function decide(address: string, decision: BlockedDecision): Promise<void> {
  const [known] = await chain.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE to_address = $1',
    [address],
  );
  const { clock, database } = chain;
  await decideBlockedDeposit(
    { people: database.people, clock, operators },
    known?.id ?? '',
    decision,
  );
}

describe('a deposit of a sender on a list, by a real chain', () => {
  it('is final once it is released, or stays in suspense; either way its tokens are the books’, and are swept', async () => {
    const [released, kept] = [await chain.addStanding(), await chain.addStanding()];
    await chain.poll();
    await chain.send(released, 5_000_000n);
    await chain.mineAndPoll(1);
    await chain.send(kept, 6_000_000n);
    await chain.mineAndPollTwice(8);
    for (const address of [released, kept]) {
      expect(await stand(address)).toEqual(['BLOCKED SUSPENSE']);
    }
    expect(await unswept()).toEqual([]);
    await decide(released, 'RELEASE');
    await decide(kept, 'KEEP');
    await chain.mineAndPollTwice(4);
    expect(await stand(released)).toEqual(['FINAL BALANCE']);
    expect(await stand(kept)).toEqual(['KEPT SUSPENSE']);
    expect(await unswept()).toEqual([released, kept].sort());
    expect(await chain.books()).toMatchObject({ available: 5_000_000n, suspense: 6_000_000n });
    chain.clock.advance(20 * 60_000);
    await chain.mineAndPoll(2);
    expect(chain.alarms).toEqual([]);
  });

  it('that a reorganisation takes back after its release is taken back, and blocked when it is mined again', async () => {
    const address = await chain.addStanding();
    const before = await chain.books();
    await chain.send(address, 7_000_000n);
    await chain.mineAndPollTwice(4);
    expect(await stand(address)).toEqual(['BLOCKED SUSPENSE']);
    await decide(address, 'RELEASE');
    expect(await stand(address)).toEqual(['CREDITED BALANCE']);
    await chain.reorganise(4);
    await chain.poll();
    expect(await stand(address)).toEqual(['ORPHANED -']);
    expect(await chain.books()).toEqual(before);
    await chain.send(address, 7_000_000n);
    await chain.mineAndPollTwice(4);
    expect((await stand(address)).sort()).toEqual(['BLOCKED SUSPENSE', 'ORPHANED -']);
  });

  it('that is kept follows its network where that takes back final blocks: it stays where it stands, or is taken back', async () => {
    const [, second = ''] = chain.anvil.accounts;
    chain.verdicts.set(second, 'BLOCKED');
    await mintUsdc(chain.anvil, chain.usdc, second, 1_000_000_000n);
    const [gone, again] = [await chain.addStanding(), await chain.addStanding()];
    await chain.mineAndPollTwice(8);
    await chain.send(gone, 9_000_000n);
    const hash = await chain.send(again, 4_000_000n, chain.usdc, second);
    const raw = await chain.anvil.rpc<string>('eth_getRawTransactionByHash', hash);
    await chain.mineAndPollTwice(8);
    for (const address of [gone, again]) await decide(address, 'KEEP');
    const before = await chain.books();

    await chain.anvil.rpc('anvil_rollback', 8);
    await chain.anvil.rpc('anvil_dropAllTransactions');
    await chain.anvil.rpc('eth_sendRawTransaction', raw);
    await chain.anvil.mine(13);
    const stop = () => chain.database.db.system((tx) => findChainStop(tx, PLACE));
    await chain.poll();
    expect(await stop()).not.toBeNull();
    expect(await stand(gone)).toEqual(['KEPT SUSPENSE']);

    const { final } = await chain.pair.nodes.heads();
    const deps = { db: chain.database.people, clock: chain.clock };
    const act = { operator: 'ada', reason: 'the network says that it is final again' };
    const about = await proposeResumption(deps, PLACE, final, act);
    if (typeof about === 'string') throw new Error(about);
    expect(await operators.approve(about.proposalId ?? '', 'bea')).toMatchObject({ code: 0 });
    for (let looks = 0; (await stop()) !== null; looks += 1) {
      expect(looks).toBeLessThan(50);
      await chain.poll();
    }
    expect(await stand(gone)).toEqual(['ORPHANED -']);
    expect(await stand(again)).toEqual(['KEPT SUSPENSE']);
    const after = await chain.books();
    expect((before['suspense'] ?? 0n) - (after['suspense'] ?? 0n)).toBe(9_000_000n);
  }, 240_000);

  it('whose transaction is dropped within one poll cycle leaves suspense before its block’s number is final: it cannot be kept', async () => {
    const address = await chain.addStanding();
    await chain.mineAndPollTwice(8);
    const before = await chain.books();
    await chain.send(address, 3_000_000n);
    await chain.mineAndPollTwice(4);
    expect(await stand(address)).toEqual(['BLOCKED SUSPENSE']);

    // The head that was read last still stands when it is looked at, and is gone when the poll cycle reads on.
    const [head] = await chain.rows<{ at: bigint }>(
      `SELECT block_number AS at FROM chain_cursors WHERE kind = 'HEAD'`,
    );
    const { nodes } = chain.pair;
    let isReorganised = false;
    await chain.anvil.mine();
    const polled = chain.poll({
      nodes: {
        ...nodes,
        async blocksAt(numbers) {
          const blocks = await nodes.blocksAt(numbers);
          if (head !== undefined && numbers.includes(head.at) && !isReorganised) {
            isReorganised = true;
            await chain.reorganise(5);
          }
          return blocks;
        },
      },
    });
    // The newest block of the cycle is gone: nothing of it counts, and the next cycle reads again.
    await expect(polled).rejects.toThrow('REORG');
    expect(isReorganised).toBe(true);
    expect(await stand(address)).toEqual(['BLOCKED SUSPENSE']);
    await chain.mineAndPollTwice(8);
    expect(await stand(address)).toEqual(['ORPHANED -']);
    expect(await chain.books()).toEqual(before);
  });
});
