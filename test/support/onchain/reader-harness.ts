import type { NextPoll } from '../../../src/domain/onchain/next-poll.ts';
import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem/utils';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { checkBalances } from '../../../src/modules/onchain/deposits/check-balances.ts';
import { readChain } from '../../../src/modules/onchain/deposits/read-chain.ts';
import type { ReaderAlarm, ReaderDeps } from '../../../src/modules/onchain/deposits/reader-deps.ts';
import type { AddressVerdict } from '../../../src/domain/parties/screening/address-screening.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { payByDeposit } from '../deposit-harness.ts';
import { seedPayingCustomer, type PayingCustomer } from '../seed-payments.ts';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { startAnvil, type TestAnvil } from './anvil.ts';
import { PLACE } from './signer-harness.ts';
import { openLyingPair, type LyingPair } from './lying-pair.ts';
import { deployUsdc, usdcCall } from './usdc.ts';

/** A deposit as it stands. */
export interface DepositStand {
  readonly txHash: string;
  readonly amount: bigint;
  readonly status: string;
  readonly appliedTo: string | null;
  readonly reason: string | null;
  readonly review: string | null;
}

export interface ReaderHarness {
  readonly database: TestDatabase;
  readonly anvil: TestAnvil;
  /** The reader's two providers. */
  readonly pair: LyingPair;
  readonly usdc: string;
  readonly deps: ReaderDeps;
  readonly clock: TestClock;
  readonly customer: PayingCustomer;
  readonly alarms: ReaderAlarm[];
  /** Workflows that were woken. */
  readonly woken: string[];
  /** What the look-up of a sender answers; CLEAR for all others. */
  readonly verdicts: Map<string, AddressVerdict>;
  /** A standing address, and one of a payment that waits for so much; both fresh. */
  addStanding(minAmount?: bigint): Promise<string>;
  addPayment(amountDue: bigint): Promise<{ readonly address: string; readonly paymentId: string }>;
  /** Sends minor units of the token into the pool; answers the transaction's hash. */
  send(to: string, amount: bigint, contract?: string, from?: string): Promise<string>;
  poll(overrides?: Partial<ReaderDeps>): Promise<NextPoll>;
  /** A block after the other, with a poll cycle after each. */
  mineAndPoll(blocks: number): Promise<void>;
  /** So many blocks, with a poll cycle after the first and one after the last: eight make final whatever was sent. */
  mineAndPollTwice(blocks: number): Promise<void>;
  /** Takes the newest blocks away, and what they held back into nothing. */
  reorganise(depth: number): Promise<void>;
  deposits(address?: string): Promise<DepositStand[]>;
  /** Available, reserved, pending, receivable and suspense in USDC, minor units. */
  books(): Promise<Readonly<Record<string, bigint>>>;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A reader of a real chain by way of two providers, over a database of its own. */
export async function createReaderHarness(): Promise<ReaderHarness> {
  const [database, anvil] = await Promise.all([createTestDatabase(), startAnvil()]);
  const usdc = await deployUsdc(anvil);
  const [sender = ''] = anvil.accounts;
  await anvil.sendAndMine({ from: sender, to: usdc, data: usdcCall('mint', sender, 10n ** 15n) });
  await anvil.mine(10);
  const pair = await openLyingPair(anvil.url);
  const { timestamp } = await anvil.rpc<{ timestamp: string }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  const clock = createTestClock(new Date(Number(timestamp) * 1_000));
  const customer = await seedPayingCustomer(database.db);
  const { scope } = customer;
  const alarms: ReaderAlarm[] = [];
  const woken: string[] = [];
  const verdicts = new Map<string, AddressVerdict>();
  const deps: ReaderDeps = {
    ...{ db: database.db, clock, place: PLACE, nodes: pair.nodes },
    settings: {
      assets: [{ asset: 'USDC', contract: usdc, floor: 1n }],
      treasury: getAddress(`0x${'77'.repeat(20)}`),
      ...{ pollEveryMs: 1_000, restEveryMs: 15_000 },
    },
    failedLookUps: new Set(),
    askAddress: async ({ address }) => ({
      verdict: verdicts.get(address) ?? 'CLEAR',
      listVersion: 'made up',
    }),
    workflows: {
      async wakePayment(workflowId) {
        woken.push(workflowId);
      },
    },
    alarm: (alarm) => void alarms.push(alarm),
  };
  const poll: ReaderHarness['poll'] = async (overrides = {}) => {
    const reader = { ...deps, ...overrides };
    const next = await readChain(reader);
    await checkBalances(reader, false);
    return next;
  };
  const rows = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    database.db.system((tx) => tx.query<Row>(sql, values));
  const fresh = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);
  /** Replaced transactions must differ, or the same one is mined again. */
  let sent = 0;

  return {
    ...{ database, anvil, pair, usdc, deps, clock, customer, alarms, woken, verdicts, poll, rows },
    async addStanding(minAmount = 0n) {
      const address = fresh();
      const given = { id: newId('da'), address, minAmount };
      const nowhere = { endUserId: null, bankAccountId: null, walletId: null };
      await database.db.write(scope, (tx) =>
        insertDepositAddress(tx, scope, { ...given, ...nowhere }, clock.now()),
      );
      return address;
    },
    async addPayment(amountDue) {
      const address = fresh();
      const at = clock.now();
      const expiresAt = new Date(at.getTime() + 24 * 3_600_000);
      const paymentId = await payByDeposit(database.db, customer, {
        ...{ network: PLACE.network, address, amountDue, expiresAt, at },
      });
      return { address, paymentId };
    },
    send(to, amount, contract = usdc, from = sender) {
      sent += 1;
      const gasPrice = `0x${(20_000_000_000 + sent).toString(16)}`;
      const data = usdcCall('transfer', to, amount);
      return anvil.send({ from, to: contract, data, gas: '0x30d40', gasPrice });
    },
    async mineAndPoll(blocks) {
      for (let mined = 0; mined < blocks; mined += 1) {
        await anvil.mine();
        await poll();
      }
    },
    async mineAndPollTwice(blocks) {
      await anvil.mine();
      await poll();
      await anvil.mine(blocks - 1);
      await poll();
    },
    async reorganise(depth) {
      await anvil.rpc('anvil_rollback', depth);
      // Another block than before, although nothing else is in it.
      await anvil.rpc(
        'anvil_setNextBlockBaseFeePerGas',
        `0x${(9_000_000_000 + sent).toString(16)}`,
      );
      sent += 1;
      await anvil.mine(depth + 1);
    },
    deposits: (address) =>
      rows<DepositStand>(
        `SELECT tx_hash AS "txHash", amount, status, applied_to AS "appliedTo", reason, review
         FROM deposits WHERE $1::text IS NULL OR to_address = $1 ORDER BY seq`,
        [address ?? null],
      ),
    async books() {
      const sums = await rows<{ account: string; minor: bigint }>(
        `SELECT account, sum(amount)::bigint AS minor FROM ledger_entries
         WHERE customer_id = $1 AND currency = 'USDC' GROUP BY account HAVING sum(amount) <> 0`,
        [scope.customerId],
      );
      return Object.fromEntries(sums.map(({ account, minor }) => [account, minor]));
    },
    rows,
    async close() {
      await pair.close();
      await anvil.close();
      await database.close();
    },
  };
}
