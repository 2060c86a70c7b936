import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { beginRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';

const LOOKED_AT_AGAIN_MS = 11 * 60_000;

let chain: ReaderHarness;
beforeAll(async () => {
  chain = await createReaderHarness();
});
afterAll(() => chain.close());

const idsAt = async (address: string) => {
  const rows = await chain.rows<{ id: string }>('SELECT id FROM deposits WHERE to_address = $1', [
    address,
  ]);
  return rows.map(({ id }) => id);
};

/** Brings a copy back as an operator does, after a while. */
async function comeBack(restore: () => Promise<void>): Promise<void> {
  await restore();
  chain.clock.advance(60_000);
  const actor = { kind: 'OPERATOR', name: 'ada' } as const;
  await chain.database.db.system((tx) =>
    beginRestoreMode(tx, { actor, at: chain.clock.now(), reason: 'restored' }),
  );
}

/** An address as this life of the database gives it out. */
async function giveOut(id: string, address: string): Promise<void> {
  const { scope } = chain.customer;
  const nowhere = { endUserId: null, bankAccountId: null, walletId: null, minAmount: 0n };
  await chain.database.db.write(scope, (tx) =>
    insertDepositAddress(tx, scope, { id, address, ...nowhere }, chain.clock.now()),
  );
}

/** Everything that lies at an address leaves it, as a sweep does. */
async function empty(address: string, amount: bigint): Promise<void> {
  const { anvil } = chain;
  await anvil.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
  await anvil.rpc('anvil_impersonateAccount', address);
  await chain.send(anvil.accounts[0] ?? '', amount, chain.usdc, address);
  await anvil.rpc('anvil_stopImpersonatingAccount', address);
}

describe('a database restored from before a deposit', () => {
  it('reads it again as the same one', async () => {
    const address = await chain.addStanding();
    await chain.poll();
    const restore = await chain.database.keepCopy();
    await chain.send(address, 5_000_000n);
    await chain.mineAndPollTwice(8);
    const before = await idsAt(address);
    expect(before).toHaveLength(1);
    await comeBack(restore);
    await chain.poll();
    expect(await idsAt(address)).toEqual(before);
  });
});

describe('a database restored from before an address was given out', () => {
  it.each([
    ['lies there', false],
    ['was swept', true],
  ])(
    'credits what came to it meanwhile, once it is given out again, and %s',
    async (_now, isSwept) => {
      await chain.addStanding();
      await chain.mineAndPoll(1);
      const restore = await chain.database.keepCopy();
      const [id, address] = [
        `da_7zzzzzzzzzzzzzzzzzzzzzzzz${String(Number(isSwept))}`,
        getAddress(`0x${(isSwept ? 'a1' : 'a2').padEnd(40, '7')}`),
      ];
      await comeBack(restore);
      await chain.send(address, 6_000_000n);
      await chain.mineAndPollTwice(8);
      if (isSwept) await empty(address, 6_000_000n);
      await chain.mineAndPollTwice(8);
      expect(await idsAt(address)).toEqual([]);

      // The clock of the chain stands hours behind: nothing but the copy says how far back to read.
      chain.clock.advance(4 * 3_600_000);
      await giveOut(id, address);
      chain.clock.advance(LOOKED_AT_AGAIN_MS);
      await chain.mineAndPollTwice(3);
      expect(await chain.deposits(address)).toMatchObject([
        { status: 'FINAL', amount: 6_000_000n },
      ]);
      const left = await chain.rows('SELECT amount FROM swept_tokens WHERE address = $1', [
        address,
      ]);
      expect(left).toEqual(isSwept ? [{ amount: 6_000_000n }] : []);
      expect(chain.alarms).toEqual([]);
    },
  );
});
