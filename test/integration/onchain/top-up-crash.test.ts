import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { pollKilledAfter } from '../../support/onchain/killed-poll.ts';
import { addTopUps, COIN, TARGET, type ToppedUp } from '../../support/onchain/top-up-parts.ts';

let harness: SignerHarness;
let chain: ToppedUp;
beforeAll(async () => {
  harness = await createSignerHarness();
  chain = addTopUps(harness);
  // More than any signer account has: it waits, and the chain is looked at.
  await harness.send(100_000_000_000n);
});
afterAll(() => harness.close());

it('a process killed after any step of a top-up gives what is short, once', async () => {
  let isOver = false;
  let effects = 0;
  for (let effect = 1; !isOver; effect += 1) {
    await chain.setCoins(harness.signerAccount, 10n * COIN);
    await chain.setCoins(chain.short, 0n);
    isOver = await pollKilledAfter(chain, effect);
    effects = effect;
    await chain.poll();
    await chain.makeFinal();
    expect(await chain.coins(chain.short)).toBe(TARGET);
    const states = (await chain.topUps()).map(({ state }) => state);
    expect(states).toEqual(Array.from({ length: effect }, () => 'FINAL'));
  }
  // It is planned, signed, stored and sent at least: the process was killed after each.
  expect(effects).toBeGreaterThan(4);
  expect(harness.alarms.map(({ kind }) => kind)).not.toContain('SIGNER_ACCOUNT_FROZEN');
});
