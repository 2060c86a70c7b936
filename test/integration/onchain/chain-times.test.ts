import { describe, expect, it } from 'vitest';
import { POLL_EVERY_MS as PAY_EVERY_MS } from '../../../src/server/runtime/open-chains.ts';
import {
  POLL_EVERY_MS as READ_EVERY_MS,
  REST_EVERY_MS,
} from '../../../src/server/runtime/open-readers.ts';
import { MINER_TIMINGS } from '../../../src/sandbox/chain/chain-miner.ts';
import { createSignerHarness } from '../../support/onchain/signer-harness.ts';
import { createReaderHarness } from '../../support/onchain/reader-harness.ts';

/** What is promised of a local run, in ms: no clock is read here, for a busy machine would be late. */
const COMPLETED_MS_MAX = 10_000;
const FINAL_MS_MAX = 20_000;
const BLOCKS_MAX = 30;

/** How many blocks, with a poll cycle after each, it takes until `isSo`. */
async function countBlocks(
  chain: { mineAndPoll(blocks: number): Promise<void> },
  isSo: () => Promise<boolean>,
): Promise<number> {
  for (let blocks = 1; blocks <= BLOCKS_MAX; blocks += 1) {
    await chain.mineAndPoll(1);
    if (await isSo()) return blocks;
  }
  throw new Error(`it is not so after ${String(BLOCKS_MAX)} blocks`);
}

/** The longest that the parts of a local run leave things alone on the way, in ms. */
const waits = (parts: { readonly begun: number; readonly blocks: number; readonly look: number }) =>
  parts.begun + parts.blocks * MINER_TIMINGS.blockMs + parts.look;

describe('what the sandbox’s chains and the engine wait for', () => {
  it('has a payment to a wallet COMPLETED within 10 s and FINAL within 20 s', async () => {
    const signerAccount = await createSignerHarness();
    try {
      const { id } = await signerAccount.send();
      await signerAccount.poll();
      const credit = await countBlocks(signerAccount, async () => signerAccount.woken.length > 0);
      const more = await countBlocks(signerAccount, async () => {
        const { status, finality } = await signerAccount.payment(id);
        return status === 'COMPLETED' && finality === 'FINAL';
      });
      const looks = { begun: PAY_EVERY_MS.test, look: PAY_EVERY_MS.test };
      expect(waits({ ...looks, blocks: credit })).toBeLessThanOrEqual(COMPLETED_MS_MAX);
      expect(waits({ ...looks, blocks: credit + more })).toBeLessThanOrEqual(FINAL_MS_MAX);
    } finally {
      await signerAccount.close();
    }
  });

  it('has a payment that a deposit pays for go on within 10 s, and the deposit FINAL within 20 s', async () => {
    const reader = await createReaderHarness();
    try {
      const due = 25_000_000n;
      const { address } = await reader.addPayment(due);
      await reader.poll();
      await reader.send(address, due);
      const stand = async () => (await reader.deposits(address))[0]?.status;
      const credit = await countBlocks(reader, async () => (await stand()) === 'CREDITED');
      expect(reader.woken.length).toBeGreaterThan(0);
      const more = await countBlocks(reader, async () => (await stand()) === 'FINAL');
      // Where nothing says that tokens were sent, the reader comes by after its rest.
      const looks = { begun: REST_EVERY_MS.test, look: READ_EVERY_MS.test };
      expect(waits({ ...looks, blocks: credit })).toBeLessThanOrEqual(COMPLETED_MS_MAX);
      expect(waits({ ...looks, blocks: credit + more })).toBeLessThanOrEqual(FINAL_MS_MAX);
    } finally {
      await reader.close();
    }
  });
});
