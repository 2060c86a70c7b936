import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { withSuperuser } from '../../support/onchain/sweep-parts.ts';

let harness: SignerHarness;
beforeAll(async () => {
  harness = await createSignerHarness();
  // Larger than all that there is: it waits, and keeps the poll cycles going.
  await harness.send(100_000_000_000n);
});
afterAll(() => harness.close());

/** A minute later: what is told, and since when the address is known to be low. */
async function look(coins: bigint) {
  harness.clock.advance(60_000);
  harness.alarms.length = 0;
  await harness.anvil.rpc('anvil_setBalance', harness.signerAccount, `0x${coins.toString(16)}`);
  await harness.poll();
  const [row] = await harness.rows<{ isLow: boolean; since: Date | null }>(
    'SELECT is_low_on_gas AS "isLow", low_on_gas_since AS since FROM chain_signer_accounts',
  );
  return { told: harness.alarms.map(({ kind }) => kind), ...row };
}

it('a hot address that is low on gas is told at each look, with the time since when, until it is filled up', async () => {
  expect(await look(10n ** 19n)).toEqual({ told: [], isLow: false, since: null });
  const first = await look(10n);
  expect(first).toEqual({ told: ['LOW_GAS'], isLow: true, since: harness.clock.now() });
  expect(await look(1n)).toEqual(first);
  expect(await look(10n ** 19n)).toEqual({ told: [], isLow: false, since: null });
});

it('so is one that uses nonces up after a restore', async () => {
  await withSuperuser(harness.database.url, (superuser) =>
    superuser.query(`SET session_replication_role = replica;
      UPDATE chain_signer_accounts SET status = 'ADOPTING'`),
  );
  expect(await look(1n)).toMatchObject({ told: ['LOW_GAS'], isLow: true });
});
