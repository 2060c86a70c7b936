import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect } from 'vitest';
import { openResources, type Resources } from '../../../src/server/runtime/resources.ts';
import { startApi } from '../../../src/server/runtime/start-api.ts';
import { readConfig } from '../../../src/server/config/config.ts';
import { createApiKey } from '../../../src/modules/customers/create-api-key.ts';
import { onboardCustomer } from '../../../src/modules/customers/onboard-customer.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../../../src/modules/customers/api-key-token.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { SHIPPED_LIST } from '../../../src/adapters/screening/shipped-list.ts';
import { createSandboxBank, type SandboxBank } from '../../../src/sandbox/bank/sandbox-bank.ts';
import { createSandboxKyc } from '../../../src/sandbox/kyc/sandbox-kyc.ts';
import type { BackgroundWork } from '../../../src/server/temporal/background-work.ts';
import { signWebhook } from '../../../src/vault/webhook-signatures/signature.ts';
import { approveEndUser } from '../approve-end-user.ts';
import { createTestDatabase } from '../database.ts';
import { openTestTemporal } from '../temporal.ts';
import { createTestPartner } from './test-partner.ts';
import { createWorkerHarness } from './worker-harness.ts';
import { createWorkflowWatch } from './workflow-watch.ts';
import { SAMPLE_KEYS, sampleSecret } from '../sample-secrets.ts';

/** Minutes of a person's patience in milliseconds of a test; every rule is the same. */
const QUICK = {
  // Temporal's timers are a second apart at the least, whatever is asked of them.
  TEST_BANK_TIMEOUT_MS: '1000',
  TEST_ATTEMPT_DEADLINE_MS: '1500',
  TEST_ASK_FIRST_MS: '50',
  TEST_ASK_MAX_MS: '200',
  TEST_MISSING_AFTER_MS: '100',
  TEST_STALLED_AFTER_MS: '30000',
  TEST_RETRY_FIRST_MS: '50',
  TEST_RETRY_MAX_MS: '200',
  TEST_HOLD_CHECK_MS: '500',
};

const SECRET = sampleSecret('callbacks');
const SILENT = { info: () => undefined, warn: () => undefined };

/**
 * The whole engine in this process: API and sandboxes over real HTTP, PostgreSQL and Temporal as they
 * are. Workers run from `startWorkers` on; without them nothing is settled.
 */
