import { afterAll, beforeAll, expect, it } from 'vitest';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { addSweeps, TREASURY, type SweepChain } from '../../support/onchain/sweep-parts.ts';
import { thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';

const HOUR_MS = 3_600_000;
const ONE = 1_000_000n;

let harness: SignerHarness;
let chain: SweepChain;
beforeAll(async () => {
  harness = await createSignerHarness();
  chain = await addSweeps(harness);
});
afterAll(() => harness.close());

async function pollAfter(blocks: number): Promise<void> {
  await harness.anvil.mine(blocks);
  await pollChain(chain.deps);
}

/** What it sent becomes final. */
async function makeFinal(): Promise<void> {
  await pollChain(chain.deps);
  await pollAfter(8);
  await pollChain(chain.deps);
}

const laneStatus = async () => {
  const [row] = await harness.rows<{ status: string }>('SELECT status FROM chain_signer_accounts');
  return row?.status;
};

it('a sweep that the restored database does not know is learnt from the chain, and is not another’s', async () => {
  await chain.deposit('USDC', ONE);
  await harness.anvil.mine(7);
  const restore = await harness.database.keepCopy();
  harness.clock.advance(10_000);
  await makeFinal();
  expect(await chain.held(harness.usdc, TREASURY)).toBe(ONE);

  await restore();
  harness.clock.advance(1_000);
  const act = (reason: string) => ({
    ...{ actor: { kind: 'OPERATOR', name: 'ada' } as const, at: harness.clock.now() },
    reason,
  });
  await harness.database.db.system((tx) => beginRestoreMode(tx, act('restored')));
  harness.clock.advance(1_000);
  await harness.database.db.system((tx) => endRestoreMode(tx, act('adopted')));
  harness.clock.advance(60_000);
  await pollAfter(1);
  expect(await laneStatus()).toBe('FROZEN');
  await thawSignerAccount(harness);
  for (let look = 0; look < 40 && (await laneStatus()) !== 'OPEN'; look += 1) await pollAfter(4);
  expect(await laneStatus()).toBe('OPEN');
  const found = await harness.rows('SELECT kind FROM chain_transactions WHERE is_found');
  expect(found).toEqual([{ kind: 'SWEEP' }]);

  harness.clock.advance(HOUR_MS);
  await pollAfter(1);
  expect(await chain.sweeps()).toEqual([]);
  expect(await harness.rows('SELECT FROM chain_unswept')).toEqual([]);
  await chain.deposit('USDC', 2n * ONE);
  await harness.anvil.mine(7);
  harness.clock.advance(10_000);
  await makeFinal();
  expect(await chain.held(harness.usdc, TREASURY)).toBe(3n * ONE);
});
