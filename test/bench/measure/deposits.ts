import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { TRANSFER_TOPIC } from '../../../src/adapters/evm/read-receipt.ts';
import type { Database } from '../../../src/db/client/database.ts';
import { insertDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { readChain } from '../../../src/modules/onchain/deposits/read-chain.ts';
import type { ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import { startAnvil, type NodeReceipt, type TestAnvil } from '../../support/onchain/anvil.ts';
import { PLACE } from '../../support/onchain/chain-payer.ts';
import { DEPTHS } from '../../support/onchain/signer-harness.ts';
import { deployUsdc, mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { figure, type Figure } from '../figure.ts';
import type { RunScope } from '../scope.ts';
import { openDatabase } from './own-database.ts';
import type { RunOptions } from './run-options.ts';

const A_BLOCK = 16;
const ADDRESSES = 100;
const AMOUNT = 1_000_000n;
const FUNDS = 10n ** 15n;

/** Blocks that hold deposits, and how long the reader took for them. */
interface ReadBlocks {
  readonly blocks: readonly string[];
  readonly tookMs: number;
}

/**
 * Deposits from the block that holds them to the books, each look following a block, against a loop that lists the
 * same blocks' transfers and reads their receipts from the same node, and keeps nothing. Only reading is timed.
 */
export async function measureDeposits(
  scope: RunScope,
  { end, say, warmUp }: RunOptions,
): Promise<Figure[]> {
  if ('seconds' in end) throw new Error('deposits is told --payments, not --seconds');
  const { payments: deposits } = end;
  const anvil = await startAnvil();
  scope.defer(() => anvil.close());
  const usdc = await deployUsdc(anvil);
  const [sender = ''] = anvil.accounts;
  await mintUsdc(anvil, usdc, sender, FUNDS);
  await anvil.mine(10);
  const { db } = await openDatabase(scope);
  say('giving addresses out');
  const addresses = await giveAddresses(db);
  const deps = openReader(scope, db, anvil, usdc);
  const credit = async (count: number): Promise<ReadBlocks> => {
    const blocks: string[] = [];
    let tookMs = 0;
    for (let sent = 0; sent < count || (await isAnySeen(db));) {
      scope.signal.throwIfAborted();
      const last = Math.min(sent + A_BLOCK, count);
      for (; sent < last; sent += 1) {
        const data = usdcCall('transfer', addresses[sent % ADDRESSES], AMOUNT);
        await anvil.send({ from: sender, to: usdc, data, gas: '0x30d40' });
      }
      await anvil.mine();
      blocks.push(await anvil.rpc<string>('eth_blockNumber'));
      const startedMs = performance.now();
      await readChain(deps);
      tookMs += performance.now() - startedMs;
    }
    return { blocks, tookMs };
  };
  await credit(Math.min(warmUp, A_BLOCK));
  const before = await countCredited(db);
  say('crediting them');
  const { blocks, tookMs } = await credit(deposits);
  if ((await countCredited(db)) - before !== deposits) {
    throw new Error('not every deposit was credited');
  }
  say('listing transfers and reading receipts alone');
  const bareMs = await readAlone(anvil, usdc, addresses, { blocks, deposits });
  const credited = figure.rate('credited', 'deposits credited', (deposits / tookMs) * 1_000);
  const bare = figure.rate('bare', 'deposits of the bare loop', (deposits / bareMs) * 1_000);
  return [
    figure.count('deposits', 'deposits', deposits),
    ...[credited, bare],
    figure.ratio('credited/bare', 'deposits / bare loop', credited.value / bare.value),
  ];
}

/** Addresses of one customer that take deposits for its balance. */
async function giveAddresses(db: Database): Promise<readonly string[]> {
  const { scope } = await seedPayingCustomer(db);
  const addresses: string[] = [];
  for (let given = 0; given < ADDRESSES; given += 1) {
    const { address } = privateKeyToAccount(generatePrivateKey());
    const nowhere = { endUserId: null, bankAccountId: null, walletId: null };
    const order = { id: newId('da'), address, minAmount: 0n, ...nowhere };
    await db.write(scope, (tx) => insertDepositAddress(tx, scope, order, new Date()));
    addresses.push(address);
  }
  return addresses;
}

/** What reads the chain by two connections to the node; every sender is clear. */
function openReader(scope: RunScope, db: Database, anvil: TestAnvil, usdc: string): ReaderDeps {
  const nodes = createChainNodes({ rpcUrls: [anvil.url, anvil.url], depths: DEPTHS });
  scope.defer(() => nodes.close());
  return {
    ...{ db, nodes, place: PLACE },
    clock: { now: () => new Date() },
    settings: {
      assets: [{ asset: 'USDC', contract: usdc, floor: 1n }],
      treasury: `0x${'77'.repeat(20)}`,
      ...{ pollEveryMs: 1_000, restEveryMs: 1_000 },
    },
    failedLookUps: new Set(),
    askAddress: async () => ({ verdict: 'CLEAR', listVersion: 'made up' }),
    workflows: { wakePayment: async () => undefined },
    alarm: (alarm) => {
      throw new Error(JSON.stringify(alarm));
    },
  };
}

async function isAnySeen(db: Database): Promise<boolean> {
  const found = await db.system((tx) =>
    tx.query("SELECT FROM deposits WHERE status = 'SEEN' LIMIT 1"),
  );
  return found.length > 0;
}

async function countCredited(db: Database): Promise<number> {
  const found = await db.system((tx) =>
    tx.query("SELECT FROM deposits WHERE status IN ('CREDITED', 'FINAL')"),
  );
  return found.length;
}

/** How long it takes to list the same blocks' transfers and read their receipts, in ms. */
async function readAlone(
  anvil: TestAnvil,
  usdc: string,
  addresses: readonly string[],
  { blocks, deposits }: { readonly blocks: readonly string[]; readonly deposits: number },
): Promise<number> {
  const words = addresses.map((one) => `0x${one.slice(2).toLowerCase().padStart(64, '0')}`);
  let found = 0;
  const startedMs = performance.now();
  for (const block of blocks) {
    const range = { address: usdc, fromBlock: block, toBlock: block };
    const logs = await anvil.rpc<{ transactionHash: string }[]>('eth_getLogs', {
      ...{ ...range, topics: [TRANSFER_TOPIC, null, words] },
    });
    for (const { transactionHash } of logs) {
      const receipt = await anvil.rpc<NodeReceipt | null>(
        'eth_getTransactionReceipt',
        transactionHash,
      );
      if (receipt?.status === '0x1') found += 1;
    }
  }
  const tookMs = performance.now() - startedMs;
  if (found !== deposits) throw new Error('the bare loop did not find every deposit');
  return tookMs;
}
