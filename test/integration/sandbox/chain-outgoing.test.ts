import { keccak256, toHex, type Address, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxChain } from '../../../src/sandbox/chain/sandbox-chain.ts';
import type { SandboxNetwork } from '../../../src/sandbox/chain/sandbox-network.ts';
import {
  askRpc,
  openSandboxChain,
  readHead,
  signTransfer as sign,
  transferData,
} from '../../support/onchain/open-sandbox-chain.ts';
import { until } from '../../support/until.ts';

const WALLET: Address = '0x1111111111111111111111111111111111111111';
const FROZEN: Address = '0x111111111111111111111111111111111111bad3';
const REVERTED = { code: 3, message: 'execution reverted', data: '0x' };

interface Receipt {
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly logs: readonly unknown[];
}

/** A hot address for each test, of which nothing was sent before. */
const HOTS = Array.from({ length: 20 }, (_none, n) =>
  privateKeyToAccount(keccak256(toHex(`hot address ${String(n)} of tests`))),
);

describe('outgoing transfers on a chain of the sandbox', () => {
  let chain: SandboxChain;
  let base: SandboxNetwork;
  let hot: (typeof HOTS)[number];
  beforeAll(async () => {
    chain = await openSandboxChain({ hotAddresses: HOTS.map(({ address }) => address) });
    base = chain.networks[0]!;
  });
  afterAll(() => chain.close());
  const unused = HOTS.values();
  beforeEach(() => {
    hot = unused.next().value!;
  });

  const signTransfer = (
    network: Parameters<typeof sign>[0],
    transfer: Parameters<typeof sign>[1],
  ) => sign(network, transfer, hot);

  const receiptOf = async (hash: unknown): Promise<Receipt | null> =>
    (await askRpc(chain, 'eth_getTransactionReceipt', [hash])).result as Receipt | null;
  const mined = (hash: unknown) => until('a receipt', () => receiptOf(hash));
  const send = async (raw: Hex, provider = 'a') =>
    askRpc(chain, 'eth_sendRawTransaction', [raw], provider);
  const pay = async (amount: bigint, nonce = 0, fee = 10n, to = WALLET) =>
    (await send(await signTransfer(base, { to, amount, nonce, fee }))).result as Hex;
  const tryCall = (amount: bigint, to = WALLET) => {
    const call = {
      from: hot.address,
      to: base.contracts.tokens.USDC,
      data: transferData({ to, amount }),
    };
    return askRpc(chain, 'eth_call', [call, 'latest']);
  };
  const balance = async (at: unknown = 'latest') => {
    const data = `0x70a08231${hot.address.slice(2).padStart(64, '0')}`;
    const call = { to: base.contracts.tokens.USDC, data };
    return BigInt((await askRpc(chain, 'eth_call', [call, at])).result as Hex);
  };
  /** The newest block, once ten looks after each other have found the same: longer than a reorganisation waits. */
  const idle = () => {
    const heads: number[] = [];
    return until('an idle chain', async () => {
      heads.push(await readHead(chain));
      const [head, ...others] = heads.slice(-10);
      return others.length === 9 && others.every((one) => one === head) ? head : null;
    });
  };

  it('a plain one is mined, then final, and then no block follows', async () => {
    const hash = await pay(25_000_000n);
    const { status, blockNumber, logs } = await mined(hash);
    expect(status).toBe('0x1');
    expect(logs).toHaveLength(1);
    expect(await idle()).toBe(Number(blockNumber) + 7);
    const final = await askRpc(chain, 'eth_getBlockByNumber', ['finalized', false]);
    expect(Number((final.result as { number: Hex }).number)).toBe(Number(blockNumber) + 1);
  });

  it('.01 works when it is tried, reverts when it is mined, and fails from then on', async () => {
    expect(await tryCall(10_010_000n)).not.toHaveProperty('error');
    const { status, logs, blockHash } = await mined(await pay(10_010_000n));
    expect(status).toBe('0x0');
    expect(logs).toEqual([]);
    expect(await balance({ blockHash })).toBeGreaterThan(0n);
    expect((await tryCall(10_010_000n)).error).toEqual(REVERTED);
    expect(await tryCall(10_000_000n)).not.toHaveProperty('error');
    expect((await mined(await pay(10_000_000n, 1))).status).toBe('0x1');
  });

  it('.02 lies deep enough to be believed, disappears, and is mined again, once', async () => {
    const hash = await pay(10_020_000n);
    const first = await mined(hash);
    await until('four blocks above', async () =>
      (await readHead(chain)) >= Number(first.blockNumber) + 4 ? true : null,
    );
    await until('a block without it', async () => ((await receiptOf(hash)) === null ? true : null));
    expect((await askRpc(chain, 'eth_getTransactionByHash', [hash])).result).toMatchObject({
      blockHash: null,
    });
    const second = await mined(hash);
    expect(second.blockHash).not.toBe(first.blockHash);
    expect(Number(second.blockNumber)).toBeGreaterThan(Number(first.blockNumber));
    await idle();
    expect(await receiptOf(hash)).toEqual(second);
  });

  it('.03 is taken without an answer', async () => {
    const raw = await signTransfer(base, { to: WALLET, amount: 10_030_000n, nonce: 0 });
    await expect(send(raw)).rejects.toThrow();
    await until('one transaction', async () =>
      (await askRpc(chain, 'eth_getTransactionCount', [hot.address, 'latest'])).result === '0x1'
        ? true
        : null,
    );
  });

  it('.04 is forgotten by both providers two times, and mined the third', async () => {
    const raw = await signTransfer(base, { to: WALLET, amount: 10_040_000n, nonce: 0 });
    const find = async (hash: unknown, provider: string) =>
      (await askRpc(chain, 'eth_getTransactionByHash', [hash], provider)).result;
    for (const provider of ['a', 'b']) {
      const hash = (await send(raw, provider)).result;
      await until('it is forgotten', async () =>
        (await find(hash, 'a')) === null && (await find(hash, 'b')) === null ? true : null,
      );
      expect(await receiptOf(hash)).toBeNull();
    }
    expect((await mined((await send(raw)).result)).status).toBe('0x1');
  });

  it('.05 is never mined until a self-transfer takes its nonce', async () => {
    const hash = await pay(10_050_000n);
    const head = await readHead(chain);
    await until('ten blocks', async () => ((await readHead(chain)) > head + 10 ? true : null));
    expect(await receiptOf(hash)).toBeNull();
    const cheap = await send(await signTransfer(base, { nonce: 0, fee: 10n }));
    expect(cheap.error?.message).toBe('replacement transaction underpriced');
    const voided = await send(await signTransfer(base, { nonce: 0, fee: 12n }));
    expect((await mined(voided.result)).status).toBe('0x1');
    expect(await receiptOf(hash)).toBeNull();
  });

  it('.05 keeps blocks coming for a while only', async () => {
    await idle();
    const head = await readHead(chain);
    await pay(10_050_000n);
    expect(await idle()).toBe(head + 60);
    await mined((await send(await signTransfer(base, { nonce: 0, fee: 12n }))).result);
  });

  it('.06 finds the sender without money until a refill', async () => {
    expect(await balance()).toBeGreaterThan(0n);
    expect((await tryCall(10_060_000n)).error).toEqual(REVERTED);
    expect(await balance()).toBe(0n);
    const refill = { method: 'POST', body: JSON.stringify({ network: 'BASE' }) };
    expect((await fetch(`${chain.url}/refills`, refill)).status).toBe(200);
    expect(await balance()).toBeGreaterThan(0n);
    expect(await tryCall(10_060_000n)).not.toHaveProperty('error');
    expect((await mined(await pay(10_060_000n))).status).toBe('0x1');
  });

  it('.07 is mined after two bumps', async () => {
    await pay(10_070_000n, 0, 10n);
    await pay(10_070_000n, 0, 12n);
    const third = await pay(10_070_000n, 0, 14n);
    expect((await mined(third)).status).toBe('0x1');
  });

  it('a frozen wallet is refused when it is tried, and reverts when it is paid all the same', async () => {
    expect((await tryCall(10_000_000n, FROZEN)).error).toEqual(REVERTED);
    expect((await mined(await pay(10_000_000n, 0, 10n, FROZEN))).status).toBe('0x0');
  });

  it('a later nonce waits for the earlier one, and a used one is refused', async () => {
    const later = await pay(1_000_000n, 1);
    const pending = await askRpc(chain, 'eth_getTransactionByHash', [later], 'b');
    expect(pending.result).toMatchObject({ hash: later, blockHash: null, nonce: '0x1' });
    const earlier = await pay(2_000_000n, 0);
    expect(Number((await mined(later)).blockNumber)).toBeGreaterThanOrEqual(
      Number((await mined(earlier)).blockNumber),
    );
    const stale = await send(await signTransfer(base, { to: WALLET, amount: 3n, nonce: 0 }));
    expect(stale.error?.message).toBe('nonce too low');
  });

  it('takes no transaction of another chain, and lets no client change the chain', async () => {
    const foreign = await signTransfer(
      { ...base, chainId: 1 },
      { to: WALLET, amount: 1n, nonce: 0 },
    );
    expect((await send(foreign)).error?.code).toBe(-32000);
    for (const method of ['evm_mine', 'anvil_setBalance', 'eth_sendTransaction', 'hardhat_reset']) {
      expect((await askRpc(chain, method, [])).error?.code).toBe(-32601);
    }
  });
});
