import pg from 'pg';
import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import {
  ScreeningError,
  type ScreeningFailure,
} from '../../../src/domain/parties/screening/screening-provider.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

let chain: ReaderHarness;
const senders = () => chain.anvil.accounts.slice(1, 6);
beforeAll(async () => {
  chain = await createReaderHarness();
  for (const sender of senders()) {
    await mintUsdc(chain.anvil, chain.usdc, sender, 1_000_000_000n);
  }
});
beforeEach(async () => {
  await chain.anvil.mine(8);
  await chain.poll();
});
afterAll(() => chain.close());

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status }) => status);

/** A deposit of five senders each, deep enough to be credited with the next poll cycle. */
async function fiveDeposits(): Promise<string[]> {
  const addresses: string[] = [];
  for (const sender of senders()) {
    const address = await chain.addStanding();
    addresses.push(address);
    await chain.send(address, 5_000_000n, chain.usdc, sender);
    await chain.anvil.mine();
  }
  // Seen, and none of them credited yet.
  const { askAddress } = failing('SCREENING_REFUSED');
  await chain.poll({ askAddress, failedLookUps: new Set() });
  await chain.anvil.mine(3);
  return addresses;
}

/** Look-ups that fail, for all senders unless told for which, and of whom they were. */
function failing(code: ScreeningFailure, bad: readonly string[] | null = null) {
  const asked: string[] = [];
  const askAddress: ReaderDeps['askAddress'] = async ({ address }) => {
    asked.push(address);
    if (bad === null || bad.includes(address)) throw new ScreeningError(code);
    return { verdict: 'CLEAR', listVersion: 'made up' };
  };
  return { asked, askAddress };
}

/** As operators do; as superuser, with triggers off. */
async function letThrough(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: chain.database.url });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica;
      UPDATE deposits SET review = 'RELEASED' WHERE to_address = '${address}'`);
  } finally {
    await client.end();
  }
}

describe('a look-up of senders that fails', () => {
  it('as a whole is asked three times in one poll cycle', async () => {
    const [one = '', other = '', , , released = ''] = await fiveDeposits();
    await letThrough(released);
    for (const code of [
      'SCREENING_UNREACHABLE',
      'SCREENING_FAILED',
      'SCREENING_LIST_UNUSABLE',
      'SCREENING_LIST_REPLACED',
      'SCREENING_NOT_CONFIGURED',
    ] as const) {
      const { asked, askAddress } = failing(code);
      await chain.poll({ askAddress });
      expect(asked, code).toHaveLength(3);
      expect([await stand(one), await stand(other)], code).toEqual([['SEEN'], ['SEEN']]);
      // What operators have decided needs no look-up.
      expect(await stand(released), code).toEqual(['CREDITED']);
    }
    await chain.poll();
    expect([...(await stand(one)), ...(await stand(other))]).not.toContain('SEEN');
  });

  it('always for the oldest ones keeps the others from being credited for one poll cycle at most', async () => {
    const addresses = await fiveDeposits();
    const bad = senders()
      .slice(0, 3)
      .map((sender) => getAddress(sender));
    const { asked, askAddress } = failing('SCREENING_FAILED', bad);
    await chain.poll({ askAddress });
    expect(asked).toEqual(bad);
    await chain.poll({ askAddress });
    const stands = await Promise.all(addresses.map(stand));
    expect(stands.flat()).toEqual(['SEEN', 'SEEN', 'SEEN', 'CREDITED', 'CREDITED']);
    await chain.poll();
    expect((await Promise.all(addresses.map(stand))).flat()).not.toContain('SEEN');
  });

  it('for one address is asked for the others too', async () => {
    await fiveDeposits();
    for (const code of ['SCREENING_REFUSED', 'SCREENING_GARBLED'] as const) {
      const { asked, askAddress } = failing(code);
      await chain.poll({ askAddress });
      expect(asked, code).toHaveLength(5);
    }
    await chain.poll();
  });
});
