import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { createBankAccount } from '../../../src/modules/parties/bank-accounts/create-bank-account.ts';
import { onboardCustomer } from '../../../src/modules/customers/onboard-customer.ts';
import { createDatabase, type Database } from '../../../src/db/client/database.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createPool } from '../../../src/db/client/pool.ts';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createEndUser } from '../../../src/modules/parties/end-users/create-end-user.ts';
import {
  createAcceptPayment,
  type AcceptPayment,
} from '../../../src/modules/payments/accept-payment.ts';
import { createHttpBank } from '../../../src/adapters/http-bank/http-bank.ts';
import { createWebhookEndpoint } from '../../../src/modules/webhooks/create-webhook-endpoint.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import type { DirectOrder, DirectReport } from '../peers/direct-accept.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';

// The yardstick of acceptance: the use case on a pool of connections, in a database of its own on the
// engine's server. No HTTP, no look-up of a key, no Temporal, and no one who settles.

/** As many as an engine has unless it is told otherwise (DATABASE_CONNECTIONS_MAX). */
const CONNECTIONS_MAX = 20;
const AMOUNT_MINOR = 100n;

const vault = createTestVault();
const clock = { now: () => new Date() };
const corridors = createCorridorTable();
const FREE = {
  markupBps: 0,
  feeBps: 0,
  feeFixed: '0',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};
const settings = {
  fx: { baseCurrency: 'USD', rateMaxAgeMs: 1, releasedPegs: [] },
  quotes: { test: FREE, live: FREE },
  fees: createFeeSchedule(),
};
const { encode } = createHttpBank({ baseUrl: 'http://127.0.0.1:9', name: 'http-bank' });

async function measure(order: DirectOrder): Promise<DirectReport> {
  const database = await createOwnDatabase(order.serverUrl);
  const pool = { url: database, connectionsMax: CONNECTIONS_MAX, onError: () => undefined };
  const db = createDatabase({
    appPool: createPool({ ...pool, role: 'causeway_app' }),
    systemPool: createPool({ ...pool, role: 'causeway_system' }),
    runAfterCommit: () => undefined,
  });
  try {
    const runners = await openRunners(db, order);
    await runRunners(runners, (begun) => begun <= order.warmUp);
    const startedAtMs = nowMs();
    const cpu = process.cpuUsage();
    const payments = await runRunners(runners, () => nowMs() - startedAtMs < order.seconds * 1_000);
    const tookMs = nowMs() - startedAtMs;
    const { user, system } = process.cpuUsage(cpu);
    return { payments, tookMs, cpuMs: (user + system) / 1_000 };
  } finally {
    await db.close();
  }
}

type Runner = () => Promise<unknown>;

async function runRunners(
  runners: readonly Runner[],
  mayGoOn: (begun: number) => boolean,
): Promise<number> {
  let begun = 0;
  let done = 0;
  await Promise.all(
    runners.map(async (acceptOne) => {
      while (mayGoOn((begun += 1))) {
        await acceptOne();
        done += 1;
      }
    }),
  );
  return done;
}

async function openRunners(db: Database, { clients, customers }: DirectOrder): Promise<Runner[]> {
  const scopes: Scope[] = [];
  for (let nth = 0; nth < customers; nth += 1) {
    const scope: Scope = { customerId: newId('cus'), environment: 'test' };
    const customer = { id: scope.customerId, name: 'Bench' };
    await onboardCustomer({ db, clock }, customer);
    const endpoint = { url: 'http://127.0.0.1:1/', types: ['payment.*'] };
    await db.write(scope, (tx) => createWebhookEndpoint({ vault, clock }, tx, scope, endpoint));
    scopes.push(scope);
  }
  const acceptPayment = createAcceptPayment({
    db,
    vault,
    clock,
    corridors,
    networks: createListedNetworks(),
    settings,
    encoderFor: () => encode,
  });
  return Promise.all(
    Array.from({ length: clients }, async (_, nth) => {
      const scope = scopes[nth % scopes.length];
      if (scope === undefined) throw new Error('there is no customer');
      return openRunner(db, acceptPayment, scope);
    }),
  );
}

/** A client of a customer, with an account to pay to. */
async function openRunner(
  db: Database,
  acceptPayment: AcceptPayment,
  scope: Scope,
): Promise<Runner> {
  const deps = { db, vault, clock, corridors };
  const endUser = await db.write(scope, (tx) =>
    createEndUser(deps, tx, scope, {
      type: 'INDIVIDUAL',
      individual: { firstName: 'Ada', lastName: 'Sample' },
    }),
  );
  await approveEndUser(db, scope, endUser.id, clock.now());
  const { row: account } = await db.write(scope, (tx) =>
    createBankAccount(
      deps,
      tx,
      scope,
      {
        ...{ endUserId: endUser.id, country: 'DE', currency: 'EUR' },
        ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL' },
        details: { iban: 'DE89370400440532013000' },
      },
      { nameCheck: 'NOT_SUPPORTED' },
    ),
  );
  const order = {
    endUserId: endUser.id,
    destination: { kind: 'BANK', bankAccountId: account.id } as const,
    ...{ amount: AMOUNT_MINOR, unit: 'EUR', reference: 'Bench payment' },
    ...{
      sourceUnit: null,
      quoteId: null,
      maxSourceAmount: null,
      funding: null,
      scheduledFor: null,
    },
    ...{ externalId: null, purpose: null, metadata: {} },
  };
  const fingerprint = Buffer.alloc(32, 1);
  const actor = { kind: 'OPERATOR', name: 'bench' } as const;
  const common = { fingerprint, order, actor, requestId: newId('req') };
  return () => acceptPayment(scope, { idempotencyKey: randomUUID(), ...common });
}

async function createOwnDatabase(serverUrl: string): Promise<string> {
  const name = newId('bench');
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name}`);
  } finally {
    await admin.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href, () => undefined);
  return url.href;
}

answerParent({ measure });
