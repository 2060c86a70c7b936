import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { ScreeningError } from '../../../src/domain/parties/screening/screening-provider.ts';
import { disableDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { readAllAddresses } from '../../../src/db/parties/watched-address-store.ts';
import { proposeDust } from '../../../src/modules/onchain/deposits/ask-for-dust.ts';
import { readProved } from '../../../src/modules/onchain/deposits/advance-cursors.ts';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { refuseStatements } from '../../support/onchain/refuse-statements.ts';
import { sendAtOnce } from '../../support/onchain/send-at-once.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { createTwoOperators } from '../../support/two-operators.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';

const FLOOR = 100_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 25 * HOUR_MS;

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
async function makeFinal(given: Partial<ReaderDeps> = {}): Promise<void> {
  const reader = { ...settings, ...given };
  await chain.anvil.mine(1);
  await chain.poll(reader);
  await chain.anvil.mine(8);
  await chain.poll(reader);
  await chain.poll(reader);
  await chain.poll(reader);
}

/** Nodes that fail so for the receipts of some transactions. */
const failingFor = (txHashes: readonly string[], why: string): Partial<ReaderDeps> => ({
  nodes: {
    ...chain.deps.nodes,
    async findReceipts(queries) {
      const answers = await chain.deps.nodes.findReceipts(queries);
      return answers.map((answer, place) =>
        txHashes.includes(queries[place]?.hash ?? '') ? new ChainUnreadable(why) : answer,
      );
    },
  },
});

/** A day later every balance is counted, and nothing is unexplained. */
async function expectExplained(): Promise<void> {
  chain.alarms.length = 0;
  chain.clock.advance(DAY_MS);
  await chain.poll(settings);
  expect(chain.alarms).toEqual([]);
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
    chain.clock.advance(HOUR_MS);
    await makeFinal();
    expect((await amounts(address)).slice(2)).toEqual([
      [99_999n, 'FINAL'],
      [2n, 'FINAL'],
    ]);
    expect(await sums(address)).toEqual([{ amount: 1n, transfers: 1n }]);
    chain.clock.advance(HOUR_MS);
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
    chain.clock.advance(HOUR_MS);
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

describe('dust that somebody sends on purpose', () => {
  it('keeps no deposit from being credited where its receipt cannot be read', async () => {
    const [address, honest] = [await chain.addStanding(), await chain.addStanding()];
    const unread = await send(address, 60_000n);
    await send(address, 50_000n);
    const failing = failingFor([unread], 'NODES_DIFFER');
    await makeFinal(failing);
    await send(honest, 5_000_000n);
    await makeFinal(failing);
    expect(await amounts(honest)).toEqual([[5_000_000n, 'FINAL']]);
    expect(await amounts(address)).toEqual([[50_000n, 'FINAL']]);
    expect(await sums(address)).toEqual([{ amount: 60_000n, transfers: 1n }]);
  });

  it('is left out where its receipt is too large, and those behind it have their turn', async () => {
    const address = await chain.addStanding();
    const large = await send(address, 99_999n);
    await send(address, 60_000n);
    const failing = failingFor([large], 'ANSWER_TOO_LARGE');
    await makeFinal(failing);
    expect(await amounts(address)).toEqual([[60_000n, 'FINAL']]);
    for (const amount of [50_000n, 40_000n, 10_000n]) await send(address, amount);
    await makeFinal(failing);
    chain.clock.advance(HOUR_MS);
    await makeFinal(failing);
    expect((await amounts(address)).slice(1)).toEqual([
      [50_000n, 'FINAL'],
      [40_000n, 'FINAL'],
      [10_000n, 'FINAL'],
    ]);
    expect(await sums(address)).toEqual([{ amount: 99_999n, transfers: 1n }]);
    // It can be read: it is one of those that count again.
    chain.clock.advance(DAY_MS);
    await send(address, 1n);
    await makeFinal();
    chain.clock.advance(HOUR_MS);
    await makeFinal();
    expect((await amounts(address)).slice(4)).toEqual([
      [99_999n, 'FINAL'],
      [1n, 'FINAL'],
    ]);
  });

  it('becomes no more than 20 deposits in a poll cycle, at however many addresses it lies', async () => {
    const addresses = [await chain.addStanding(), await chain.addStanding()];
    for (const address of addresses) {
      await sendAtOnce(
        chain,
        Array.from({ length: 16 }, () => [address, 7_000n] as const),
      );
    }
    await chain.anvil.mine(9);
    const counts: number[] = [];
    for (let polls = 0; polls < 4; polls += 1) {
      await chain.poll(settings);
      const lists = await Promise.all(addresses.map((address) => chain.deposits(address)));
      counts.push(lists.flat().length);
    }
    expect(counts.at(-1)).toBe(30);
    for (const [index, count] of counts.entries()) {
      expect(count - (counts[index - 1] ?? 0)).toBeLessThanOrEqual(20);
    }
  });

  it('keeps no deposit from being credited where the database does not answer about it in time', async () => {
    const honest = await chain.addStanding();
    await send(honest, 5_000_000n);
    await chain.anvil.mine(9);
    const timedOut = Object.assign(new Error('statement timeout'), { code: '57014' });
    const db = refuseStatements(chain.deps.db, (text) =>
      text.includes('dust_sums s') ? timedOut : null,
    );
    await expect(chain.poll({ ...settings, db })).rejects.toBe(timedOut);
    expect(await amounts(honest)).toEqual([[5_000_000n, 'FINAL']]);
  });

  it('waits while more deposits wait than half of what a poll cycle credits', async () => {
    const [full, address] = [await chain.addStanding(), await chain.addStanding()];
    const many = Array.from({ length: 20 }, () => [full, FLOOR] as const);
    for (let sent = 0; sent < 6; sent += 1) await sendAtOnce(chain, many);
    await send(address, 60_000n);
    await send(address, 50_000n);
    await makeFinal({
      askAddress: () => Promise.reject(new ScreeningError('SCREENING_UNREACHABLE')),
    });
    expect((await amounts(full)).filter(([, status]) => status === 'SEEN')).toHaveLength(120);
    expect(await amounts(address)).toEqual([]);
    await makeFinal();
    expect((await amounts(full)).filter(([, status]) => status === 'FINAL')).toHaveLength(120);
    expect(await amounts(address)).toEqual([
      [60_000n, 'FINAL'],
      [50_000n, 'FINAL'],
    ]);
  });

  it('is credited behind what is over the floor, although that came later', async () => {
    const [honestSender = '', sender = ''] = chain.anvil.accounts;
    const [address, honest] = [await chain.addStanding(), await chain.addStanding()];
    await chain.anvil.sendAndMine({
      ...{ from: honestSender, to: chain.usdc },
      data: usdcCall('transfer', sender, FLOOR),
    });
    await send(address, 60_000n, sender);
    await send(address, 40_000n, sender);
    await chain.anvil.mine(9);
    await chain.poll(settings);
    expect((await amounts(address)).map(([, status]) => status)).toEqual(['SEEN', 'SEEN']);
    await send(honest, 5_000_000n);
    await chain.anvil.mine(9);
    const asked: string[] = [];
    await chain.poll({
      ...settings,
      askAddress: async (query) => {
        asked.push(query.address);
        return { verdict: 'CLEAR', listVersion: 'made up' };
      },
    });
    expect(asked).toEqual([honestSender, sender, sender]);
  });

  it('of one transaction to one address becomes as many deposits as reach the floor, and no more', async () => {
    const address = await chain.addStanding();
    await sendAtOnce(
      chain,
      Array.from({ length: 30 }, () => [address, 9_999n] as const),
    );
    await makeFinal();
    expect(await amounts(address)).toHaveLength(11);
    expect(await sums(address)).toEqual([{ amount: 19n * 9_999n, transfers: 19n }]);
    await expectExplained();
  });
});

describe('what is counted', () => {
  it('counts once where nodes list it at differing places, and where they agree later', async () => {
    const address = await chain.addStanding();
    const real = chain.deps.nodes.listTransfers;
    const nodes: ReaderDeps['nodes'] = {
      ...chain.deps.nodes,
      async listTransfers(query) {
        const { byAll, bySome } = await real(query);
        const moved = byAll.filter(({ to }) => to === address);
        const elsewhere = moved.map((one) => ({ ...one, logIndex: one.logIndex + 1n }));
        return {
          byAll: byAll.filter(({ to }) => to !== address),
          bySome: [...bySome, ...moved, ...elsewhere],
        };
      },
    };
    await sendAtOnce(chain, [
      [address, 7n],
      [address, 7n],
      [address, 5n],
    ]);
    await makeFinal({ nodes });
    expect(await sums(address)).toEqual([{ amount: 19n, transfers: 3n }]);
    const { final } = await chain.deps.nodes.heads();
    const addresses = await chain.database.db.system((tx) => readAllAddresses(tx, 'test'));
    await readProved({ ...chain.deps, ...settings }, addresses, { from: 1n, to: final.number });
    expect(await sums(address)).toEqual([{ amount: 19n, transfers: 3n }]);
    await expectExplained();
  });

  it('is no deposit that was SEEN before there was a floor', async () => {
    const address = await chain.addStanding();
    await send(address, 70_000n);
    await chain.anvil.mine(1);
    await chain.poll();
    await makeFinal();
    expect(await amounts(address)).toEqual([[70_000n, 'FINAL']]);
    expect((await sums(address)).filter(({ amount }) => amount > 0n)).toEqual([]);
    await expectExplained();
  });

  it('counts no more once a release that knows no floor, or a lower one, has made a deposit of it', async () => {
    const address = await chain.addStanding();
    await sendAtOnce(chain, [
      [address, 3n],
      [address, 3n],
      [address, 4n],
    ]);
    await makeFinal();
    expect(await sums(address)).toEqual([{ amount: 10n, transfers: 3n }]);
    const { final } = await chain.deps.nodes.heads();
    const addresses = await chain.database.db.system((tx) => readAllAddresses(tx, 'test'));
    await readProved(
      chain.deps,
      addresses.filter((one) => one.address === address),
      {
        from: final.number - 12n,
        to: final.number,
      },
    );
    expect(await amounts(address)).toHaveLength(3);
    expect(await sums(address)).toEqual([{ amount: 0n, transfers: 0n }]);
    await makeFinal();
    await expectExplained();
  });
});

const fundingOf = async (paymentId: string) =>
  (
    await chain.rows<{ status: string }>(
      'SELECT status FROM payment_fundings WHERE payment_id = $1',
      [paymentId],
    )
  )[0]?.status;

describe('the rest that a payment waits for', () => {
  it('completes it below the floor, after or before what it lacks', async () => {
    for (const parts of [
      [100_000_000n, 50_000n],
      [50_000n, 100_000_000n],
      [20_000n, 100_000_000n, 30_000n],
    ]) {
      const { address, paymentId } = await chain.addPayment(100_050_000n);
      for (const amount of parts) {
        await send(address, amount);
        await makeFinal();
      }
      expect(await fundingOf(paymentId)).toBe('HELD');
      expect(await sums(address)).toEqual([{ amount: 0n, transfers: 0n }]);
    }
  });

  it('is a deposit before the cursor passes the time of the payment, and so completes it in time', async () => {
    const { address, paymentId } = await chain.addPayment(100_050_000n);
    await send(address, 100_000_000n);
    await send(address, 50_000n);
    await chain.anvil.mine(9);
    // The poll cycle that reads these blocks as final stores it.
    await chain.poll(settings);
    expect((await amounts(address)).map(([amount]) => amount)).toEqual([100_000_000n, 50_000n]);
    await chain.poll(settings);
    expect(await fundingOf(paymentId)).toBe('HELD');
  });

  it('holds the cursor while no block shows it that both providers list', async () => {
    const { address, paymentId } = await chain.addPayment(100_050_000n);
    await send(address, 100_000_000n);
    const rest = await send(address, 50_000n);
    await chain.anvil.mine(9);
    const hiding: Partial<ReaderDeps> = {
      nodes: {
        ...chain.deps.nodes,
        async findReceipts(queries) {
          const answers = await chain.deps.nodes.findReceipts(queries);
          return answers.map((answer, place) => (queries[place]?.hash === rest ? null : answer));
        },
      },
    };
    await expect(chain.poll({ ...settings, ...hiding })).rejects.toMatchObject({
      why: 'NOT_PROVED',
    });
    await chain.poll(settings);
    await chain.poll(settings);
    expect(await fundingOf(paymentId)).toBe('HELD');
  });

  it('is what came in time, although more came too late', async () => {
    const now = Math.ceil(chain.clock.now().getTime() / 1_000);
    const mineAt = (seconds: number) => chain.anvil.rpc('evm_setNextBlockTimestamp', seconds);
    const { address, paymentId } = await chain.addPayment(100_050_000n);
    await send(address, 100_000_000n);
    await send(address, 50_000n);
    await mineAt(now);
    await chain.anvil.mine(1);
    chain.clock.advance(DAY_MS);
    await send(address, 60_000n);
    await mineAt(now + DAY_MS / 1_000);
    await chain.anvil.mine(9);
    await chain.poll(settings);
    await chain.poll(settings);
    expect(await fundingOf(paymentId)).toBe('HELD');
  });

  it('is not what is less: that stays counted', async () => {
    const { address, paymentId } = await chain.addPayment(100_050_000n);
    await send(address, 100_000_000n);
    await send(address, 49_999n);
    await makeFinal();
    expect(await fundingOf(paymentId)).toBe('AWAITED');
    expect(await sums(address)).toEqual([{ amount: 49_999n, transfers: 1n }]);
  });
});

describe('what operators ask for', () => {
  it('becomes deposits although it does not reach the floor, once two of them agreed, and can be refunded', async () => {
    const address = await chain.addStanding();
    await sendAtOnce(chain, [
      [address, 3n],
      [address, 40_000n],
    ]);
    await makeFinal();
    const people = chain.database.people;
    const operators = createTwoOperators(people, chain.clock);
    const key = { ...PLACE, asset: 'USDC', address };
    const propose = (one: typeof key) =>
      proposeDust({ db: people, clock: chain.clock }, one, {
        operator: 'ada',
        reason: 'the sender asks for it',
      });
    expect(await propose({ ...key, asset: 'USDT' })).toBe('NOTHING');
    const about = await propose(key);
    if (about === 'NOTHING' || about.proposalId === null) throw new Error('not proposed');
    await makeFinal();
    expect(await amounts(address)).toEqual([]);
    expect(await operators.approve(about.proposalId, 'bea')).toMatchObject({ code: 0 });
    await makeFinal();
    expect(await amounts(address)).toEqual([
      [3n, 'FINAL'],
      [40_000n, 'FINAL'],
    ]);
    expect(await sums(address)).toEqual([{ amount: 0n, transfers: 0n }]);
    expect(await propose(key)).toBe('NOTHING');
  });

  it('is refused by the database where nobody agreed', async () => {
    const [sum] = await chain.rows<{ address: string }>('SELECT address FROM dust_sums LIMIT 1');
    await expect(
      chain.rows('UPDATE dust_sums SET asked_by = $2 WHERE address = $1', [sum?.address, 'apr_1']),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(23514|42501)$/) });
  });
});

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
    expect(chain.alarms).toEqual([{ kind: 'DEPOSIT_LEFT_OUT', address, asset: 'USDC' }]);
    await expectExplained();
  });
});
