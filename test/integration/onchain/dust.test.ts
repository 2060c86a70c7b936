import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import { disableDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { readAllAddresses } from '../../../src/db/parties/watched-address-store.ts';
import { readProved } from '../../../src/modules/onchain/deposits/advance-cursors.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { sendAtOnce } from '../../support/onchain/send-at-once.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';

const FLOOR = 100_000n;

let chain: ReaderHarness;
/** As the reader is set where a tenth of a unit is the floor. */
let settings: { readonly settings: ReaderDeps['settings'] };
beforeAll(async () => {
  chain = await createReaderHarness();
  const given = chain.deps.settings;
  settings = {
    settings: { ...given, assets: given.assets.map((one) => ({ ...one, floor: FLOOR })) },
  };
});
afterAll(() => chain.close());

/** Sends minor units into the pool. */
const send = (to: string, amount: bigint, from = chain.anvil.accounts[0] ?? '') =>
  chain.anvil.send({ from, to: chain.usdc, data: usdcCall('transfer', to, amount) });

/** What was sent is final, and credited where it is to be. */
async function makeFinal(): Promise<void> {
  await chain.anvil.mine(1);
  await chain.poll(settings);
  await chain.anvil.mine(8);
  await chain.poll(settings);
  await chain.poll(settings);
  await chain.poll(settings);
}

const amounts = async (address: string) =>
  (await chain.deposits(address)).map(({ amount, status }) => [amount, status]);

const sums = (address: string) =>
  chain.rows<{ amount: bigint; transfers: bigint }>(
    'SELECT amount::bigint AS amount, transfers FROM dust_sums WHERE address = $1',
    [address],
  );

describe('a transfer below the floor of its asset', () => {
  it('is counted once it is final, and is no deposit; one at the floor is', async () => {
    const address = await chain.addStanding();
    await send(address, FLOOR - 1n);
    await send(address, FLOOR);
    await makeFinal();
    expect(await amounts(address)).toEqual([[FLOOR, 'FINAL']]);
    expect(await sums(address)).toEqual([{ amount: FLOOR - 1n, transfers: 1n }]);
    expect(chain.alarms).toEqual([]);
  });

  it('becomes a deposit with others that reach the floor together, the largest first, once an hour', async () => {
    const address = await chain.addStanding();
    for (const amount of [1n, 60_000n, 50_000n, 2n]) await send(address, amount);
    await makeFinal();
    expect(await amounts(address)).toEqual([
      [60_000n, 'FINAL'],
      [50_000n, 'FINAL'],
    ]);
    expect(await sums(address)).toEqual([{ amount: 3n, transfers: 2n }]);
    await send(address, 99_999n);
    await makeFinal();
    expect(await amounts(address)).toHaveLength(2);
    chain.clock.advance(3_600_000);
    await makeFinal();
    expect((await amounts(address)).slice(2)).toEqual([
      [99_999n, 'FINAL'],
      [2n, 'FINAL'],
    ]);
    expect(await sums(address)).toEqual([{ amount: 1n, transfers: 1n }]);
    chain.clock.advance(3_600_000);
    await makeFinal();
    expect(chain.alarms).toEqual([]);
  });

  it('costs no receipt, and of hundreds to one address the books and the honest deposit are right', async () => {
    const address = await chain.addStanding();
    const honest = await chain.addStanding();
    const proved: string[] = [];
    const nodes: ReaderDeps['nodes'] = {
      ...chain.deps.nodes,
      findReceipts: (queries) => {
        proved.push(...queries.map(({ hash }) => hash));
        return chain.deps.nodes.findReceipts(queries);
      },
    };
    const dust = Array.from({ length: 20 }, () => [address, 10n] as const);
    for (let sent = 0; sent < 10; sent += 1) await sendAtOnce(chain, dust);
    const txHash = await send(honest, 5_000_000n);
    await chain.anvil.mine(1);
    await chain.poll({ ...settings, nodes });
    await chain.anvil.mine(8);
    await chain.poll({ ...settings, nodes });
    expect(await amounts(honest)).toEqual([[5_000_000n, 'FINAL']]);
    expect(proved).toEqual([txHash]);
    expect(await sums(address)).toEqual([{ amount: 2_000n, transfers: 200n }]);
    chain.clock.advance(3_600_000);
    await chain.poll(settings);
    expect(await amounts(address)).toEqual([]);
    expect(chain.alarms).toEqual([]);
  });

  it('that only one provider lists counts where the receipts show it', async () => {
    const address = await chain.addStanding();
    await send(address, 7n);
    chain.pair.other.lieAbout('eth_getLogs', ({ jsonrpc, id }) => ({ jsonrpc, id, result: [] }));
    await makeFinal();
    chain.pair.repent();
    expect(await sums(address)).toEqual([{ amount: 7n, transfers: 1n }]);
  });

  it('is counted once, although its blocks are read again', async () => {
    const address = await chain.addStanding();
    await send(address, 7n);
    await makeFinal();
    const { final } = await chain.deps.nodes.heads();
    const addresses = await chain.database.db.system((tx) => readAllAddresses(tx, 'test'));
    await readProved({ ...chain.deps, ...settings }, addresses, { from: 1n, to: final.number });
    expect(await sums(address)).toEqual([{ amount: 7n, transfers: 1n }]);
  });
});

const DAY_MS = 25 * 3_600_000;

describe('a late deposit to an address that is watched no more', () => {
  it('is found by what leaves for the treasury, whoever sweeps it', async () => {
    const address = await chain.addStanding();
    await chain.poll(settings);
    const [row] = await chain.rows<{ id: string }>(
      'SELECT id FROM deposit_addresses WHERE address = $1',
      [address],
    );
    const { scope } = chain.customer;
    await chain.database.db.write(scope, (tx) =>
      disableDepositAddress(tx, scope, row?.id ?? '', chain.clock.now()),
    );
    chain.clock.advance(DAY_MS);
    await chain.poll(settings);
    await send(address, 5_000_000n);
    await makeFinal();
    expect(await amounts(address)).toEqual([]);
    // The sweep of a stranger, as the token shows it.
    await chain.anvil.rpc('anvil_impersonateAccount', address);
    await chain.anvil.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
    await send(chain.deps.settings.treasury, 5_000_000n, address);
    await makeFinal();
    expect(await amounts(address)).toEqual([[5_000_000n, 'FINAL']]);
    chain.clock.advance(DAY_MS);
    await chain.poll(settings);
    expect(chain.alarms).toEqual([]);
  });
});
