import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import type { Worker } from '@temporalio/worker';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { getAddress } from 'viem/utils';
import { createChainActivities } from '../../../activities/onchain/chains.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import { createWorkers } from '../../../src/server/temporal/worker.ts';
import { CHAIN_SLOTS } from '../../../src/server/temporal/worker-slots.ts';
import { startAnvil } from '../onchain/anvil.ts';
import {
  createTestSigner,
  DEPTHS,
  NOT_FINAL_MAX,
  openAsChain,
  PLACE,
} from '../onchain/signer-harness.ts';
import { deployUsdc, mintUsdc } from '../onchain/usdc.ts';
import { SAMPLE_NETWORK } from '../sample-networks.ts';
import { SILENT_WITNESS } from '../temporal.ts';
import { startEngine } from './engine-harness.ts';
import { UNTROUBLED } from '../onchain/untroubled.ts';

export type ChainEngine = Awaited<ReturnType<typeof startChainEngine>>;

/** The whole engine with workers and what signs, over a real chain that has a block more every 300 ms. */
export async function startChainEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'cw-chain-'));
  const key = generatePrivateKey();
  const { address: signerAccount } = privateKeyToAccount(key);
  const anvil = await startAnvil();
  const usdc = await deployUsdc(anvil);
  await anvil.rpc('anvil_setBalance', signerAccount, '0x8ac7230489e80000');
  await mintUsdc(anvil, usdc, signerAccount, 1_000_000_000n);
  await anvil.mine(10);
  const listed = { ...SAMPLE_NETWORK.assets[0], contract: usdc };
  const network = {
    ...SAMPLE_NETWORK,
    chainId: anvil.chainId,
    assets: [listed],
    hotAddresses: [signerAccount],
  };
  const file = join(folder, 'networks.json');
  const rpcUrls = [anvil.url];
  writeFileSync(file, JSON.stringify({ networks: [{ ...network, rpcUrls }] }));
  // As soon as in test: the chain tells what became of a transfer, so that hardly anything is asked.
  const asks = { TEST_ASK_FIRST_MS: '1000', TEST_ASK_MAX_MS: '1000' };
  // There are no rates here to tell an amount's worth by.
  const proof = { TEST_WALLET_PROOF_FROM: 'none' };
  const engine = await startEngine({ TEST_NETWORKS_FILE: file, ...asks, ...proof });
  const { scope, resources } = engine;
  const funds = { currency: 'USDC', amount: 1_000_000_000n, rail: 'SANDBOX_FUNDING' };
  await resources.db.write(scope, (tx) => fundBalance(tx, scope, funds, resources.clock.now()));
  await engine.startWorkers();
  const db = openAsChain(engine.databaseUrl);
  const { clock, corridors, workflows } = resources;
  const reader = createChainNodes({ rpcUrls, depths: DEPTHS });
  /** Whether the nodes answer what signs. */
  const nodes = { isReadable: true };
  const signer = createTestSigner(key);
  const deps: ChainDeps = {
    ...{ db, clock, corridors, workflows, place: PLACE, memory: createChainMemory() },
    nodes: {
      ...reader,
      heads: () =>
        nodes.isReadable ? reader.heads() : Promise.reject(new ChainUnreadable('SILENT')),
    },
    settings: {
      ...{ chainId: BigInt(anvil.chainId), hotAddresses: [signerAccount], pollEveryMs: 200 },
      notFinalMax: NOT_FINAL_MAX,
      ...{ factory: signerAccount, treasury: signerAccount, sweeps: null, hot: [] },
      gasCaps: { maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 1_000_000_000_000n },
    },
    signerOf: () => signer,
    alarm: (alarm) => {
      throw new Error(`nothing is to be alarmed about: ${alarm.kind}`);
    },
    ...UNTROUBLED,
  };
  let worker: Worker;
  let run: Promise<void>;

  async function startChainWorker(): Promise<void> {
    const { connection, namespace } = engine.temporal;
    [worker] = (await createWorkers({
      ...{ connection, namespace, workflowBundle: null, slots: CHAIN_SLOTS },
      activities: createChainActivities({
        chainOf: ({ environment }) => (environment === 'test' ? deps : null),
        cancellation: () => Context.current().cancellationSignal,
        onUnreadable: () => undefined,
      }),
      witness: SILENT_WITNESS,
    })) as [Worker];
    run = worker.run();
  }

  async function stopChainWorker(): Promise<void> {
    worker.shutdown();
    await run;
  }

  await startChainWorker();
  const miner = setInterval(() => void anvil.mine().catch(() => undefined), 300);

  return {
    ...{ engine, anvil, usdc, nodes, startChainWorker, stopChainWorker },
    /** A payment of USDC to a wallet of its own. */
    async payWallet(amount: string) {
      const { endUserId } = await engine.addApprovedBeneficiary();
      const address = getAddress(`0x${randomBytes(20).toString('hex')}`);
      const wallet = { endUserId, network: 'BASE', address, ownership: 'SELF_HOSTED' };
      const { id: walletId } = await engine.call<{ id: string }>('POST', '/wallets', wallet, {
        'idempotency-key': newId('key'),
      });
      const order = { endUserId, walletId, amount, asset: 'USDC' };
      const payment = await engine.call<{ id: string }>('POST', '/payments', order, {
        'idempotency-key': newId('key'),
      });
      return { ...payment, address };
    },
    async workflowIdOf(paymentId: string): Promise<string> {
      const [row] = await engine.sql('SELECT workflow_id FROM payments WHERE id = $1', [paymentId]);
      return String(row?.['workflow_id']);
    },
    async close(): Promise<void> {
      clearInterval(miner);
      await stopChainWorker();
      await engine.close();
      await Promise.all([reader.close(), db.close()]);
      await anvil.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
