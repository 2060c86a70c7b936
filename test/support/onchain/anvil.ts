import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { getAddress } from 'viem/utils';
import { request } from 'undici';
import { findAnvil } from '../../../src/sandbox/chain/find-anvil.ts';

/** The path of the platform's package's program. Throws where the package is not installed. */
export function packagedAnvil(): string {
  const path = findAnvil(undefined, '');
  if (path === null) throw new Error('the package of anvil is not installed');
  return path;
}

/** A receipt as the node tells it, of the fields that tests look at. */
export interface NodeReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly contractAddress: string | null;
}

export interface AnvilOptions {
  /** 31337 where none is given. */
  readonly chainId?: number;
  /** `safe` lies so many blocks under the newest one and `finalized` twice as many; 2 where none is given. */
  readonly slotsInAnEpoch?: number;
  /** Further options of the program's own. */
  readonly args?: readonly string[];
}

export interface TestAnvil {
  readonly url: string;
  readonly chainId: number;
  /** Ten, in EIP-55's mixed case: each holds 10,000 of the coin, and the node signs for them. */
  readonly accounts: readonly string[];
  /** The `result` of a call; throws with the node's message for an `error`. */
  rpc<Result>(method: string, ...params: readonly unknown[]): Promise<Result>;
  /** Adds blocks; whatever waits in the pool goes into the first of them. */
  mine(blocks?: number): Promise<void>;
  /** Sends a transaction of one of the node's accounts and answers its hash; nothing is mined. */
  send(transaction: Readonly<Record<string, string>>): Promise<string>;
  /** Sends it, mines it and answers the receipt. */
  sendAndMine(transaction: Readonly<Record<string, string>>): Promise<NodeReceipt>;
  close(): Promise<void>;
}

/**
 * A real chain of the test's own on a free port of loopback. It adds a block only on `mine`. Ends with
 * the process at the latest.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<TestAnvil> {
  const chainId = options.chainId ?? 31_337;
  const child = spawn(
    packagedAnvil(),
    [
      ...['--host', '127.0.0.1', '--port', '0', '--no-mining', '--accounts', '10'],
      ...['--chain-id', String(chainId)],
      ...['--slots-in-an-epoch', String(options.slotsInAnEpoch ?? 2)],
      ...(options.args ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const url = await listeningUrl(child.stdout);
  child.stdout.resume();

  async function rpc<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    // Global fetch takes several times as long.
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.body.json()) as {
      result: Result;
      error?: { message: string };
    };
    if (error !== undefined) throw new Error(`anvil, ${method}: ${error.message}`);
    return result;
  }
  const mine = async (blocks = 1): Promise<void> => {
    await rpc('anvil_mine', `0x${blocks.toString(16)}`);
  };
  const send = (transaction: Readonly<Record<string, string>>): Promise<string> =>
    rpc('eth_sendTransaction', transaction);

  return {
    url,
    chainId,
    accounts: (await rpc<string[]>('eth_accounts')).map((account) => getAddress(account)),
    rpc,
    mine,
    send,
    async sendAndMine(transaction) {
      const hash = await send(transaction);
      await mine();
      return rpc('eth_getTransactionReceipt', hash);
    },
    async close() {
      process.off('exit', end);
      if (child.exitCode !== null || child.signalCode !== null) return;
      end();
      await once(child, 'exit');
    },
  };
}

/** The address that the program prints once it takes connections. */
async function listeningUrl(stdout: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stdout });
  try {
    for await (const line of lines) {
      const address = /^Listening on (\S+)$/.exec(line)?.[1];
      if (address !== undefined) return `http://${address}`;
    }
  } finally {
    lines.close();
  }
  throw new Error('anvil ended before it listened');
}
