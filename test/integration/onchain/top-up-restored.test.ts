import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { comeBack } from '../../support/onchain/restored-signer-account.ts';
import { thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';
import { addTopUps, FLOOR, TARGET, type ToppedUp } from '../../support/onchain/top-up-parts.ts';

let harness: SignerHarness;
let chain: ToppedUp;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(async () => {
  await startOver();
  chain = addTopUps(harness);
  await harness.send(100_000_000_000n);
});
afterAll(() => harness.close());

const statuses = async () => {
  const rows = await harness.rows<{ status: string }>('SELECT status FROM chain_signer_accounts');
  return rows.map(({ status }) => status);
};

it.each(['in the settings', 'only in the database'])(
  'a top-up that the restored database does not know is learnt from the chain; its signer account is known %s',
  async (where) => {
    await chain.mineAndPoll(1, { settings: { ...chain.deps.settings, topUps: null } });
    const restore = await harness.database.keepCopy();
    await chain.poll();
    await chain.makeFinal();
    expect(await chain.topUps()).toMatchObject([{ state: 'FINAL' }]);

    await comeBack(harness, restore);
    const { settings } = chain.deps;
    const known = where === 'in the settings' ? settings.hotAddresses : [harness.signerAccount];
    const after = { settings: { ...settings, signerAccounts: known } };
    await chain.mineAndPoll(1);
    expect(await statuses()).toEqual(['FROZEN', 'FROZEN']);
    await thawSignerAccount(harness);
    await thawSignerAccount(harness, 'SIGNER_ACCOUNT_THAW', chain.short);
    const isOpen = async () => (await statuses()).every((status) => status === 'OPEN');
    for (let look = 0; look < 20 && !(await isOpen()); look += 1) {
      await harness.anvil.mine(4);
      await chain.poll(after);
    }
    expect(await statuses()).toEqual(['OPEN', 'OPEN']);
    const found = await harness.rows(
      'SELECT kind, value::text AS value FROM chain_transactions WHERE is_found',
    );
    expect(found).toEqual([{ kind: 'TOP_UP', value: TARGET.toString() }]);

    // It is no second time short of what it has, and gets the next one as any other signer account does.
    await chain.makeFinal();
    expect(await chain.topUps()).toEqual([]);
    await chain.setCoins(chain.short, FLOOR - 1n);
    await chain.poll();
    await chain.makeFinal();
    expect(await chain.topUps()).toMatchObject([{ state: 'FINAL' }]);
    expect(await chain.coins(chain.short)).toBe(TARGET);
  },
);
