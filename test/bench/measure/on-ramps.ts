import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import type { Database } from '../../../src/db/client/database.ts';
import { NOT_FINAL_MAX } from '../../../src/domain/onchain/nonce-slots.ts';
import { encodeUnsigned } from '../../../src/domain/onchain/transaction.ts';
import { encodeTransferCall, referenceMark } from '../../../src/domain/onchain/transfer-call.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { startAnvil, type NodeReceipt, type TestAnvil } from '../../support/onchain/anvil.ts';
import { createChainPayer, PLACE } from '../../support/onchain/chain-payer.ts';
import { createTestSigner, DEPTHS, openAsChain } from '../../support/onchain/signer-harness.ts';
import { deployUsdc, mintUsdc } from '../../support/onchain/usdc.ts';
import { figure, type Figure } from '../figure.ts';
import type { RunScope } from '../scope.ts';
import { openDatabase } from './own-database.ts';
import type { RunOptions } from './run-options.ts';
import { UNTROUBLED } from '../../support/onchain/untroubled.ts';

const GWEI = 1_000_000_000n;
const FEES = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: GWEI };
const GAS = 100_000n;
const FUNDS = 10n ** 12n;
/** Blocks in which the yardstick's transfers are mined hold as many as a signer account has under way. */
const A_BLOCK = 16;

const clock = { now: () => new Date() };

/**
 * Transfers of one signer account from the order that waits to the block that is deep enough, each look followed by a
 * block, against a loop that signs, sends and reads receipts on the same node and keeps nothing.
 */
export async function measureOnRamps(
  scope: RunScope,
  { end, say, warmUp }: RunOptions,
): Promise<Figure[]> {
  if ('seconds' in end) throw new Error('on-ramps is told --payments, not --seconds');
  const { payments } = end;
  const anvil = await startAnvil();
  scope.defer(() => anvil.close());
  const usdc = await deployUsdc(anvil);
  const { url, db } = await openDatabase(scope);
  say('making the payments');
  // Two customers: one alone has three quarters of what a signer account sends for a block.
  const token = { asset: 'USDC', contract: usdc } as const;
  const payers = [
    await createChainPayer({ db }, clock, token),
    await createChainPayer({ db }, clock, token),
  ];
  const signerAccount = await openSignerAccount(scope, url, anvil, usdc);
  const pay = async (count: number): Promise<number> => {
    for (let made = 0; made < count; made += 1) await payers[made % payers.length]?.send();
    const startedMs = performance.now();
    while ((await countIn(db, ['WAITING', 'CARRIED'])) > 0) {
      scope.signal.throwIfAborted();
      await signerAccount.poll();
      await anvil.mine();
    }
    return performance.now() - startedMs;
  };
  await pay(Math.min(warmUp, A_BLOCK));
  say('paying them');
  const tookMs = await pay(payments);
  const believed = await countIn(db, ['SETTLED', 'FINAL']);
  if (believed < payments) throw new Error('not every payment was paid');
  say('signing, sending and reading receipts alone');
  const bareMs = await payAlone(anvil, usdc, payments);
  const paid = figure.rate('paid', 'payments to wallets, believed', (payments / tookMs) * 1_000);
  const bare = figure.rate('bare', 'transfers of the bare loop', (payments / bareMs) * 1_000);
  return [
    figure.count('payments', 'payments', payments),
    ...[paid, bare],
    figure.ratio('paid/bare', 'payments / bare loop', paid.value / bare.value),
  ];
}

/** How many transfers are in that state, of all customers. */
async function countIn(db: Database, states: readonly string[]): Promise<number> {
  const found = await db.system((tx) =>
    tx.query('SELECT FROM chain_transfers WHERE state = ANY ($1)', [states]),
  );
  return found.length;
}

/** A funded hot address, and what looks at it through two connections to the node. */
async function openSignerAccount(scope: RunScope, url: string, anvil: TestAnvil, usdc: string) {
  const key = generatePrivateKey();
  const signer = createTestSigner(key);
  await fund(anvil, usdc, signer.address);
  const db = openAsChain(url);
  scope.defer(() => db.close());
  const nodes = createChainNodes({ rpcUrls: [anvil.url, anvil.url], depths: DEPTHS });
  scope.defer(() => nodes.close());
  const deps = {
    ...{ db, clock, nodes, place: PLACE, corridors: createCorridorTable() },
    memory: createChainMemory(),
    settings: {
      ...{ chainId: BigInt(anvil.chainId), hotAddresses: [signer.address], pollEveryMs: 1_000 },
      notFinalMax: NOT_FINAL_MAX,
      gasCaps: { maxFeePerGas: 1_000n * GWEI, maxPriorityFeePerGas: 1_000n * GWEI },
      // Nothing is swept.
      ...{ factory: usdc, treasury: usdc, sweeps: null, hot: [] },
    },
    signerOf: () => signer,
    workflows: { wakePayment: async () => undefined },
    alarm: (alarm: object) => {
      throw new Error(JSON.stringify(alarm));
    },
    ...UNTROUBLED,
  };
  return { poll: () => pollChain(deps) };
}

async function fund(anvil: TestAnvil, usdc: string, address: string): Promise<void> {
  await anvil.rpc('anvil_setBalance', address, '0x56bc75e2d63100000');
  await mintUsdc(anvil, usdc, address, FUNDS);
  await anvil.mine(10);
}

/** How long the same number of transfers takes without database and questions, in ms. */
async function payAlone(anvil: TestAnvil, usdc: string, payments: number): Promise<number> {
  const key = generatePrivateKey();
  const signer = createTestSigner(key);
  await fund(anvil, usdc, signer.address);
  const { address: to } = privateKeyToAccount(generatePrivateKey());
  const chainId = BigInt(anvil.chainId);
  const startedMs = performance.now();
  for (let first = 0; first < payments; first += A_BLOCK) {
    const hashes: string[] = [];
    for (let nonce = first; nonce < Math.min(first + A_BLOCK, payments); nonce += 1) {
      const mark = referenceMark(`BARE${String(nonce)}`);
      const data = encodeTransferCall({ to, amount: 5_000_000n, mark });
      const turn = { chainId, nonce: BigInt(nonce), gas: GAS, ...FEES };
      const { raw } = await signer.sign(encodeUnsigned({ ...turn, to: usdc, value: 0n, data }));
      hashes.push(await anvil.rpc('eth_sendRawTransaction', bytesToHex(raw)));
    }
    await anvil.mine();
    for (const hash of hashes) {
      const receipt = await anvil.rpc<NodeReceipt | null>('eth_getTransactionReceipt', hash);
      if (receipt?.status !== '0x1') throw new Error('a transfer of the bare loop failed');
    }
  }
  return performance.now() - startedMs;
}
