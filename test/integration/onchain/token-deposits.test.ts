import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReaderHarness, type ReaderHarness } from '../../support/onchain/reader-harness.ts';
import { sendAtOnce } from '../../support/onchain/send-at-once.ts';
import { deployDouble, type DeployedDouble } from '../../support/onchain/token-doubles.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

let chain: ReaderHarness;
let usdt: DeployedDouble;

beforeAll(async () => {
  chain = await createReaderHarness();
  usdt = await deployDouble(chain.anvil, 'UsdtDouble');
  const [, holder = ''] = chain.anvil.accounts;
  await usdt.say('issue', holder, 1_000_000_000n);
  await mintUsdc(chain.anvil, chain.usdc, holder, 1_000_000_000n);
  await chain.anvil.mine(8);
});
afterAll(() => chain.close());

const stand = async (address: string) =>
  (await chain.deposits(address)).map(({ status, amount }) => `${status} ${amount.toString()}`);

const sendTogether = (transfers: readonly (readonly [string, bigint])[]) =>
  sendAtOnce(chain, transfers);

describe('transfers of one transaction', () => {
  it('to two addresses are a deposit each', async () => {
    const [one, other] = [await chain.addStanding(), await chain.addStanding()];
    const before = (await chain.books())['available'] ?? 0n;
    await sendTogether([
      [one, 1_000_001n],
      [other, 2_000_002n],
    ]);
    await chain.mineAndPollTwice(8);
    expect(await stand(one)).toEqual(['FINAL 1000001']);
    expect(await stand(other)).toEqual(['FINAL 2000002']);
    expect((await chain.books())['available']).toBe(before + 3_000_003n);
  });

  it('to the same address are two deposits, also of the same amount', async () => {
    const address = await chain.addStanding();
    const before = (await chain.books())['available'] ?? 0n;
    const hash = await sendTogether([
      [address, 3_000_000n],
      [address, 3_000_000n],
    ]);
    await chain.mineAndPollTwice(8);
    expect(await stand(address)).toEqual(['FINAL 3000000', 'FINAL 3000000']);
    expect(new Set((await chain.deposits(address)).map(({ txHash }) => txHash))).toEqual(
      new Set([hash]),
    );
    expect((await chain.books())['available']).toBe(before + 6_000_000n);
  });

  it('to a payment pay for it together, and what is too much is in the balance', async () => {
    const { address } = await chain.addPayment(5_000_000n);
    const before = (await chain.books())['available'] ?? 0n;
    await sendTogether([
      [address, 2_000_000n],
      [address, 4_000_000n],
    ]);
    await chain.mineAndPollTwice(8);
    expect(await chain.deposits(address)).toMatchObject([
      { status: 'FINAL', appliedTo: 'PAYMENT', reason: null },
      { status: 'FINAL', appliedTo: 'PAYMENT', reason: 'SURPLUS' },
    ]);
    expect((await chain.books())['available']).toBe(before + 1_000_000n);
  });
});

describe('a deposit', () => {
  it('that is mined again behind others in its block is the same deposit', async () => {
    const address = await chain.addStanding();
    const [, holder = ''] = chain.anvil.accounts;
    const hash = await chain.send(address, 4_500_000n);
    const raw = await chain.anvil.rpc<string>('eth_getRawTransactionByHash', hash);
    await chain.mineAndPoll(1);
    expect(await stand(address)).toEqual(['SEEN 4500000']);
    await chain.anvil.rpc('anvil_rollback', 1);
    await chain.anvil.rpc('anvil_dropAllTransactions');
    // It offers more, and so comes first.
    await chain.send(holder, 1n, chain.usdc, holder);
    await chain.anvil.rpc('eth_sendRawTransaction', raw);
    await chain.anvil.mine(2);
    await chain.poll();
    expect(await stand(address)).toEqual(['SEEN 4500000']);
    await chain.mineAndPollTwice(8);
    expect(await stand(address)).toEqual(['FINAL 4500000']);
  });
});

describe('USDT as a deposit', () => {
  /** A poll cycle of a chain where both tokens are listed. */
  const look = () => {
    const assets = [
      { asset: 'USDC', contract: chain.usdc, floor: 1n },
      { asset: 'USDT', contract: usdt.contract, floor: 1n },
    ];
    return chain.poll({ settings: { ...chain.deps.settings, assets } });
  };
  const settle = async () => {
    for (const blocks of [1, 7]) {
      await chain.anvil.mine(blocks);
      await look();
    }
  };
  const send = (to: string, amount: bigint) =>
    chain.send(to, amount, usdt.contract, chain.anvil.accounts[1]);

  it('is what the event says: its transfer answers nothing', async () => {
    const address = await chain.addStanding();
    await send(address, 7_000_000n);
    await settle();
    expect(await stand(address)).toEqual(['FINAL 7000000']);
    expect(await usdt.balance(address)).toBe(7_000_000n);
  });

  it('is what arrives where the issuer takes a fee of it', async () => {
    const address = await chain.addStanding();
    await usdt.say('setFee', 25n);
    await send(address, 7_000_000n);
    await settle();
    await usdt.say('setFee', 0n);
    expect(await stand(address)).toEqual(['FINAL 6982500']);
    expect(await usdt.balance(address)).toBe(6_982_500n);
    const [row] = await chain.rows<{ minor: bigint }>(
      `SELECT sum(e.amount)::bigint AS minor FROM ledger_entries e
         JOIN ledger_transactions t ON t.id = e.transaction_id JOIN deposits d ON d.id = t.deposit_id
       WHERE d.to_address = $1 AND e.account = 'available' AND e.currency = 'USDT'`,
      [address],
    );
    expect(row).toEqual({ minor: 6_982_500n });
  });

  it.each([
    ['while it is paused', 'setPaused', [] as const],
    ['of a sender whom its issuer has blacklisted', 'setBlackListed', ['HOLDER'] as const],
  ])('%s is none: nothing has moved', async (_when, say, given) => {
    const address = await chain.addStanding();
    const holder = chain.anvil.accounts[1] ?? '';
    const whom = given.map(() => holder);
    await usdt.say(say, ...whom, true);
    await send(address, 7_000_000n);
    await settle();
    await usdt.say(say, ...whom, false);
    expect(await stand(address)).toEqual([]);
    expect(await usdt.balance(address)).toBe(0n);
  });
});
