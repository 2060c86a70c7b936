import { expect, it } from 'vitest';
import type { ChainDeps, PollCycle } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import { readAncestors } from '../../../src/modules/onchain/read-ancestors.ts';

const header = (number: bigint, fork: string) => ({
  ...{ number, hash: `${fork}${number.toString()}`, parentHash: '', at: new Date(0) },
});

const cycle = (number: bigint, fork: string): PollCycle => {
  const latest = header(number, fork);
  return { now: new Date(0), heads: { latest } } as PollCycle;
};

it('poll cycles beside each other never mix the blocks of two chains', async () => {
  let fork = 'x';
  const waiting: (() => void)[] = [];
  const nodes = {
    // As the chain is when the question arrives.
    async blocksAt(numbers: readonly bigint[]) {
      const now = fork;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return numbers.map((number) => header(number, number < 95n ? 'a' : now));
    },
  } as unknown as ChainDeps['nodes'];
  const deps = { nodes, memory: createChainMemory() };
  const answer = () => waiting.shift()?.();
  const first = readAncestors(deps, cycle(94n, 'a'), [90n]);
  answer();
  await first;
  const old = readAncestors(deps, cycle(100n, 'x'), [96n]);
  // Its activity timed out, and the next attempt began.
  fork = 'y';
  const next = readAncestors(deps, cycle(101n, 'y'), [91n]);
  answer();
  await old;
  answer();
  await next;
  const last = readAncestors(deps, cycle(102n, 'y'), [96n]);
  answer();
  expect((await last).get(96n)).toBe('y96');
});
