import { createListedNetworks } from '../../src/domain/onchain/listed-networks.ts';
import { createCorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import { createHttpBank } from '../../src/adapters/http-bank/http-bank.ts';
import { createFeeSchedule } from '../../src/domain/payments/fees/fee-schedule.ts';
import type { Background, HttpDeps } from '../../src/api/deps.ts';
import type { App } from '../../src/web/kit/http/app-type.ts';
import type { HttpSettings } from '../../src/api/settings.ts';
import { madeUpAccounts } from '../../src/domain/ledger/funding/made-up-accounts.ts';
import { askSandboxAddresses } from '../../src/adapters/screening/sandbox-addresses.ts';
import type { Scope } from '../../src/domain/scope.ts';
import type { Screener } from '../../src/modules/parties/screening/screener.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { buildCheckedApp } from './checked-app.ts';
import { sampleNetworks } from './sample-networks.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { addApiKey, addCustomer } from './test-customer.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestScreener, putTestListInForce } from './test-screening.ts';
import { createTestVault } from './test-vault.ts';
import { ASSET_MARKUP_BPS } from '../../src/domain/payments/quotes/asset-markup.ts';

const PLENTY = { perSecond: 10_000, burst: 10_000 };
const HOUR_MS = 60 * 60 * 1000;
const FREE = {
  markupBps: 0,
  feeBps: 0,
  feeFixed: '0',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};

const FIVE_YEARS_MS = 1827 * 24 * 60 * 60 * 1000;

/** Settings of a test, with whatever the test is about put in its place. */
export function testSettings(overrides: Partial<HttpSettings> = {}): HttpSettings {
  return {
    publicUrl: 'http://localhost:8080',
    trustedProxies: [],
    rateLimits: {
      requests: { test: PLENTY, live: PLENTY },
      payments: { test: PLENTY, live: PLENTY },
      paymentBatches: { test: PLENTY, live: PLENTY },
      failedAuthenticationsPerMinute: 600_000,
    },
    fx: {
      ...{ baseCurrency: 'USD', rateMaxAgeMs: 26 * HOUR_MS, historyMs: 730 * 24 * HOUR_MS },
      releasedPegs: [],
    },
    quotes: { test: FREE, live: FREE },
    fees: createFeeSchedule(),
    fundingAccounts: { test: madeUpAccounts(), live: [] },
    networks: { test: sampleNetworks('test'), live: sampleNetworks('live') },
    endUserRetentionMs: { test: FIVE_YEARS_MS, live: FIVE_YEARS_MS },
    webhookAllowLoopbackInTest: true,
    kycCallbackSecrets: {},
    kycDocumentLifeMs: 30 * 24 * HOUR_MS,
    bankCallbackSecrets: {},
    ...overrides,
  };
}

export interface TestApp {
  readonly app: App;
  readonly deps: HttpDeps;
  readonly screener: Screener;
  readonly database: TestDatabase;
  readonly vault: Vault;
  readonly clock: TestClock;
  /** A customer with a test key that may do everything. */
  readonly scope: Scope;
  readonly token: string;
  readonly headers: { readonly authorization: string };
  close(): Promise<void>;
}

/** Only its way of writing orders is used. */
const BANK = createHttpBank({ baseUrl: 'http://127.0.0.1:9', name: 'http-bank' });

/** Screening of the test's own, over what the app is made of; it puts its list in force itself. */
export type OpenScreener = (deps: Pick<HttpDeps, 'db' | 'vault' | 'clock'>) => Screener;

export interface TestAppOverrides extends Partial<HttpDeps> {
  readonly openScreener?: OpenScreener;
}

/**
 * The whole HTTP surface on a database of its own; Temporal's part does nothing and says so. Every answer is
 * held against docs/openapi.json: one that is not as documented throws where it was asked for.
 */
export async function createTestApp({
  openScreener,
  ...overrides
}: TestAppOverrides = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const clock = createTestClock();
  const vault = createTestVault();
  const own = { db: database.db, vault, clock: overrides.clock ?? clock };
  const { screener: shipped, provider } = createTestScreener(own);
  const screener = openScreener?.(own) ?? shipped;
  if (openScreener === undefined) await putTestListInForce(own, provider);
  const atOnce: Background = { run: (_name, work) => void work().catch(() => undefined) };
  const idle = async (): Promise<void> => undefined;
  const deps: HttpDeps = {
    db: database.db,
    vault,
    clock,
    corridors: createCorridorTable(),
    // Its live keys are written by hand.
    liveApprovals: { honour: (key) => Promise.resolve(key) },
    networks: createListedNetworks((overrides.settings ?? testSettings()).networks),
    workflows: {
      startPayment: idle,
      restartPayment: idle,
      startPaymentBatch: idle,
      restartKycCheck: idle,
      wakePayment: idle,
      startKycCheck: idle,
      wakeKycCheck: idle,
      wakeEndpoint: idle,
      startScreening: idle,
      startMail: idle,
      wakeOnboarding: idle,
      startChain: idle,
      wakeChain: idle,
      startDeposits: idle,
      wakeDeposits: idle,
    },
    starts: { ...atOnce, ahead: (request) => request() },
    wakes: atOnce,
    screener,
    encoderFor: () => (order) => BANK.encode(order),
    nameChecks: {},
    addressScreening: { test: askSandboxAddresses, live: askSandboxAddresses },
    contractWallets: {},
    settings: testSettings(),
    temporalState: async () => ({ kind: 'ok', sweep: 'ok' }),
    ...overrides,
  };
  const app = buildCheckedApp(deps);
  await app.ready();
  const customerId = await database.db.system((tx) => addCustomer(tx));
  const key = await database.db.system((tx) => addApiKey(tx, vault, { customerId }));
  return {
    app,
    deps,
    screener,
    database,
    vault,
    clock,
    scope: { customerId, environment: 'test' },
    token: key.token,
    headers: { authorization: `Bearer ${key.token}` },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