export async function startEngine(env: Record<string, string> = {}) {
  const temporal = await openTestTemporal();
  const database = await createTestDatabase();
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${String(port)}/api/v1`;
  const clock = { now: () => new Date() };
  const common = { journalFile: null, callbackSecret: SECRET, clock, log: SILENT };
  const bank: SandboxBank = await createSandboxBank({
    ...common,
    callbackUrl: `${apiUrl}/rails/http-bank/callbacks`,
    magic: true,
    timings: { decideAfterMs: 300, returnAfterMs: 300, statementEveryMs: 600_000 },
  });
  await bank.listen(0);
  const kyc = await createSandboxKyc({
    ...common,
    callbackUrl: `${apiUrl}/kyc/callbacks`,
    timings: { reviewAfterMs: 30, decideAfterMs: 30, revokeAfterMs: 300 },
  });
  await kyc.listen(0);
  const config = readConfig({
    ...QUICK,
    RATE_LIMITS: 'relaxed',
    OPS_PASSKEY: 'software',
    TEST_WEBHOOK_ALLOW_LOOPBACK: 'true',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: database.url,
    TEST_BANK_URL: bank.url,
    TEST_BANK_CALLBACK_SECRET: SECRET,
    TEST_KYC_URL: kyc.url,
    TEST_KYC_CALLBACK_SECRET: SECRET,
    LIVE_SCREENING_FILE: SHIPPED_LIST,
    ...SAMPLE_KEYS,
    LOG_LEVEL: 'silent',
    ...env,
  });
  const resources = await openResources(
    config,
    { namespace: temporal.namespace, connection: { address: temporal.address } },
    'test',
  );
  const heard = { isDeaf: false };
  const api = await startApi(deafen(resources, heard));
  const scope: Scope = { customerId: newId('cus'), environment: 'test' };
  const token = await addCustomer({ ...resources, db: database.people }, scope);
  const superuser = new pg.Client({ connectionString: database.url });
  superuser.on('error', () => undefined);
  await superuser.connect();
  const workers = createWorkerHarness(temporal, resources);

  const engine = {
    temporal,
    resources,
    /** As the operators' commands have it. */
    peopleDb: database.people,
    databaseUrl: database.url,
    bank,
    scope,
    apiUrl,
    ...createTestPartner(apiUrl, token, scope, (endUserId) =>
      approveEndUser(resources.db, scope, endUserId, clock.now()),
    ),
    ...createWorkflowWatch(temporal),
    toStart: (paymentId: string) => ({ ...scope, paymentId, rail: 'SEPA', currency: 'EUR' }),
    /** While true, starts and wakes of the API are lost, as in an outage of Temporal. */
    heard,
    startWorkers: workers.start,
    stopWorkers: workers.stop,
    /** As a superuser, for what no other role may do. */
    sql: async (text: string, values: unknown[] = []) =>
      (await superuser.query<Record<string, unknown>>(text, values)).rows,

    /** A callback of the KYC provider at a moment of the test's choosing. */
    providerSays: (report: object) => postSigned(`${apiUrl}/kyc/callbacks`, report),

    /** A callback of the bank at a moment of the test's choosing. */
    bankSays: (report: object) =>
      postSigned(`${apiUrl}/rails/http-bank/callbacks`, {
        at: clock.now().toISOString(),
        ...report,
      }),

    /** The next PUTs at the bank go wrong. */
    async fault(fault: string, count = 1, more: object = {}): Promise<void> {
      const body = JSON.stringify({ fault, count, ...more });
      expect((await fetch(`${bank.url}/faults`, { method: 'POST', body })).status).toBe(202);
    },

    async close() {
      await workers.stop();
      await api.stop();
      await bank.close();
      await kyc.close();
      await superuser.end();
      await resources.close();
      await database.close();
      await temporal.close();
    },
  };
  return engine;
}

/** Posts a callback as bank and KYC provider sign it, and sees it accepted. */
async function postSigned(url: string, report: object): Promise<void> {
  const body = JSON.stringify(report);
  const id = newId('req');
  const timestampSeconds = Math.floor(new Date().getTime() / 1_000);
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signWebhook(SECRET, { id, timestampSeconds, body }),
    },
    body,
  });
  expect(answer.status).toBe(202);
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

function deafen(resources: Resources, heard: { readonly isDeaf: boolean }): Resources {
  const deafenOne = (background: BackgroundWork): BackgroundWork => ({
    run(name, work) {
      if (!heard.isDeaf) background.run(name, work);
    },
    ahead: (request) => background.ahead(request),
    drained: () => background.drained(),
  });
  return {
    ...resources,
    starts: deafenOne(resources.starts),
    wakes: deafenOne(resources.wakes),
  };
}

async function addCustomer(
  resources: Pick<Resources, 'db' | 'vault' | 'clock'>,
  scope: Scope,
): Promise<string> {
  await onboardCustomer(resources, {
    id: scope.customerId,
    name: 'Sample Partner',
  });
  const urls = { dashboardUrl: 'http://dashboard.localhost:8081', apiUrl: 'http://localhost:8080' };
  const deps = { ...resources, ...urls };
  const { token } = await resources.db.system((tx) =>
    createApiKey(deps, tx, scope, {
      name: 'a test key',
      random: { publicId: randomBytes(PUBLIC_ID_BYTES), secret: randomBytes(SECRET_BYTES) },
      by: { kind: 'OPERATOR', name: 'test' },
    }),
  );
  return token;
}
