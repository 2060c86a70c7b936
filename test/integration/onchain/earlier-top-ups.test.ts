import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { GIVEN, planEarlierTopUp, topUpStands } from '../../support/onchain/earlier-top-up.ts';
import { addSecondSignerAccount } from '../../support/onchain/second-signer-account.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';

let harness: SignerHarness;
let short: string;
let both: Pick<ChainDeps, 'settings' | 'signerOf'>;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  ({ address: short, both } = addSecondSignerAccount(harness));
  await harness.anvil.mine(8);
  startOver = await harness.keepStart();
});
beforeEach(async () => {
  await startOver();
  // Both signer accounts are opened by a poll cycle, which a transfer larger than all they have keeps going.
  await harness.send(100_000_000_000n);
  await harness.poll(both);
});
afterAll(() => harness.close());

const coinsOf = async (address: string) =>
  BigInt(await harness.anvil.rpc<string>('eth_getBalance', address, 'latest'));

async function makeFinal(): Promise<void> {
  await harness.anvil.mine(8);
  await harness.poll(both);
  await harness.anvil.mine(8);
  await harness.poll(both);
  await harness.poll(both);
}

it.each([
  ['was not signed', false],
  ['was signed, and reached no pool', true],
])(
  'a top-up by the release before that %s gives nothing, and the payment behind it goes out',
  async (_what, isSigned) => {
    await planEarlierTopUp(harness, short, { isSigned });
    // Gives it up, and replaces it by an empty transaction.
    await harness.poll(both);
    await harness.poll(both);
    const { id } = await harness.send();
    await harness.poll(both);
    await makeFinal();
    expect(await topUpStands(harness)).toEqual([{ state: 'REJECTED', isInBlock: false }]);
    expect(await coinsOf(short)).toBe(0n);
    expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
  },
);

it('a top-up by the release before that is mined ends with the block that holds it, whoever receives it', async () => {
  const raw = await planEarlierTopUp(harness, short, { isSigned: true });
  await harness.deps.nodes.broadcast([raw]);
  await harness.anvil.mine();
  const { id } = await harness.send();
  await harness.poll(both);
  await makeFinal();
  expect(await topUpStands(harness)).toEqual([{ state: 'FINAL', isInBlock: true }]);
  expect(await coinsOf(short)).toBe(GIVEN);
  expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
});

it('the database lets a nonce give what was planned for it, and nothing else', async () => {
  await planEarlierTopUp(harness, short, { isSigned: false });
  const more = harness.deps.db.system((tx) =>
    tx.query(
      `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned, max_fee_per_gas,
         max_priority_fee_per_gas, gas, value, created_at)
       SELECT environment, network, address, nonce, number + 1, kind, unsigned, max_fee_per_gas,
         max_priority_fee_per_gas, gas, value + 1, now() FROM chain_transactions WHERE kind = 'TOP_UP'`,
    ),
  );
  await expect(more).rejects.toThrow('it carries something else');
  for (const state of ['FINAL', 'REJECTED']) {
    const ended = harness.deps.db.system((tx) =>
      tx.query(`UPDATE chain_top_ups SET state = '${state}', block_number = 1`),
    );
    await expect(ended).rejects.toThrow('it ends as its nonce does');
  }
});
