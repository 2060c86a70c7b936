import { afterAll, beforeAll, expect, it } from 'vitest';
import { readChain } from '../../../src/modules/onchain/deposits/read-chain.ts';
import { sizeOf } from '../../support/campaign.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { withSuperuser } from '../../support/onchain/sweep-parts.ts';

/** Addresses that were ever given out, and those of them that something is expected at. */
const GIVEN_OUT = sizeOf(200_000, 1_000_000);
const WATCHED = sizeOf(2_000, 10_000);
const CYCLE_MS_MAX = 2_000;

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
  const { scope } = chain.customer;
  await withSuperuser(chain.database.url, async (superuser) => {
    // Without their payments, which no part of this reads.
    await superuser.query('SET session_replication_role = replica');
    await superuser.query(
      `INSERT INTO payment_fundings (payment_id, customer_id, environment, network, asset, address,
         amount_due, expires_at, status, created_at, updated_at)
       SELECT 'pay_' || n, $1, $2, 'BASE', 'USDC', '0x' || lpad(to_hex(n), 40, '0'), 1, $3::timestamptz,
         CASE WHEN n <= $5 THEN 'AWAITED' ELSE 'CLOSED' END,
         $3::timestamptz - interval '40 days', $3::timestamptz - interval '40 days'
       FROM generate_series(1, $4::integer) AS n`,
      [scope.customerId, scope.environment, chain.clock.now(), GIVEN_OUT, WATCHED],
    );
    await superuser.query('ANALYZE payment_fundings');
  });
}, 300_000);
afterAll(() => chain.close());

it('a poll cycle takes as long as what it watches, not as what was ever given out', async () => {
  await readChain(chain.deps);
  const address = await chain.addStanding();
  await chain.send(address, 5_000_000n);
  await chain.anvil.mine(1);
  const beganAt = performance.now();
  await readChain(chain.deps);
  expect(performance.now() - beganAt).toBeLessThan(CYCLE_MS_MAX);
  expect(await chain.deposits(address)).toMatchObject([{ status: 'SEEN' }]);
}, 120_000);
