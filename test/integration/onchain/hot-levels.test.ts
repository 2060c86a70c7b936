import { afterEach, beforeEach, expect, it } from 'vitest';
import { freezeSignerAccountByHand } from '../../../src/modules/onchain/thaw-signer-account.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import {
  addSecondSignerAccount,
  type SecondSignerAccount,
} from '../../support/onchain/second-signer-account.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

const ONE = 1_000_000n;

let harness: SignerHarness;
let second: SecondSignerAccount;
beforeEach(async () => {
  harness = await createSignerHarness();
  second = addSecondSignerAccount(harness);
  await harness.send(100_000n * ONE);
});
afterEach(() => harness.close());

/** Looks a minute later, with a floor and a cap in whole units for both signer accounts together. */
async function look(floor: bigint, cap: bigint): Promise<unknown[]> {
  harness.alarms.length = 0;
  harness.clock.advance(60_000);
  const range = { asset: 'USDC', contract: harness.usdc, floor: floor * ONE, cap: cap * ONE };
  const { settings } = second.both;
  await harness.poll({ ...second.both, settings: { ...settings, hot: [range] } });
  return harness.alarms.filter(({ kind }) => kind.startsWith('HOT_'));
}

it('hot addresses below their floor or over their cap call a human once, with the amount', async () => {
  const low = { kind: 'HOT_LOW', asset: 'USDC', held: '1000.000000', floor: '1500.000000' };
  expect(await look(1_500n, 2_000n)).toEqual([{ ...low, missing: '500.000000' }]);
  expect(await look(1_500n, 2_000n)).toEqual([]);
  // Both count together, and within both bounds there is nothing to say.
  await mintUsdc(harness.anvil, harness.usdc, second.address, 700n * ONE);
  expect(await look(1_500n, 2_000n)).toEqual([]);
  await mintUsdc(harness.anvil, harness.usdc, second.address, 301n * ONE);
  const high = { kind: 'HOT_HIGH', asset: 'USDC', held: '2001.000000', cap: '2000.000000' };
  expect(await look(1_500n, 2_000n)).toEqual([{ ...high, surplus: '1.000000' }]);
  expect(await look(1_500n, 2_000n)).toEqual([]);
});

it('what lies at a frozen address pays nothing, and does not count', async () => {
  await mintUsdc(harness.anvil, harness.usdc, second.address, 700n * ONE);
  expect(await look(1_500n, 2_000n)).toEqual([]);
  await freezeSignerAccountByHand(
    { db: harness.database.people, clock: harness.clock },
    { ...PLACE, address: second.address },
    { operator: 'ada', reason: 'its key was copied' },
  );
  expect(await look(1_500n, 2_000n)).toMatchObject([{ kind: 'HOT_LOW', missing: '500.000000' }]);
});
