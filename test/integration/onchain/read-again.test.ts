import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBalances } from '../../../src/modules/onchain/deposits/check-balances.ts';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';

const DAY_MS = 25 * 3_600_000;
/** More than what is listed at once. */
const BLOCKS = 2_100;

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
});
afterAll(() => chain.close());

/** Nodes that hide what came to an address, and whose answers `onAsked` hears of. */
const listing = (
  address: string,
  isHidden: boolean,
  onAsked: (from: bigint) => void = () => undefined,
): Pick<ReaderDeps, 'nodes'> => ({
  nodes: {
    ...chain.deps.nodes,
    async listTransfers(query) {
      if (query.addresses.length === 1 && query.direction === 'TO') onAsked(query.from);
      const { byAll, bySome } = await chain.deps.nodes.listTransfers(query);
      return { byAll: byAll.filter(({ to }) => !isHidden || to !== address), bySome };
    },
  },
});

it('an address that is read again is gone on with where an attempt ended, and begun with anew after its end', async () => {
  const address = await chain.addStanding();
  await chain.poll();
  await chain.anvil.mine(BLOCKS);
  await chain.send(address, 5_000_000n);
  await chain.anvil.mine(9);
  const hiding = listing(address, true);
  for (let polls = 0; polls < 3; polls += 1) await chain.poll(hiding);
  expect(await chain.deposits(address)).toEqual([]);
  chain.clock.advance(DAY_MS);

  const timedOut = new AbortController();
  const first: bigint[] = [];
  const ending = listing(address, false, (from) => {
    first.push(from);
    timedOut.abort();
  });
  await expect(
    checkBalances({ ...chain.deps, ...ending, signal: timedOut.signal }, false),
  ).rejects.toThrow();
  // Nothing more is asked once it ended.
  expect(first).toHaveLength(1);
  const second: bigint[] = [];
  await checkBalances(
    { ...chain.deps, ...listing(address, false, (from) => second.push(from)) },
    true,
  );
  expect(second[0]).toBe((first[0] ?? 0n) + 2_000n);
  expect((await chain.deposits(address)).map(({ amount }) => amount)).toEqual([5_000_000n]);
  expect(chain.alarms.map(({ kind }) => kind)).toContain('DEPOSIT_LEFT_OUT');
  const rows = await chain.rows<{ to: bigint | null }>(
    'SELECT read_again_to AS to FROM chain_address_checks WHERE address = $1',
    [address],
  );
  expect(rows).toEqual([{ to: null }]);
});
