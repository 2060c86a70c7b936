import pg from 'pg';
import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { verifyChains } from '../../../../src/cli/verify/verify-chains.ts';
import {
  createSignerHarness,
  DEPTHS,
  type SignerHarness,
} from '../../../support/onchain/signer-harness.ts';
import { planEarlierTopUp, topUpStands } from '../../../support/onchain/earlier-top-up.ts';
import { addSecondSignerAccount } from '../../../support/onchain/second-signer-account.ts';

let harness: SignerHarness;
let short: string;
beforeAll(async () => {
  harness = await createSignerHarness();
  const { address, both } = addSecondSignerAccount(harness);
  short = address;
  await harness.anvil.mine(8);
  // Larger than all that they have: it keeps the poll cycles going.
  await harness.send(100_000_000_000n);
  await harness.poll(both);
  await harness.deps.nodes.broadcast([await planEarlierTopUp(harness, short, { isSigned: true })]);
  for (let polls = 0; polls < 3; polls += 1) {
    await harness.anvil.mine(8);
    await harness.poll(both);
  }
});
afterAll(() => harness.close());

/** The ids that are violated; the settings name the one that gave alone, the database both. */
async function violated(): Promise<string[]> {
  const { anvil, usdc, signerAccount } = harness;
  const other = getAddress(`0x${'fac0'.repeat(10)}`);
  const connection = await connectToVerify(harness.database.url);
  try {
    const setup: NetworkSetup = {
      ...{ network: 'BASE', chainId: anvil.chainId, status: 'ACTIVE', genesis: null },
      ...{
        rpcUrls: [anvil.url, anvil.url],
        depths: DEPTHS,
        hotAddresses: [signerAccount],
        own: [signerAccount, other],
      },
      assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 1_000_000_000n }],
      ...{ factory: other, treasury: other, sweeps: null, hot: [] },
      notFinalMax: NOT_FINAL_MAX,
      depositFloors: {},
      gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    };
    const verdicts = await verifyChains(connection, { test: [setup], live: [] });
    expect(verdicts.every(({ status }) => status !== 'skipped')).toBe(true);
    return verdicts.filter(({ status }) => status === 'violated').map(({ id }) => id);
  } finally {
    await connection.close();
  }
}

/** As superuser, with triggers off. */
async function plant(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: harness.database.url });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica; ${sql}`);
  } finally {
    await client.end();
  }
}

it('verify --chain: gas that an earlier release gave to a signer account is no payment’s; another amount than booked, or to others, is found', async () => {
  expect(await topUpStands(harness)).toMatchObject([{ state: 'FINAL' }]);
  expect(await violated()).toEqual([]);
  const change = (by: number) =>
    plant(`UPDATE chain_transactions SET value = value + ${String(by)} WHERE kind = 'TOP_UP'`);
  await change(1);
  expect(await violated()).toEqual(['I22']);
  await change(-1);
  expect(await violated()).toEqual([]);
  await plant(`DELETE FROM chain_signer_accounts WHERE address = '${short}'`);
  expect(await violated()).toEqual(['I22']);
});
