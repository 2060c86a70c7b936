import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { addressOfKey } from '../../../src/modules/onchain/signers/local-key-store.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import type { ChainAlarm, ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { isAnyTransferUnderWay } from '../../../src/db/onchain/chain-transfer-store.ts';
import type { NetworkSetup } from '../../../src/domain/onchain/network-setup.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { createSandboxChain } from '../../../src/sandbox/chain/sandbox-chain.ts';
import type { SandboxNetwork } from '../../../src/sandbox/chain/sandbox-network.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { packagedAnvil } from './anvil.ts';
import { createChainPayer, PLACE, type ChainPayer } from './chain-payer.ts';
import { keepChainProcess, type KeptChainProcess, type KillOrder } from './chain-process.ts';
import { createFastClock } from './fast-clock.ts';
import { DEPTHS, NOT_FINAL_MAX, openAsChain } from './signer-harness.ts';
import { UNTROUBLED } from './untroubled.ts';

const SIGNER_ACCOUNTS = 4;
const GWEI = 1_000_000_000n;
/** Half a minute, after which fees may be raised, is a second. */
const RATE = 30;
/** About as long as a poll cycle of four signer accounts takes: blocks are seen before they are final. */
const BLOCK_MS = 250;

/** A network of the sandbox, and one process after the other that pays over it. */
export interface AttackedRamp {
  readonly database: TestDatabase;
  readonly network: SandboxNetwork;
  readonly setup: NetworkSetup;
  readonly clock: Clock;
  readonly payer: ChainPayer;
  /** What an operator's void is given. */
  readonly deps: ChainDeps;
  readonly process: KeptChainProcess;
  /** The kinds of what a human was called for. */
  readonly alarms: ReadonlySet<ChainAlarm['kind']>;
  /** How often a poll cycle ended because the nodes did not agree. */
  unreadable(): number;
  isUnderWay(): Promise<boolean>;
  /** Asks the node that does not lie. */
  ask<Result>(method: string, ...params: readonly unknown[]): Promise<Result>;
  /** Does what the workflow of a payment does with what was reported of it. */
  apply(paymentId: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens all of it over a database of its own. `nextKill` tells where each process is to end. */
export async function openAttackedRamp(nextKill: () => KillOrder | null): Promise<AttackedRamp> {
  const time = { realStartMs: Date.now(), startMs: Date.parse('2026-09-29T12:00:00Z'), rate: RATE };
  const clock = createFastClock(time);
  const keys = Array.from({ length: SIGNER_ACCOUNTS }, () => randomBytes(32));
  const signerAccounts = keys.map((key) => addressOfKey(key));
  const [database, sandbox] = await Promise.all([
    createTestDatabase(),
    createSandboxChain({
      command: packagedAnvil(),
      networks: [PLACE.network],
      folder: null,
      hotAddresses: signerAccounts as readonly Address[],
      clock: { now: () => new Date() },
      timings: { blockMs: BLOCK_MS, beforeReorgMs: 2 * BLOCK_MS, reminedAfterMs: 2 * BLOCK_MS },
      log: { info: () => undefined, warn: () => undefined },
      onDeath: (reason) => {
        throw new Error(reason);
      },
    }),
  ]);
  const [network] = sandbox.networks;
  if (network === undefined) throw new Error('the sandbox has no network');
  await network.mineEmpty(10);
  const url = await sandbox.listen(0);
  const rpcUrls = ['a', 'b'].map((provider) => `${url}/rpc/base/${provider}`);
  const { chainId, contracts } = network;
  const { factory, treasury, tokens } = contracts;
  const setup: NetworkSetup = {
    ...{ network: PLACE.network, chainId, status: 'ACTIVE', genesis: network.genesis, rpcUrls },
    assets: [{ asset: 'USDC', contract: tokens.USDC, min: 1n, max: 10n ** 12n }],
    ...{
      depths: DEPTHS,
      hotAddresses: signerAccounts,
      factory,
      treasury,
      own: [...signerAccounts, factory, treasury],
    },
    gasCaps: { maxFeePerGas: 1_000n * GWEI, maxPriorityFeePerGas: 1_000n * GWEI },
    notFinalMax: NOT_FINAL_MAX,
    depositFloors: {},
    sweeps: null,
    hot: [],
  };

  const payer = await createChainPayer(database, clock, { asset: 'USDC', contract: tokens.USDC });
  const { scope } = payer.customer;
  const db = openAsChain(database.url);
  const nodes = createChainNodes({ rpcUrls, depths: DEPTHS });
  const corridors = createCorridorTable();
  const alarms = new Set<ChainAlarm['kind']>();
  const applying = new Set<Promise<void>>();
  let unreadable = 0;

  async function apply(paymentId: string): Promise<void> {
    const deps = { db: database.db, clock, corridors };
    await withLockedPayment(deps, scope, paymentId, async () => undefined);
  }
  const process = keepChainProcess(
    {
      ...{ databaseUrl: database.url, rpcUrls, chainId, factory, time },
      contract: tokens.USDC,
      keys: keys.map((key) => key.toString('hex')),
    },
    nextKill,
    (word) => {
      if (word.kind === 'ALARM') alarms.add(word.alarm.kind);
      if (word.kind === 'UNREADABLE') unreadable += 1;
      if (word.kind !== 'WOKEN') return;
      const work = apply(word.paymentId).finally(() => applying.delete(work));
      applying.add(work);
    },
  );
  return {
    ...{ database, network, setup, clock, payer, process, alarms, apply },
    deps: {
      ...{ db, clock, corridors, nodes, place: PLACE, memory: createChainMemory() },
      settings: {
        ...setup,
        chainId: BigInt(chainId),
        pollEveryMs: 1_000,
        sweeps: null,
        hot: [],
      },
      signerOf: () => null,
      workflows: { wakePayment: async () => undefined },
      alarm: ({ kind }) => void alarms.add(kind),
      ...UNTROUBLED,
    },
    unreadable: () => unreadable,
    isUnderWay: () => database.db.system((tx) => isAnyTransferUnderWay(tx, PLACE)),
    async ask<Result>(method: string, ...params: readonly unknown[]) {
      const lying = network.faults.list().map(({ provider }) => provider);
      const honest = lying.includes('a') ? 'b' : 'a';
      const answered = await network.answer(honest, { jsonrpc: '2.0', id: 1, method, params });
      const { result } = answered as { readonly result: Result };
      return result;
    },
    async close() {
      await process.close();
      await Promise.all(applying);
      await Promise.all([nodes.close(), db.close(), sandbox.close()]);
      await database.close();
    },
  };
}
