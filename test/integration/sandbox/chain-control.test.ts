import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxChain } from '../../../src/sandbox/chain/sandbox-chain.ts';
import {
  askRpc,
  HOT,
  openSandboxChain,
  readHead,
  signTransfer,
} from '../../support/onchain/open-sandbox-chain.ts';
import { until } from '../../support/until.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface Deposit {
  readonly txHash: Hex;
  readonly status: string;
}

interface Log {
  readonly topics: readonly Hex[];
}

async function ask(chain: SandboxChain, method: string, path: string, body?: object) {
  const answer = await fetch(`${chain.url}/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('the control API of the sandbox chains', () => {
  let chain: SandboxChain;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-chain-'));
    chain = await openSandboxChain({ folder });
  });
  afterAll(async () => {
    await chain.close();
    rmSync(folder, { recursive: true });
  });
  /** Of each test alone: where its deposits go, and what their ids begin with. */
  let to: Address;
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    to = `0x33${String(tests).padStart(38, '0')}`;
  });

  const deposit = (amount: string, more: object = {}) => ({
    ...{ network: 'BASE', asset: 'USDC', to, amount },
    ...more,
  });
  const depositPath = (id: string) => `deposits/test-${String(tests)}-${id}`;
  const put = async (id: string, body: object) => {
    const { status, body: answer } = await ask(chain, 'PUT', depositPath(id), body);
    return { status, ...(answer as Partial<Deposit>) };
  };
  const logsTo = async (provider = 'a'): Promise<readonly Log[]> => {
    const filter = {
      fromBlock: '0x0',
      toBlock: 'latest',
      topics: [TRANSFER, null, `0x${to.slice(2).padStart(64, '0')}`],
    };
    return (await askRpc(chain, 'eth_getLogs', [filter], provider)).result as readonly Log[];
  };
  const idle = () =>
    until('an idle chain', async () => {
      const head = await readHead(chain);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return (await readHead(chain)) === head ? head : null;
    });
  const restart = async () => {
    await chain.close();
    chain = await openSandboxChain({ folder });
  };

  it('a deposit is one transfer, however often it is asked for', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => put('d1', deposit('25.00'))));
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual(['MINED', 'MINED', 'MINED']);
    expect(await logsTo()).toHaveLength(1);
    expect((await put('d1', deposit('26.00'))).status).toBe(409);
  });

  it('deposits of every asset at once all arrive', async () => {
    await Promise.all(
      ['USDC', 'EURC', 'USDT', 'USDC'].map((asset, index) =>
        put(`d${String(index)}`, deposit('1.00', { asset })),
      ),
    );
    expect(await logsTo()).toHaveLength(4);
  });

  it.each([
    ['network', { network: 'SOLANA' }],
    ['network', { network: 'POLYGON' }],
    ['asset', { asset: 'DAI' }],
    ['to', { to: '0x12' }],
    ['amount', { amount: '-1' }],
    ['hash', { hash: '0x' }],
  ])('a deposit with a wrong %s is refused and moves nothing', async (field, more) => {
    const { status, body } = await ask(chain, 'PUT', depositPath('d1'), deposit('1.00', more));
    expect([status, body['field']]).toEqual([field === 'hash' ? 400 : 422, field]);
    expect(await logsTo()).toEqual([]);
  });

  it('.08 is believed for a while and then in no block for good', async () => {
    const { txHash } = await put('d1', deposit('5.08'));
    const { blockNumber } = (await askRpc(chain, 'eth_getTransactionReceipt', [txHash])).result as {
      blockNumber: Hex;
    };
    await until('three blocks above', async () =>
      (await readHead(chain)) >= Number(blockNumber) + 3 ? true : null,
    );
    await until('it is orphaned', async () => {
      const { body } = await ask(chain, 'GET', depositPath('d1'));
      return body['status'] === 'ORPHANED' ? true : null;
    });
    await idle();
    expect(await logsTo()).toEqual([]);
  });

  it('another deposit in the blocks that a .08 takes with it is mined again, with its hash', async () => {
    await put('d1', deposit('5.08'));
    const { txHash } = await put('d2', deposit('6.00'));
    await until('the first is orphaned', async () => {
      const { body } = await ask(chain, 'GET', depositPath('d1'));
      return body['status'] === 'ORPHANED' ? true : null;
    });
    await idle();
    expect(await ask(chain, 'GET', depositPath('d2'))).toMatchObject({
      body: { txHash, status: 'MINED' },
    });
    expect(await logsTo()).toHaveLength(1);
  });

  it('.09 comes from an address that the screening blocks, others from whom they say', async () => {
    await put('d1', deposit('5.09'));
    await put('d2', deposit('5.10', { from: '0x00000000000000000000000000000000000000aA' }));
    const senders = (await logsTo()).map(({ topics }) => topics[1]);
    expect(senders[0]).toMatch(/bad1$/);
    expect(senders[1]).toMatch(/aa$/);
  });

  it('an idle chain adds no block', async () => {
    const head = await idle();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await readHead(chain)).toBe(head);
  });

  it('one provider lies as it is told, the other does not', async () => {
    await put('d1', deposit('1.00'));
    const head = await idle();
    const order = async (kind: string) =>
      ask(chain, 'POST', 'faults', { network: 'BASE', provider: 'a', kind });
    await order('omit_logs');
    expect([await logsTo('a'), (await logsTo('b')).length]).toEqual([[], 1]);
    await order('lag');
    expect([await readHead(chain, 'a'), await readHead(chain, 'b')]).toEqual([head - 3, head]);
    const above = await askRpc(chain, 'eth_getBlockByNumber', [`0x${head.toString(16)}`, false]);
    expect(above.result).toBeNull();
    const final = await askRpc(chain, 'eth_getBlockByNumber', ['finalized', false]);
    expect(Number((final.result as { number: Hex }).number)).toBe(head - 9);
    await order('drop');
    await expect(readHead(chain, 'a')).rejects.toThrow();
    expect(await readHead(chain, 'b')).toBe(head);
    await ask(chain, 'DELETE', 'faults');
    expect([await readHead(chain, 'a'), (await logsTo('a')).length]).toEqual([head, 1]);
  });

  it('a batch is answered in its order, and a bad request names no more than that', async () => {
    const batch = ['eth_chainId', 'eth_blockNumber', 'evm_mine'].map((method, id) => {
      return { jsonrpc: '2.0', id, method, params: [] };
    });
    const answer = await ask(chain, 'POST', 'rpc/base/b', batch);
    const answers = answer.body as unknown as { id: number; result?: string }[];
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(Number(answers[0]!.result)).toBe(chain.networks[0]!.chainId);
    expect((await ask(chain, 'POST', 'rpc/base/c', batch)).status).toBe(404);
    expect((await ask(chain, 'POST', 'rpc/base/a', { id: 1 })).body).toHaveProperty('error');
  });

  it('a restart keeps chain, deposits and contracts, and can be asked about what is final', async () => {
    const { txHash } = await put('d1', deposit('25.00'));
    const raw = await signTransfer(chain.networks[0]!, { to, amount: 7n, nonce: 0 });
    await askRpc(chain, 'eth_sendRawTransaction', [raw]);
    await until('both are there', async () => ((await logsTo()).length === 2 ? true : null));
    const before = await ask(chain, 'GET', 'networks');
    await idle();
    await restart();
    const after = await ask(chain, 'GET', 'networks');
    const keep = ({ body }: typeof before) =>
      (body['data'] as Record<string, unknown>[]).map(
        ({ nodePid: _pid, rpcUrls: _urls, ...rest }) => rest,
      );
    expect(keep(after)).toEqual(keep(before));
    expect(await logsTo()).toHaveLength(2);
    expect(await put('d1', deposit('25.00'))).toMatchObject({ txHash, status: 'MINED' });
    expect(await logsTo()).toHaveLength(2);
    const { result } = await askRpc(chain, 'eth_getBlockByNumber', ['finalized', false]);
    const final = { blockHash: (result as { hash: Hex }).hash };
    expect((await askRpc(chain, 'eth_getTransactionCount', [HOT.address, final])).result).toBe(
      '0x1',
    );
  });

  it('two folders hold two chains, that their first blocks tell apart', async () => {
    const other = await openSandboxChain({ networks: ['BASE', 'ETHEREUM'] });
    try {
      const ids = other.networks.map(({ chainId, genesis }) => `${String(chainId)} ${genesis}`);
      expect(new Set(ids).size).toBe(2);
      const [own, same] = [chain.networks[0]!, other.networks[0]!];
      expect(own.contracts.factory).toBe(same.contracts.factory);
      expect(own.genesis).toBe(own.genesis.toLowerCase());
    } finally {
      await other.close();
    }
  });
});
