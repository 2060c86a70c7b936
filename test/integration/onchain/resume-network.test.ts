import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAnySignerAccountUnsure } from '../../../src/db/onchain/signer-account-store.ts';
import { findChainStop } from '../../../src/db/onchain/chain-stop-store.ts';
import { proposeResumption } from '../../../src/modules/onchain/resume-network.ts';
import type { BlockRef } from '../../../src/domain/onchain/chain-facts.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';
import { AnswerLost, loseAnswers } from '../../support/lossy-database.ts';
import { createRandom } from '../../support/random.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';

const ACT = { operator: 'ada', reason: 'the network says that it is final again' };
const PATIENCE = 240_000;

let chain: ReaderHarness;
let operators: TwoOperators;

beforeAll(async () => {
  chain = await createReaderHarness();
  operators = createTwoOperators(chain.database.people, chain.clock);
  for (const other of chain.anvil.accounts.slice(1, 4)) {
    await mintUsdc(chain.anvil, chain.usdc, other, 1_000_000_000n);
  }
  await chain.anvil.mine(8);
});
afterAll(() => chain.close());

const stop = () => chain.database.db.system((tx) => findChainStop(tx, PLACE));

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status, amount }) => `${status} ${amount.toString()}`);

const proposed = (block: BlockRef) =>
  proposeResumption({ db: chain.database.people, clock: chain.clock }, PLACE, block, ACT);

/** Two operators say that it goes on there. */
async function resumeAt(block: BlockRef): Promise<void> {
  const about = await proposed(block);
  if (typeof about === 'string' || about.proposalId === null) throw new Error('not proposed');
  const approved = await operators.approve(about.proposalId, 'bea');
  expect(approved).toMatchObject({ code: 0 });
}

async function finalBlock(): Promise<BlockRef> {
  const { final } = await chain.pair.nodes.heads();
  return { number: final.number, hash: final.hash };
}

const asSystem = (sql: string) => chain.rows(sql);

/** Looks, of whose commits each fifth or so loses its answer, until the network is not stopped any more. */
async function lookUntilLifted(): Promise<void> {
  const random = createRandom(7);
  const db = loseAnswers(chain.database.db, () => random() < 0.2);
  for (let looks = 0; (await stop()) !== null; looks += 1) {
    if (looks > 200) throw new Error('it is never lifted');
    await chain.poll({ db }).catch((error: unknown) => {
      if (!(error instanceof AnswerLost)) throw error;
    });
  }
}

describe('a network that went back behind a final block', () => {
  let kept = '';
  let gone = '';
  let again = '';
  let found = '';
  let before: Readonly<Record<string, bigint>> = {};
  let goneAt = 0n;

  it('stands still, and calls a human with every poll cycle', { timeout: PATIENCE }, async () => {
    const [, second = '', third = ''] = chain.anvil.accounts;
    [kept, gone] = [await chain.addStanding(), await chain.addStanding()];
    [again, found] = [await chain.addStanding(), await chain.addStanding()];
    await chain.send(kept, 1_000_000n);
    await chain.mineAndPollTwice(8);
    await chain.send(gone, 2_000_000n);
    const hash = await chain.send(again, 4_000_000n, chain.usdc, second);
    const raw = await chain.anvil.rpc<string>('eth_getRawTransactionByHash', hash);
    await chain.mineAndPollTwice(8);
    for (const address of [kept, gone, again]) {
      expect(await stand(address)).toMatchObject([expect.stringMatching(/^FINAL/)]);
    }
    before = await chain.books();

    await chain.anvil.rpc('anvil_rollback', 8);
    await chain.anvil.rpc('anvil_dropAllTransactions');
    await chain.send(found, 8_000_000n, chain.usdc, third);
    await chain.anvil.mine();
    await chain.anvil.rpc('eth_sendRawTransaction', raw);
    await chain.anvil.mine(12);
    chain.alarms.length = 0;
    for (let looks = 0; looks < 3; looks += 1) await chain.poll();
    goneAt = (await stop())?.block ?? 0n;
    const told = { kind: 'FINAL_BLOCK_GONE', block: goneAt.toString() };
    expect(chain.alarms).toEqual([told, told, told]);
    expect(await chain.database.db.system((tx) => isAnySignerAccountUnsure(tx, PLACE))).toBe(true);
    expect(await stand(gone)).toEqual(['FINAL 2000000']);
  });

  it('goes on by nothing but two operators, behind the block that is gone', async () => {
    await expect(
      asSystem(`UPDATE chain_stops SET lifted_at = stopped_at WHERE lifted_at IS NULL`),
    ).rejects.toMatchObject({ code: '23514' });
    await expect(asSystem(`UPDATE chain_stops SET resume_block = 9`)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(
      asSystem(`UPDATE deposits SET status = 'ORPHANED' WHERE status = 'FINAL'`),
    ).rejects.toMatchObject({ code: '42501' });
    const { hash } = await finalBlock();
    expect(await proposed({ number: goneAt, hash })).toBe('NOT_BEHIND');
    const other = { ...PLACE, network: 'POLYGON' } as const;
    const deps = { db: chain.database.people, clock: chain.clock };
    expect(await proposeResumption(deps, other, { number: 9n, hash }, ACT)).toBe('NOT_STOPPED');
  });

  it('stays where it is as long as a provider gives another block than was named', async () => {
    const { number } = await finalBlock();
    await resumeAt({ number, hash: `0x${'ab'.repeat(32)}` });
    chain.alarms.length = 0;
    await chain.poll();
    expect(chain.alarms).toEqual([{ kind: 'RESUMPTION_REFUSED', block: number.toString() }]);
    expect(await stand(gone)).toEqual(['FINAL 2000000']);
  });

  it(
    'goes on once all is proved again: what is there stays final, what is gone is taken back, what is new is found',
    { timeout: PATIENCE },
    async () => {
      await resumeAt(await finalBlock());
      chain.alarms.length = 0;
      await lookUntilLifted();
      await chain.mineAndPoll(2);
      expect(await stand(kept)).toEqual(['FINAL 1000000']);
      expect(await stand(gone)).toEqual(['ORPHANED 2000000']);
      expect(await stand(again)).toEqual(['FINAL 4000000']);
      expect(await stand(found)).toEqual(['FINAL 8000000']);
      const [{ id } = { id: '' }] = await chain.rows<{ id: string }>(
        'SELECT id FROM deposits WHERE to_address = $1',
        [gone],
      );
      expect(chain.alarms).toEqual([{ kind: 'DEPOSIT_ORPHANED', depositId: id }]);
      const after = await chain.books();
      expect(after['available']).toBe((before['available'] ?? 0n) - 2_000_000n + 8_000_000n);
      expect(await chain.database.db.system((tx) => isAnySignerAccountUnsure(tx, PLACE))).toBe(
        false,
      );
      // Everything is where the chain has it.
      chain.clock.advance(11 * 60_000);
      await chain.poll();
      expect(chain.alarms).toHaveLength(1);
    },
  );

  it('keeps what is final from then on as before', { timeout: PATIENCE }, async () => {
    await chain.send(kept, 16_000_000n);
    await chain.mineAndPollTwice(8);
    expect(await stand(kept)).toEqual(['FINAL 1000000', 'FINAL 16000000']);
    await expect(
      chain.database.db.write(chain.customer.scope, (tx) =>
        tx.query(
          `UPDATE deposits SET status = 'ORPHANED', applied_to = NULL, round = round + 1,
          version = version + 1 WHERE status = 'FINAL'`,
          [],
        ),
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
