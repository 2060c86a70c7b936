import { generatePrivateKey } from 'viem/accounts';
import type { ChainAlarm, ChainDeps } from '../../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../../src/modules/onchain/chain-memory.ts';
import { pollChain } from '../../../../src/modules/onchain/poll-chain.ts';
import { TRANSFER_TOPIC } from '../../../../src/adapters/evm/read-receipt.ts';
import type { NextPoll } from '../../../../src/domain/onchain/next-poll.ts';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import { POLL_EVERY_MS } from '../../../../src/server/runtime/open-chains.ts';
import { createTestDatabase } from '../../database.ts';
import { createChainPayer, type ChainPayer } from '../chain-payer.ts';
import { createTestSigner, openAsChain } from '../signer-harness.ts';
import { UNTROUBLED } from '../untroubled.ts';
import { openSimulatedNetwork, type SimulatedNetwork } from './simulated-network.ts';
import { standStillFor } from './simulated-time.ts';

/** A transfer of the hot address as the chain has it. */
interface MinedTransfer {
  readonly to: string;
  readonly block: number;
}

/** One signer account of a simulated network, over a database of its own. */
export interface SimulatedSigner {
  readonly network: SimulatedNetwork;
  readonly payers: readonly ChainPayer[];
  readonly alarms: ReadonlySet<ChainAlarm['kind']>;
  poll(): Promise<NextPoll>;
  /** Nonces of the signer account that are not over. */
  openNonces(): Promise<number>;
  /** What the hot address sent in blocks after `above`, in the chain's order. Recipients in lower case. */
  mined(above: number): Promise<readonly MinedTransfer[]>;
  close(): Promise<void>;
}

const GWEI = 1_000_000_000n;
/** Events of one question to the node. */
const BLOCKS_AT_ONCE = 2_000;

/** Opens it with so many customers that pay. */
export async function openSimulatedSigner(
  network: 'ETHEREUM' | 'BASE',
  seed: number,
  customers: number,
): Promise<SimulatedSigner> {
  const signer = createTestSigner(generatePrivateKey());
  const [database, simulated] = await Promise.all([
    createTestDatabase(),
    openSimulatedNetwork({ network, seed, hot: signer.address }),
  ]);
  const { time, anvil, usdc, place, nodes } = simulated;
  const db = openAsChain(database.url);
  const payers: ChainPayer[] = [];
  const paying = { db: standStillFor(time, database.db) };
  for (let one = 0; one < customers; one += 1) {
    const token = { asset: 'USDC', contract: usdc } as const;
    payers.push(await createChainPayer(paying, time, token, place));
  }
  const alarms = new Set<ChainAlarm['kind']>();
  const caps = { maxFeePerGas: 1_000n * GWEI, maxPriorityFeePerGas: 1_000n * GWEI };
  const deps: ChainDeps = {
    ...{ clock: time, place, nodes, corridors: createCorridorTable() },
    db: standStillFor(time, db),
    settings: {
      ...{ chainId: BigInt(anvil.chainId), hotAddresses: [signer.address], gasCaps: caps },
      pollEveryMs: POLL_EVERY_MS.live,
      // Nothing is swept.
      ...{ factory: usdc, treasury: usdc, sweeps: null, hot: [] },
      notFinalMax: NOT_FINAL_MAX,
    },
    memory: createChainMemory(),
    signerOf: () => signer,
    workflows: { wakePayment: async () => undefined },
    alarm: ({ kind }) => void alarms.add(kind),
    ...UNTROUBLED,
  };

  return {
    network: simulated,
    ...{ payers, alarms },
    poll: () => pollChain(deps),
    async openNonces() {
      const rows = await deps.db.system((tx) =>
        tx.query<{ count: number }>(
          "SELECT count(*)::int AS count FROM chain_nonces WHERE state IN ('OPEN', 'SETTLED')",
        ),
      );
      return rows[0]?.count ?? 0;
    },
    async mined(above) {
      const from = `0x${signer.address.slice(2).toLowerCase().padStart(64, '0')}`;
      const found: MinedTransfer[] = [];
      for (let first = above + 1; first <= simulated.head(); first += BLOCKS_AT_ONCE) {
        const logs = await time.working(() =>
          anvil.rpc<{ topics: string[]; blockNumber: string }[]>('eth_getLogs', {
            ...{ address: usdc, topics: [TRANSFER_TOPIC, from] },
            fromBlock: `0x${first.toString(16)}`,
            toBlock: `0x${Math.min(first + BLOCKS_AT_ONCE - 1, simulated.head()).toString(16)}`,
          }),
        );
        found.push(
          ...logs.map(({ topics, blockNumber }) => {
            return { to: `0x${(topics[2] ?? '').slice(26)}`, block: Number(blockNumber) };
          }),
        );
      }
      return found;
    },
    async close() {
      await simulated.close();
      await db.close();
      await database.close();
    },
  };
}
