import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChainNodes, type EvmChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { TEST_DEPTHS } from '../../support/onchain/lying-pair.ts';
import type { Database } from '../../../src/db/client/database.ts';
import type { StatementValues } from '../../../src/db/client/prepared-statement.ts';
import type { CursorBlock } from '../../../src/db/onchain/chain-cursor-store.ts';
import { trySetAside } from '../../../src/modules/onchain/deposits/try-set-aside.ts';
import type { Lie } from '../../support/onchain/lying-node.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { sendAtOnce } from '../../support/onchain/send-at-once.ts';

const ANSWER_BYTES_MAX = 100_000;

let chain: ReaderHarness;
/** Nodes of which no such large answer is read. */
let nodes: EvmChainNodes;

beforeAll(async () => {
  chain = await createReaderHarness();
  const { one, other } = chain.pair;
  nodes = createChainNodes({
    rpcUrls: [one.url, other.url],
    depths: TEST_DEPTHS,
    limits: { answerBytesMax: ANSWER_BYTES_MAX },
  });
});
afterEach(async () => {
  chain.pair.repent();
  chain.clock.advance(3_600_000);
  await chain.poll({ nodes });
  chain.alarms.length = 0;
});
afterAll(async () => {
  await nodes.close();
  await chain.close();
});

const poll = () => chain.poll({ nodes });

/** Eight blocks make final whatever was sent: one poll cycle after the first of them, and one after all. */
async function makeFinal(): Promise<void> {
  await chain.anvil.mine();
  await poll();
  await chain.anvil.mine(7);
  await poll();
}

/** From now on each node's receipt of these transactions is as those of tens of thousands of logs are. */
function makeTooLarge(...txHashes: readonly string[]): void {
  const padded: Lie = (honest, { params }) =>
    txHashes.includes(String(params[0]))
      ? {
          ...honest,
          result: { ...(honest.result as object), padding: '0'.repeat(ANSWER_BYTES_MAX) },
        }
      : honest;
  for (const node of [chain.pair.one, chain.pair.other]) {
    node.lieAbout('eth_getTransactionReceipt', padded);
  }
}

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status, amount }) => `${status} ${amount.toString()}`);

const aside = () =>
  chain.rows<{ txHash: string; ordinal: number; to: string; why: string; tries: number }>(
    `SELECT tx_hash AS "txHash", ordinal, to_address AS "to", why, tries FROM set_aside_deposits`,
  );

const cursors = () =>
  chain.rows<{ kind: string; block: bigint }>(
    'SELECT kind, block_number AS block FROM chain_cursors ORDER BY kind',
  );

const newest = async () => BigInt(await chain.anvil.rpc<string>('eth_blockNumber'));

