import { getAddress } from 'viem/utils';
import { newId } from '../../../../src/db/client/new-id.ts';
import type { Database } from '../../../../src/db/client/database.ts';
import { insertDepositAddress } from '../../../../src/db/parties/deposit-address-store.ts';
import { ChainUnreadable } from '../../../../src/domain/onchain/chain-nodes.ts';
import type { AddressVerdict } from '../../../../src/domain/parties/screening/address-screening.ts';
import type { NextPoll } from '../../../../src/domain/onchain/next-poll.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import { checkBalances } from '../../../../src/modules/onchain/deposits/check-balances.ts';
import { readChain } from '../../../../src/modules/onchain/deposits/read-chain.ts';
import type {
  ReaderAlarm,
  ReaderDeps,
} from '../../../../src/modules/onchain/deposits/reader-deps.ts';
import { POLL_EVERY_MS, REST_EVERY_MS } from '../../../../src/server/runtime/open-readers.ts';
import { createTestDatabase, type TestDatabase } from '../../database.ts';
import { createRandom } from '../../random.ts';
import { seedPayingCustomer } from '../../seed-payments.ts';
import { openSimulatedNetwork, type SimulatedNetwork } from './simulated-network.ts';
import { standStillFor } from './simulated-time.ts';

/** What reads deposits of simulated Base, over a database of its own. */
export interface SimulatedReader {
  readonly database: TestDatabase;
  readonly network: SimulatedNetwork;
  readonly alarms: ReadonlySet<ReaderAlarm['kind']>;
  /** What the look-up of a sender answers; CLEAR for all others. */
  readonly verdicts: Map<string, AddressVerdict>;
  poll(): Promise<NextPoll>;
  /** Holds balances against the books once a minute until the time is over, as the workflow does beside its polls. */
  checkBalances(): Promise<void>;
  /** Standing addresses of so many new customers in turn. */
  giveAddresses(count: number, customers: number): Promise<readonly string[]>;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** How long PostgreSQL has worked for this database, in ms. */
  databaseMs(): Promise<number>;
  close(): Promise<void>;
}

/** What a transfer has to be where operators say nothing, in minor units. */
const FLOOR = 100_000n;
const TREASURY = getAddress(`0x${'77'.repeat(20)}`);
const CHECK_EVERY_MS = 60_000;

/** `failedPercent`: of 100 requests to a provider so many fail; 2 unless told. */
export async function openSimulatedReader(
  seed: number,
  { failedPercent }: { readonly failedPercent?: number } = {},
): Promise<SimulatedReader> {
  const [database, network] = await Promise.all([
    createTestDatabase(),
    openSimulatedNetwork({
      network: 'BASE',
      seed,
      ...(failedPercent === undefined ? {} : { failedPercent }),
    }),
  ]);
  const { time, usdc, place, nodes } = network;
  const db = standStillFor(time, database.db);
  const alarms = new Set<ReaderAlarm['kind']>();
  const verdicts = new Map<string, AddressVerdict>();
  const random = createRandom(seed);
  const deps: ReaderDeps = {
    ...{ db, clock: time, place, nodes },
    settings: {
      assets: [{ asset: 'USDC', contract: usdc, floor: FLOOR }],
      treasury: TREASURY,
      ...{ pollEveryMs: POLL_EVERY_MS.live, restEveryMs: REST_EVERY_MS.live },
    },
    failedLookUps: new Set(),
    askAddress: async ({ address }) => ({
      verdict: verdicts.get(address) ?? 'CLEAR',
      listVersion: 'made up',
    }),
    workflows: { wakePayment: async () => undefined },
    alarm: ({ kind }) => void alarms.add(kind),
  };
  const rows: SimulatedReader['rows'] = (sql, values = []) =>
    db.system((tx) => tx.query(sql, values));

  return {
    ...{ database, network, alarms, verdicts, rows },
    poll: () => readChain(deps),
    async checkBalances() {
      let isListed = false;
      while (!time.isOver()) {
        isListed = await checkBalances(deps, isListed).catch((error: unknown) => {
          if (error instanceof ChainUnreadable) return isListed;
          throw error;
        });
        await time.sleep(CHECK_EVERY_MS);
      }
    },
    async giveAddresses(count, customers) {
      const given: string[] = [];
      for (let one = 0; one < customers; one += 1) {
        const { scope } = await seedPayingCustomer(db);
        const share = Math.ceil((count - given.length) / (customers - one));
        const addresses = Array.from({ length: share }, () => someAddress(random));
        await storeAddresses(db, scope, addresses, time.now());
        given.push(...addresses);
      }
      return given;
    },
    async databaseMs() {
      const [row] = await rows<{ ms: number }>(
        'SELECT active_time AS ms FROM pg_stat_database WHERE datname = current_database()',
      );
      return Math.round(row?.ms ?? 0);
    },
    async close() {
      await network.close();
      await database.close();
    },
  };
}

function someAddress(random: () => number): string {
  const digits = Array.from({ length: 40 }, () => Math.floor(random() * 16).toString(16));
  return getAddress(`0x${digits.join('')}`);
}

async function storeAddresses(
  db: Database,
  scope: Scope,
  addresses: readonly string[],
  at: Date,
): Promise<void> {
  const nowhere = { endUserId: null, bankAccountId: null, walletId: null };
  await db.write(scope, async (tx) => {
    for (const address of addresses) {
      const given = { id: newId('da'), address, minAmount: 0n, ...nowhere };
      await insertDepositAddress(tx, scope, given, at);
    }
  });
}
