import type { Address, Hex } from 'viem';
import type { Network } from '../../domain/onchain/network.ts';
import type { Clock } from '../../domain/clock.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { createTimerSet } from '../timer-set.ts';
import { startAnvil } from './anvil-node.ts';
import { planContracts, type ChainContracts } from './chain-contracts.ts';
import { openChainFile } from './chain-file.ts';
import { createChainGate } from './chain-gate.ts';
import { createChainMiner, type MinerTimings } from './chain-miner.ts';
import { createSandboxAccount, type IncomingTransfer } from './sandbox-account.ts';
import { createEmptiedWallets } from './emptied-wallets.ts';
import { createRpcFaults, type Provider, type RpcFaults } from './rpc-faults.ts';
import { createRpcProvider } from './rpc-provider.ts';
import { keepTokenCodes } from './token-codes.ts';
import { createTxPool } from './tx-pool.ts';

/** As the real networks have them, and a 9 before: nothing signed for one is good for the other. */
const SANDBOX_CHAIN_IDS: Readonly<Record<Network, number>> = {
  ETHEREUM: 900_001,
  BASE: 908_453,
  OPTIMISM: 900_010,
  ARBITRUM: 942_161,
  POLYGON: 900_137,
};

/** What every hot address holds of each token at first, in minor units: ten million. */
const HOT_AMOUNT = 10_000_000_000_000n;
/** After a restart the node knows the state of no earlier block: a final one must be newer. */
const BLOCKS_AFTER_RESTART = 8;
const REVERTS_REMEMBERED_MAX = 10_000;

/** One network of the sandbox: its node, its contracts, and the control API that mines it. */
export interface SandboxNetwork {
  readonly network: Network;
  readonly chainId: number;
  /** 0x and 64 lower-case hex digits. */
  readonly genesis: string;
  readonly contracts: ChainContracts;
  readonly nodePid: number;
  readonly faults: RpcFaults;
  /** Answers JSON-RPC; null: the connection is to be closed without an answer. */
  answer(provider: Provider, body: unknown): Promise<unknown>;
  /** Mines a transfer from outside at once, and gives the hash of its transaction. */
  receive(transfer: Omit<IncomingTransfer, 'token'>): Promise<string>;
  isMined(hash: string): Promise<boolean>;
  /** Gives the hot addresses back what `.06` took. */
  refill(): void;
  /** Adds empty blocks at once. */
  mineEmpty(count: number): Promise<void>;
  /** Replaces so many of the newest blocks by empty ones; what was in them is mined again. */
  reorganise(depth: number): Promise<void>;
  close(): Promise<void>;
}

interface SandboxNetworkOptions {
  readonly network: Network;
  /** The path of anvil. */
  readonly command: string;
  /** Where the chain is kept; null keeps it in memory. */
  readonly folder: string | null;
  /** Get coins and tokens once. */
  readonly hotAddresses: readonly Address[];
  readonly clock: Clock;
  readonly timings: MinerTimings;
  readonly log: SandboxLog;
  /** Called when the node ends by itself. */
  readonly onDeath: (reason: string) => void;
}

/** Starts a network: a new chain with its contracts, or the one that was kept. */
export async function startSandboxNetwork(options: SandboxNetworkOptions): Promise<SandboxNetwork> {
  const { network, command, folder, clock, timings, log } = options;
  const chainId = SANDBOX_CHAIN_IDS[network];
  const file = openChainFile(folder, network, clock.now());
  const { genesisSeconds, stateFile } = file;
  const { onDeath } = options;
  const node = await startAnvil({ command, chainId, genesisSeconds, stateFile, onDeath });
  const contracts = planContracts();
  const tokens = Object.entries(contracts.tokens).map(([asset, token]) => ({ asset, token }));
  const gate = createChainGate();
  const pool = createTxPool();
  const timers = createTimerSet(log);
  const faults = createRpcFaults();
  const emptied = createEmptiedWallets();
  const account = createSandboxAccount(node);
  const reverted = new Set<unknown>();
  const save = async (): Promise<void> => {
    if (folder !== null) file.save(await node.call<string>('anvil_dumpState', [false]));
  };
  const countOf = async (owner: Address): Promise<bigint> =>
    BigInt(await node.call<Hex>('eth_getBalance', [owner, 'latest']));

  try {
    const { hash } = await node.call<{ readonly hash: string }>('eth_getBlockByNumber', [
      '0x0',
      false,
    ]);
    await account.deploy(contracts);
    const addresses = tokens.map(({ token }) => token);
    const codes = await keepTokenCodes(node, addresses);
    const miner = createChainMiner({
      ...{ node, gate, pool, codes, clock, timers, timings, log, save },
      onReverted({ sent }) {
        if (reverted.size > REVERTS_REMEMBERED_MAX) reverted.clear();
        reverted.add(sent.pending['input']);
      },
    });
    const provider = createRpcProvider({
      ...{ node, pool, faults, emptied },
      tokens: addresses,
      hasReverted: (data) => reverted.has(data),
      onTaken: () => miner.wake(),
    });
    for (const owner of options.hotAddresses) {
      if ((await countOf(owner)) > 0n) continue;
      await miner.mineOwn(() => account.funding(owner, tokens, HOT_AMOUNT));
    }
    if (stateFile !== null) await miner.mineEmpty(BLOCKS_AFTER_RESTART);
    return {
      ...{ network, chainId, genesis: hash, contracts, nodePid: node.pid, faults },
      answer: (from, body) => gate.read(() => provider.answer(from, body)),
      async receive(transfer) {
        const token = tokens.find(({ asset }) => asset === transfer.asset)?.token;
        if (token === undefined) throw new Error(`the sandbox has no ${transfer.asset}`);
        const hashes = await miner.mineOwn(() => account.incoming({ ...transfer, token }));
        const hash = hashes.at(-1);
        if (hash === undefined) throw new Error('the node took no transfer');
        return hash;
      },
      isMined: async (hash) => (await node.call('eth_getTransactionReceipt', [hash])) !== null,
      refill: () => emptied.refill(),
      mineEmpty: (count) => miner.mineEmpty(count),
      reorganise: (depth) => miner.reorganise(depth),
      async close() {
        timers.clear();
        await gate.act(save);
        await node.stop();
      },
    };
  } catch (error) {
    timers.clear();
    await node.stop();
    throw error;
  }
}
