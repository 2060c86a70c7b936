import { request } from 'undici';
import { createChainNodes, type EvmChainNodes } from '../../../../src/adapters/evm/chain-nodes.ts';
import type { Depths } from '../../../../src/domain/onchain/network.ts';
import { usualDepths } from '../../../../src/domain/onchain/usual-depths.ts';
import { createRandom } from '../../random.ts';
import { startAnvil, type TestAnvil } from '../anvil.ts';
import { deployUsdc, usdcCall } from '../usdc.ts';
import { deployMulticall3 } from './deploy-multicall3.ts';
import { PACES, type Pace } from './pace.ts';
import { startProvider, type Provider } from './provider.ts';
import { createSimulatedTime, type SimulatedTime } from './simulated-time.ts';

/** One payment of tokens from outside; `from` is one of the node's accounts. */
export interface OutsideTransfer {
  readonly from: string;
  readonly to: string;
  /** Minor units. */
  readonly amount: bigint;
}

export interface SimulatedNetwork {
  readonly place: { readonly environment: 'test'; readonly network: 'ETHEREUM' | 'BASE' };
  readonly time: SimulatedTime;
  readonly pace: Pace;
  /** Those of the network as it is live. */
  readonly depths: Depths;
  /** The true node: to ask it costs no time of the simulation. */
  readonly anvil: TestAnvil;
  readonly usdc: string;
  readonly providers: readonly Provider[];
  /** By way of both providers. */
  readonly nodes: EvmChainNodes;
  head(): number;
  /** JSON-RPC calls that both providers together were asked so far. */
  items(): number;
  /** Has it done before each block is made; null for nothing. */
  beforeBlock(act: (() => Promise<void>) | null): void;
  /** Sends them into the pool at once, in their order. */
  pay(transfers: readonly OutsideTransfer[]): Promise<void>;
  close(): Promise<void>;
}

/** What each account of the node and the hot address have at first: minor units, and wei. */
const TOKENS = 10n ** 15n;
const COINS = '0x56bc75e2d63100000';
/** Base fee of each block, in wei per gas. */
const BASE_FEE = '0x3b9aca00';
const TRANSFER_GAS = '0x186a0';
const CALLS_AT_ONCE = 200;
/** How far back balances and nonces can be asked for, beyond what is final. */
const STATES_MORE = 100;

interface SimulatedNetworkOptions {
  readonly network: 'ETHEREUM' | 'BASE';
  /** Decides which requests fail. */
  readonly seed: number;
  /** Has coins and tokens. */
  readonly hot?: string;
  /** Of 100 requests to a provider so many fail; 2 unless told. */
  readonly failedPercent?: number;
}

/** A network with the pace, the tags and the providers of a real one, whose blocks are made by a node of its own. */
export async function openSimulatedNetwork({
  network,
  seed,
  hot,
  failedPercent = 2,
}: SimulatedNetworkOptions): Promise<SimulatedNetwork> {
  const pace = PACES[network];
  const states = pace.finalBlocksMax + STATES_MORE;
  const anvil = await startAnvil({
    args: [
      ...['--order', 'fifo', '--gas-limit', '1000000000', '--prune-history', String(states)],
      ...['--timestamp', String(Date.parse('2026-09-29T00:00:00Z') / 1_000)],
    ],
  });
  const usdc = await deployUsdc(anvil);
  await deployMulticall3(anvil);
  const [minter = '', ...others] = anvil.accounts;
  if (hot !== undefined) await anvil.rpc('anvil_setBalance', hot, COINS);
  for (const account of [minter, ...others, ...(hot === undefined ? [] : [hot])]) {
    await anvil.sendAndMine({ from: minter, to: usdc, data: usdcCall('mint', account, TOKENS) });
  }
  // All that was made so far is final.
  const seconds = `0x${(pace.blockMs / 1_000).toString(16)}`;
  await anvil.rpc('anvil_mine', `0x${states.toString(16)}`, seconds);
  const newest = await anvil.rpc<{ number: string; timestamp: string }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  let head = Number(newest.number);
  let headSeconds = Number(newest.timestamp);
  const time = createSimulatedTime(new Date(headSeconds * 1_000));
  const random = createRandom(seed);
  const tags = () => ({ safe: pace.safe(head), finalized: pace.finalized(head) });
  const open = () => startProvider({ time, node: anvil.url, tags, random, failedPercent });
  const providers = [await open(), await open()];
  const depths = usualDepths('live', network);
  const nodes = createChainNodes({ rpcUrls: providers.map(({ url }) => url), depths });
  const nonces = new Map<string, number>();
  for (const account of anvil.accounts) {
    nonces.set(account, Number(await anvil.rpc('eth_getTransactionCount', account, 'latest')));
  }
  let act: (() => Promise<void>) | null = null;

  async function makeBlocks(): Promise<void> {
    for (;;) {
      await time.sleep(headSeconds * 1_000 + pace.blockMs - time.now().getTime());
      if (time.isOver()) return;
      await time.working(async () => {
        await act?.();
        await anvil.rpc('anvil_setNextBlockBaseFeePerGas', BASE_FEE);
        const timestamp = headSeconds + pace.blockMs / 1_000;
        await anvil.rpc('evm_mine', { timestamp });
        headSeconds = timestamp;
        head += 1;
      });
    }
  }
  const making = makeBlocks();

  return {
    ...{ time, pace, depths, anvil, usdc, providers, nodes },
    place: { environment: 'test', network },
    head: () => head,
    items: () =>
      providers.reduce((sum, { items }) => [...items.values()].reduce((a, b) => a + b, sum), 0),
    beforeBlock(given) {
      act = given;
    },
    async pay(transfers) {
      const calls = transfers.map(({ from, to, amount }) => {
        const nonce = nonces.get(from) ?? 0;
        nonces.set(from, nonce + 1);
        const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' };
        const sent = { from, to: usdc, data: usdcCall('transfer', to, amount), gas: TRANSFER_GAS };
        return { ...sent, ...fees, nonce: `0x${nonce.toString(16)}` };
      });
      for (let first = 0; first < calls.length; first += CALLS_AT_ONCE) {
        await sendAll(anvil.url, calls.slice(first, first + CALLS_AT_ONCE));
      }
    },
    async close() {
      time.end();
      for (const provider of providers) provider.shut();
      await making;
      await nodes.close();
      await Promise.all(providers.map((provider) => provider.close()));
      await anvil.close();
    },
  };
}

/** Sends transactions in one request. Throws where the node refuses one. */
async function sendAll(url: string, transactions: readonly object[]): Promise<void> {
  const calls = transactions.map((transaction, id) => {
    return { jsonrpc: '2.0', id, method: 'eth_sendTransaction', params: [transaction] };
  });
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  });
  const answers = (await answer.body.json()) as readonly { error?: { message: string } }[];
  const refused = answers.find(({ error }) => error !== undefined);
  if (refused !== undefined)
    throw new Error(`anvil took no transfer: ${refused.error?.message ?? ''}`);
}
