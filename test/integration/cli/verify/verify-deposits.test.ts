import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { verifyChains } from '../../../../src/cli/verify/verify-chains.ts';
import { DEPTHS } from '../../../support/onchain/signer-harness.ts';
import {
  createReaderHarness,
  type ReaderHarness,
} from '../../../support/onchain/reader-harness.ts';

let chain: ReaderHarness;

beforeAll(async () => {
  chain = await createReaderHarness();
  const [sender = ''] = chain.anvil.accounts;
  const [credited, blocked] = [await chain.addStanding(), await chain.addStanding()];
  await chain.poll();
  await chain.send(credited, 5_000_000n);
  await chain.mineAndPoll(8);
  chain.verdicts.set(sender, 'BLOCKED');
  await chain.send(blocked, 6_000_000n);
  await chain.mineAndPoll(8);
});
afterAll(() => chain.close());

function setup(): NetworkSetup {
  const { anvil, usdc } = chain;
  const other = getAddress(`0x${'fac0'.repeat(10)}`);
  return {
    ...{ network: 'BASE', chainId: anvil.chainId, status: 'ACTIVE', genesis: null },
    rpcUrls: [chain.pair.one.url, chain.pair.other.url],
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 1_000_000_000n }],
    ...{
      depths: DEPTHS,
      hotAddresses: [],
      factory: other,
      treasury: other,
      own: [other],
      notFinalMax: NOT_FINAL_MAX,
      depositFloors: {},
      sweeps: null,
      hot: [],
    },
    gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  };
}

async function judgeDeposits() {
  const connection = await connectToVerify(chain.database.url);
  try {
    const verdicts = await verifyChains(connection, { test: [setup()], live: [] });
    return verdicts.filter(({ status, id }) => status === 'violated' || id === 'I21');
  } finally {
    await connection.close();
  }
}

/** As superuser, with triggers off, and undone afterwards by `undo`. */
async function planted<Result>(sql: string, undo: string, look: () => Promise<Result>) {
  const client = new pg.Client({ connectionString: chain.database.url });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica; ${sql}`);
    const seen = await look();
    await client.query(undo);
    return seen;
  } finally {
    await client.end();
  }
}

describe('I21', () => {
  it('holds where each credited or blocked deposit is one event of the chain', async () => {
    expect(await judgeDeposits()).toMatchObject([{ id: 'I21', status: 'held', checked: 2 }]);
  });

  it('finds what the database refused as missing, until it is booked', async () => {
    const seen = await planted(
      `INSERT INTO set_aside_deposits (environment, network, tx_hash, ordinal, to_address, why, since,
         tried_at, next_at)
       SELECT environment, network, '0x${'ef'.repeat(32)}', 0, to_address, '23514', now(), now(), now()
       FROM deposits LIMIT 1`,
      'DELETE FROM set_aside_deposits',
      judgeDeposits,
    );
    expect(seen).toMatchObject([{ id: 'I21', status: 'violated', violations: 1, checked: 3 }]);
  });

  it.each([
    ['another amount', 'amount = amount + 1', 'amount = amount - 1'],
    ['another place', 'ordinal = ordinal + 1', 'ordinal = ordinal - 1'],
    [
      'another block',
      `block_hash = '0x${'ab'.repeat(32)}', review = block_hash`,
      'block_hash = review, review = NULL',
    ],
  ])('finds a deposit in %s than the chain has', async (_what, change, back) => {
    const where = `WHERE status = 'FINAL'`;
    const drop = 'ALTER TABLE deposits DROP CONSTRAINT IF EXISTS deposits_review_check;';
    const seen = await planted(
      `${drop} UPDATE deposits SET ${change} ${where}`,
      `UPDATE deposits SET ${back} ${where}`,
      judgeDeposits,
    );
    expect(seen).toMatchObject([{ id: 'I21', status: 'violated', violations: 1 }]);
  });
});
