import pg from 'pg';
import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { verifyChains } from '../../../../src/cli/verify/verify-chains.ts';
import {
  createSignerHarness,
  DEPTHS,
  type SignerHarness,
} from '../../../support/onchain/signer-harness.ts';
import { addTopUps, type ToppedUp } from '../../../support/onchain/top-up-parts.ts';

let harness: SignerHarness;
let chain: ToppedUp;
beforeAll(async () => {
  harness = await createSignerHarness();
  chain = addTopUps(harness);
  await harness.send();
  await chain.poll();
  await chain.mineAndPoll(9);
});
afterAll(() => harness.close());

/** The ids that are violated; the settings name the gas account alone, the database both. */
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
      depositFloors: {},
      ...{ factory: other, treasury: other, sweeps: null, topUps: null, hot: [] },
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

it('verify --chain: gas from signer account to signer account is no payment’s; another amount than booked, or to others, is found', async () => {
  expect(await chain.topUps()).toMatchObject([{ state: 'FINAL' }]);
  expect(await violated()).toEqual([]);
  const change = (by: number) =>
    plant(`UPDATE chain_transactions SET value = value + ${String(by)} WHERE kind = 'TOP_UP'`);
  await change(1);
  expect(await violated()).toEqual(['I22']);
  await change(-1);
  expect(await violated()).toEqual([]);
  await plant(`DELETE FROM chain_signer_accounts WHERE address = '${chain.short}'`);
  expect(await violated()).toEqual(['I22']);
});