describe('a transaction whose receipt is too large to be read', () => {
  it('is set aside, those behind it are booked, and it is booked once when it can be read', async () => {
    const [large, other] = [await chain.addStanding(), await chain.addStanding()];
    const txHash = await chain.send(large, 5_000_000n);
    makeTooLarge(txHash);
    await chain.anvil.mine();
    await chain.send(other, 6_000_000n);
    await makeFinal();
    expect(await stand(other)).toEqual(['FINAL 6000000']);
    expect(await stand(large)).toEqual([]);
    expect(await cursors()).toEqual([
      { kind: 'FINAL', block: (await newest()) - 6n },
      { kind: 'HEAD', block: await newest() },
    ]);
    expect(await aside()).toMatchObject([{ txHash, ordinal: 0, to: large, why: 'TOO_LARGE' }]);
    const told = { kind: 'DEPOSIT_SET_ASIDE', txHash, ordinal: 0, why: 'TOO_LARGE' };
    expect(chain.alarms).toContainEqual(told);

    const [before] = await aside();
    chain.clock.advance(3_600_000);
    await poll();
    expect((await aside())[0]?.tries).toBeGreaterThan(before?.tries ?? 0);

    chain.pair.repent();
    chain.clock.advance(3_600_000);
    await poll();
    await poll();
    expect(await stand(large)).toEqual(['FINAL 5000000']);
    expect(await aside()).toEqual([]);
  });

  it('is tried again beside two others at the most in one poll cycle', async () => {
    const address = await chain.addStanding();
    const hashes: string[] = [];
    for (let n = 1n; n <= 4n; n += 1n) {
      hashes.push(await chain.send(address, n * 1_000_000n));
      await chain.anvil.mine();
    }
    makeTooLarge(...hashes);
    await makeFinal();
    const tries = async () => (await aside()).reduce((sum, row) => sum + row.tries, 0);
    chain.clock.advance(24 * 3_600_000);
    const before = await tries();
    await poll();
    expect((await tries()) - before).toBe(3);
    await poll();
    expect((await tries()) - before).toBe(4);
    chain.pair.repent();
    chain.clock.advance(24 * 3_600_000);
    await poll();
    await poll();
    expect(await aside()).toEqual([]);
    expect(await stand(address)).toHaveLength(4);
  });

  it('is booked for every address that it came to', async () => {
    const [one, other] = [await chain.addStanding(), await chain.addStanding()];
    const txHash = await sendAtOnce(chain, [
      [one, 5_000_000n],
      [other, 7_000_000n],
    ]);
    makeTooLarge(txHash);
    await makeFinal();
    expect(await aside()).toMatchObject([{ txHash, why: 'TOO_LARGE' }]);
    chain.pair.repent();
    chain.clock.advance(3_600_000);
    await poll();
    expect([await stand(one), await stand(other)]).toEqual([['FINAL 5000000'], ['FINAL 7000000']]);
    expect(await aside()).toEqual([]);
  });

  it('is tried without any address that it does not move tokens from or to', async () => {
    const [large, other] = [await chain.addStanding(), await chain.addStanding()];
    makeTooLarge(await chain.send(large, 5_000_000n));
    await makeFinal();
    const [final] = await chain.rows<CursorBlock>(
      `SELECT block_number AS number, block_hash AS hash, block_at AS at FROM chain_cursors WHERE kind = 'FINAL'`,
    );
    if (final === undefined) throw new Error('nothing was read');
    const read: object[] = [];
    const { db } = chain.deps;
    const noting: Database = {
      ...db,
      system: (work) =>
        db.system((tx) =>
          work({
            ...tx,
            async query<Row extends object>(sql: string, values?: StatementValues) {
              const rows = await tx.query<Row>(sql, values);
              read.push(...rows);
              return rows;
            },
          }),
        ),
    };
    const tries = async () => {
      chain.clock.advance(3_600_000);
      read.length = 0;
      await trySetAside({ ...chain.deps, nodes, db: noting }, final);
      return read.flatMap((row) => Object.values(row) as unknown[]);
    };
    expect(await tries()).not.toContain(other);
    chain.pair.repent();
    const values = await tries();
    expect(values).toContain(large);
    expect(values).not.toContain(other);
    await poll();
    expect(await stand(large)).toEqual(['FINAL 5000000']);
  });

  it('is kept with what it took from an address', async () => {
    const address = await chain.addStanding();
    await chain.send(address, 5_000_000n);
    await makeFinal();
    const { anvil } = chain;
    await anvil.rpc('anvil_impersonateAccount', address);
    await anvil.rpc('anvil_setBalance', address, `0x${(10n ** 18n).toString(16)}`);
    const [elsewhere = ''] = anvil.accounts;
    const txHash = await chain.send(elsewhere, 5_000_000n, chain.usdc, address);
    makeTooLarge(txHash);
    await makeFinal();
    const swept = () =>
      chain.rows('SELECT amount FROM swept_tokens WHERE tx_hash = $1 AND address = $2', [
        txHash,
        address,
      ]);
    expect(await swept()).toEqual([]);
    chain.pair.repent();
    chain.clock.advance(3_600_000);
    await poll();
    expect(await swept()).toEqual([{ amount: 5_000_000n }]);
    expect(await aside()).toEqual([]);
  });

  it('does not keep what was proved of it before from being credited', async () => {
    const address = await chain.addStanding();
    const txHash = await chain.send(address, 5_000_000n);
    await chain.anvil.mine();
    await poll();
    expect(await stand(address)).toEqual(['SEEN 5000000']);
    makeTooLarge(txHash);
    await makeFinal();
    expect(await stand(address)).toEqual(['FINAL 5000000']);
    expect(await aside()).toEqual([]);
    chain.pair.repent();
  });
});

it('a node that is silent about one transaction still stops the poll cycle, and nothing is set aside', async () => {
  const address = await chain.addStanding();
  await chain.send(address, 5_000_000n);
  await chain.anvil.mine(8);
  chain.pair.one.lieAbout('eth_getTransactionReceipt', ({ jsonrpc, id }) => ({
    ...{ jsonrpc, id },
    error: { code: -32_000, message: 'made up' },
  }));
  await expect(poll()).rejects.toMatchObject({ why: 'NODE_1_ERROR_-32000' });
  expect(await aside()).toEqual([]);
  chain.pair.repent();
  await poll();
  expect(await stand(address)).toEqual(['FINAL 5000000']);
});
