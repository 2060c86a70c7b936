import type { NextPoll } from '../../../src/domain/onchain/next-poll.ts';
import pg from 'pg';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from 'viem';
import type { ChainAlarm, ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import { pollChain } from '../../../src/modules/onchain/poll-chain.ts';
import { createChainNodes, type EvmChainNodes } from '../../../src/adapters/evm/chain-nodes.ts';
import { createDatabase, type Database } from '../../../src/db/client/database.ts';
import { CHAIN_ROLES } from '../../../src/db/schema/database-roles.ts';
import { createPool } from '../../../src/db/client/pool.ts';
import type { Signer } from '../../../src/domain/onchain/signer.ts';
import {
  decodeUnsigned,
  encodeSigned,
  transactionHash,
} from '../../../src/domain/onchain/transaction.ts';
import { usualDepths } from '../../../src/domain/onchain/usual-depths.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { createTestDatabase, TEST_POOL, type TestDatabase } from '../database.ts';
import type { PayingCustomer } from '../seed-payments.ts';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { startAnvil, type TestAnvil } from './anvil.ts';
import { createChainPayer, PLACE, type ChainPayer } from './chain-payer.ts';
import { deployUsdc, mintUsdc, usdcCall } from './usdc.ts';
import { UNTROUBLED } from './untroubled.ts';

export { PLACE, type SentPayment } from './chain-payer.ts';

/** Addresses that no test has a key of. */
const FACTORY = '0x4000000000000000000000000000000000000001';
const TREASURY = '0x4000000000000000000000000000000000000002';

/** So many nonces may be under way that are not final. Kept small: an adoption after a restore uses up as many. */
export const NOT_FINAL_MAX = 32;

/** Credited three blocks under the newest one, for good at six. */
export const DEPTHS = usualDepths(PLACE.environment, PLACE.network);

/** A payment as it stands. */
export interface PaymentStand {
  readonly status: string;
  readonly fundsStatus: string;
  readonly finality: string;
  readonly reconciliation: string;
}

export interface SignerHarness {
  readonly database: TestDatabase;
  readonly anvil: TestAnvil;
  readonly usdc: string;
  /** The hot address, with 1,000 USDC and 10 of the coin. */
  readonly signerAccount: string;
  readonly deps: ChainDeps;
  readonly clock: TestClock;
  readonly customer: PayingCustomer;
  readonly alarms: ChainAlarm[];
  /** Workflows that were woken. */
  readonly woken: string[];
  readonly send: ChainPayer['send'];
  readonly accept: ChainPayer['accept'];
  poll(overrides?: Partial<ChainDeps>): Promise<NextPoll>;
  /** A block after the other, with a poll cycle after each. */
  mineAndPoll(blocks: number): Promise<void>;
  /** So many blocks, and one poll cycle. */
  pollAfter(blocks: number): Promise<void>;
  /** As many blocks as make final whatever was sent, and the two poll cycles that tell it. */
  makeFinal(): Promise<void>;
  /**
   * Brings the chain, and all that the database knows of it, back to how they are now, as often as it is called.
   * Customers and their payments stay.
   */
  keepStart(): Promise<() => Promise<void>>;
  payment(id: string): Promise<PaymentStand>;
  /** Minor units at an address now. */
  balance(owner: string): Promise<bigint>;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A signer account on a real chain, over a database of its own. */
export async function createSignerHarness(): Promise<SignerHarness> {
  const [database, anvil] = await Promise.all([createTestDatabase(), startAnvil()]);
  const usdc = await deployUsdc(anvil);
  const key = generatePrivateKey();
  const signerAccount = privateKeyToAccount(key).address;
  await anvil.rpc('anvil_setBalance', signerAccount, '0x8ac7230489e80000');
  await mintUsdc(anvil, usdc, signerAccount, 1_000_000_000n);
  await anvil.mine(10);

  const db = openAsChain(database.url);
  const clock = createTestClock();
  const { customer, send, accept } = await createChainPayer(database, clock, {
    asset: 'USDC',
    contract: usdc,
  });
  const nodes: EvmChainNodes = createChainNodes({ rpcUrls: [anvil.url], depths: DEPTHS });
  const signer = createTestSigner(key);
  const alarms: ChainAlarm[] = [];
  const woken: string[] = [];
  const deps: ChainDeps = {
    ...{ db, clock, nodes, place: PLACE, corridors: createCorridorTable() },
    memory: createChainMemory(),
    settings: {
      chainId: BigInt(anvil.chainId),
      hotAddresses: [signerAccount],
      gasCaps: { maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 1_000_000_000_000n },
      pollEveryMs: 1_000,
      notFinalMax: NOT_FINAL_MAX,
      ...{ factory: FACTORY, treasury: TREASURY, sweeps: null, hot: [] },
    },
    signerOf: (address) => (address === signerAccount ? signer : null),
    workflows: {
      async wakePayment(workflowId) {
        woken.push(workflowId);
      },
    },
    alarm: (alarm) => void alarms.push(alarm),
    ...UNTROUBLED,
  };
  const poll: SignerHarness['poll'] = (overrides = {}) => pollChain({ ...deps, ...overrides });
  const rows = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    database.db.system((tx) => tx.query<Row>(sql, values));

  return {
    ...{
      database,
      anvil,
      usdc,
      signerAccount,
      deps,
      clock,
      customer,
      alarms,
      woken,
      poll,
      rows,
      send,
      accept,
    },
    async mineAndPoll(blocks) {
      for (let mined = 0; mined < blocks; mined += 1) {
        await anvil.mine();
        await poll();
      }
    },
    async pollAfter(blocks) {
      await anvil.mine(blocks);
      await poll();
    },
    async makeFinal() {
      await anvil.mine(8);
      await poll();
      await poll();
    },
    async keepStart() {
      let snapshot = await anvil.rpc<string>('evm_snapshot');
      return async () => {
        await anvil.rpc('anvil_dropAllTransactions');
        await anvil.rpc('evm_revert', snapshot);
        snapshot = await anvil.rpc<string>('evm_snapshot');
        await forgetChain(database.url);
        alarms.length = 0;
        woken.length = 0;
      };
    },
    async payment(id) {
      const [row] = await rows<PaymentStand>(
        `SELECT status, funds_status AS "fundsStatus", finality,
           reconciliation_status AS reconciliation FROM payments WHERE id = $1`,
        [id],
      );
      if (row === undefined) throw new Error(`there is no payment ${id}`);
      return row;
    },
    async balance(owner) {
      const data = usdcCall('balanceOf', owner);
      return BigInt(await anvil.rpc<string>('eth_call', { to: usdc, data }, 'latest'));
    },
    async close() {
      await Promise.all([nodes.close(), db.close(), anvil.close()]);
      await database.close();
    },
  };
}

/** Takes out whatever a database has learnt of its chains and of its restores, with triggers off. */
async function forgetChain(url: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: url });
  await superuser.connect();
  try {
    await superuser.query(`SET session_replication_role = replica; DO $$
      DECLARE name text; BEGIN
        FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND (relname LIKE 'chain\\_%' OR relname = 'restore_mode') LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP;
      END $$`);
  } finally {
    await superuser.end();
  }
}

/** The database as the process that signs has it. */
export function openAsChain(url: string): Database {
  const pool = { ...TEST_POOL, url, connectionsMax: 4 };
  return createDatabase({
    appPool: createPool({ ...pool, role: CHAIN_ROLES.app }),
    systemPool: createPool({ ...pool, role: CHAIN_ROLES.system }),
    runAfterCommit: () => undefined,
  });
}

/** Signs whatever it is given. */
export function createTestSigner(key: Hex): Signer {
  const account = privateKeyToAccount(key);
  return {
    address: account.address,
    async sign(unsigned) {
      const transaction = decodeUnsigned(unsigned);
      if (transaction === null) throw new Error('these are no unsigned bytes');
      const signature = await account.sign({ hash: transactionHash(unsigned) });
      const yParity = signature.endsWith('1b') ? 0 : 1;
      const r = `0x${signature.slice(2, 66)}`;
      const s = `0x${signature.slice(66, 130)}`;
      const raw = encodeSigned(transaction, { r, s, yParity });
      return { raw, hash: transactionHash(raw) };
    },
  };
}
