import { expect, it } from 'vitest';
import type { ChainHeads } from '../../../../src/domain/onchain/chain-facts.ts';
import { tellLag, type LagAlarm } from '../../../../src/server/runtime/tell-lag.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const clock = createTestClock();
const HASH = `0x${'0'.repeat(64)}`;

/** What is told of heads whose newest common block is so old, in ms. */
async function told(behind: ChainHeads['behind'], ageMs: number): Promise<LagAlarm[]> {
  const at = new Date(clock.now().getTime() - ageMs);
  const block = { number: 7n, hash: HASH, parentHash: HASH, at };
  const heads = { latest: block, credit: block, creditAbove: block, final: block, behind };
  const alarms: LagAlarm[] = [];
  const nodes = tellLag({ heads: async () => heads }, clock, (alarm) => void alarms.push(alarm));
  expect(await nodes.heads()).toEqual(heads);
  return alarms;
}

it('tells which provider stands still, and not of one that lags for a moment or of a network that makes no blocks', async () => {
  const behind = { node: 2, blocks: 11n };
  expect(await told(behind, 120_001)).toEqual([{ kind: 'PROVIDER_BEHIND', node: '2' }]);
  expect(await told(behind, 120_000)).toEqual([]);
  expect(await told(null, 3_600_000)).toEqual([]);
});
