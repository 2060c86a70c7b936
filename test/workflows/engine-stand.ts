import { randomBytes } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import pg from 'pg';
import { expect } from 'vitest';
import { createSweepActivities } from '../../activities/sweep.ts';
import { createActivities } from '../../src/compose/create-activities.ts';
import { openResources, type Resources } from '../../src/compose/resources.ts';
import { startApi } from '../../src/compose/start-api.ts';
import { readConfig } from '../../src/config/config.ts';
import { createApiKey } from '../../src/customers/create-api-key.ts';
import { onboardCustomer } from '../../src/customers/onboard-customer.ts';
import { newId } from '../../src/db/new-id.ts';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../../src/domain/keys/api-key-token.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { freePort } from '../../src/embedded/ports.ts';
import { paymentWorkflowId } from '../../src/payments/accept-payment.ts';
import { createSandboxBank, type SandboxBank } from '../../src/sandbox/bank/sandbox-bank.ts';
import { createSandboxKyc } from '../../src/sandbox/kyc/sandbox-kyc.ts';
import { createWorkers, DEFAULT_SLOTS } from '../../src/temporal/worker.ts';
import { TASK_QUEUES } from '../../workflows/options.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openTestTemporal, type TestTemporal } from '../support/temporal.ts';

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

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const SILENT = { info: () => undefined, warn: () => undefined };

export interface Beneficiary {
  readonly endUserId: string;
  readonly bankAccountId: string;
}

export interface PaidOrder {
  readonly id: string;
  readonly workflowId: string;
}

export interface Seen {
  readonly id: string;
  readonly status: string;
  readonly statusDetail: string;
  readonly version: number;
  readonly references: readonly { readonly type: string; readonly value: string }[];
  readonly reconciliation: { readonly status: string };
}

/** Who is paid over which rail, all plainly made up. */
const ACCOUNTS = {
  SEPA: { country: 'DE', currency: 'EUR', details: { iban: 'DE89370400440532013000' } },
  ACH: {
    country: 'US',
    currency: 'USD',
    details: {
      routingNumber: '021000021',
      accountNumber: '1234567890',
      accountType: 'CHECKING',
    },
  },
} as const;

export type TestRail = keyof typeof ACCOUNTS;

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
  const config = readConfig(
    {
      ...QUICK,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: database.url,
      BANK_URL: bank.url,
      BANK_CALLBACK_SECRET: SECRET,
      KYC_URL: kyc.url,
      KYC_CALLBACK_SECRET: SECRET,
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
      PEPPER: Buffer.alloc(32, 2).toString('base64'),
      LOG_LEVEL: 'silent',
      ...env,
    },
    { isRelaxed: true },
  );
  const resources = openResources(
    config,
    { namespace: temporal.namespace, connection: { address: temporal.address } },
    'test',
  );
  const heard = { isDeaf: false };
  const api = await startApi(deafen(resources, heard));
  const scope: Scope = { customerId: newId('cus'), environment: 'test' };
  const token = await addCustomer(resources, scope);
  const superuser = new pg.Client({ connectionString: database.url });
  superuser.on('error', () => undefined);
  await superuser.connect();
  const workers = createWorkerRoom(temporal, resources);

  async function call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Body> {
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
    return JSON.parse(text) as Body;
  }

  const engine = {
    temporal,
    resources,
    bank,
    scope,
    call,
    /** While true, starts and bells of the API are lost, as in an outage of Temporal. */
    heard,
    startWorkers: workers.start,
    stopWorkers: workers.stop,
    /** As a superuser, for what nobody else may do. */
    sql: async (text: string, values: unknown[] = []) =>
      (await superuser.query<Record<string, unknown>>(text, values)).rows,

    async addEndUser(lastName = 'Sample'): Promise<string> {
      const { id } = await call<{ id: string }>('POST', '/end-users', {
        type: 'INDIVIDUAL',
        individual: { firstName: 'Ada', lastName },
      });
      return id;
    },

    /** An approved end-user with a bank account; needs running workers. */
    async addBeneficiary(rail: TestRail = 'SEPA', holderName = 'Ada Sample'): Promise<Beneficiary> {
      const endUserId = await engine.addEndUser();
      await call('POST', `/end-users/${endUserId}/kyc`, {});
      await until('KYC approval', async () =>
        (await engine.kycStatus(endUserId)) === 'APPROVED' ? true : null,
      );
      const { id } = await call<{ id: string }>('POST', '/bank-accounts', {
        ...ACCOUNTS[rail],
        endUserId,
        rail,
        holderName,
        holderType: 'INDIVIDUAL',
      });
      return { endUserId, bankAccountId: id };
    },

    kycStatus: async (endUserId: string) =>
      (await call<{ kycStatus: string }>('GET', `/end-users/${endUserId}`)).kycStatus,

    async pay(
      to: Beneficiary,
      amount: string,
      wish: { currency?: string; reference?: string; metadata?: Record<string, string> } = {},
    ): Promise<PaidOrder> {
      const key = newId('order');
      const order = { currency: 'EUR', ...wish, ...to, amount };
      const { id } = await call<{ id: string }>('POST', '/payments', order, {
        'idempotency-key': key,
      });
      return { id, workflowId: paymentWorkflowId(scope, key) };
    },

    payment: (id: string) => call<Seen>('GET', `/payments/${id}`),

    /** Waits for `STATUS` or `STATUS/DETAIL`. */
    async untilPayment(id: string, wanted: string, timeoutMs = 15_000): Promise<Seen> {
      let last = '';
      await until(
        () => `${wanted} of ${id}, which is ${last}`,
        async () => {
          const { status, statusDetail } = await engine.payment(id);
          last = `${status}/${statusDetail}`;
          return last === wanted || status === wanted ? true : null;
        },
        timeoutMs,
      );
      return engine.payment(id);
    },

    /** The end-to-end reference of a payment's newest attempt. */
    async referenceOf(id: string): Promise<string> {
      const { references } = await engine.payment(id);
      return references.filter((one) => one.type === 'END_TO_END_ID').at(-1)?.value ?? '';
    },

    handle: (workflowId: string) => temporal.client.workflow.getHandle(workflowId),

    /** Waits until a workflow has been started and has ended; answers its history. */
    async historyOf(workflowId: string) {
      const handle = engine.handle(workflowId);
      await until(`the end of ${workflowId}`, async () => {
        const { status } = await handle.describe().catch(absent);
        return status.name === 'RUNNING' || status.name === 'ABSENT' ? null : true;
      });
      return handle.fetchHistory();
    },

    /** Ids of the workflows whose id begins so, whatever their state. */
    async workflowsBelow(prefix: string) {
      const found = [];
      const query = `WorkflowId STARTS_WITH "${prefix}"`;
      for await (const one of temporal.client.workflow.list({ query })) found.push(one);
      return found;
    },

    /** Runs a workflow of a schedule now, to its end. */
    run: (workflowType: string, args: unknown[] = []) =>
      temporal.client.workflow.execute(workflowType, {
        workflowId: newId('run'),
        taskQueue: TASK_QUEUES.payments,
        args,
      }),

    /** What an operator sends, as Temporal UI or the CLI would. */
    resolve: (workflowId: string, resolution: object): Promise<unknown> =>
      engine.handle(workflowId).executeUpdate('resolve', { args: [resolution] }),

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

export type Engine = Awaited<ReturnType<typeof startEngine>>;

function absent(error: unknown): { status: { name: string } } {
  if (error instanceof WorkflowNotFoundError) return { status: { name: 'ABSENT' } };
  throw error;
}

/** Names the type of every event of a history, for messages that tell a story. */
export function eventTypes(history: { events?: unknown[] | null }): string[] {
  const events = (history.events ?? []) as Record<string, unknown>[];
  return events.map((event) => {
    const name = Object.keys(event).find((key) => key.endsWith('EventAttributes') && event[key]);
    return (name ?? 'unknown').replace('EventAttributes', '');
  });
}

/** Runs workers and ends them, as often as wanted. */
function createWorkerRoom(temporal: TestTemporal, resources: Resources) {
  let workers: Worker[] = [];
  let runs: Promise<unknown> = Promise.resolve();
  return {
    async start(activities: object = {}): Promise<void> {
      resources.shareConnection(temporal.connection);
      workers = await createWorkers({
        connection: temporal.connection,
        namespace: temporal.namespace,
        workflowBundle: temporal.workflowBundle,
        activities: {
          ...createActivities(resources),
          // A test does not wait ten seconds for what is taken for lost.
          ...createSweepActivities({ ...resources, lostAfterMs: 0 }),
          ...activities,
        },
        slots: DEFAULT_SLOTS,
        onFailure: () => undefined,
      });
      runs = Promise.all(workers.map((worker) => worker.run()));
      runs.catch(() => undefined);
    },
    async stop(): Promise<void> {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      workers = [];
      await runs;
    },
  };
}

function deafen(resources: Resources, heard: { readonly isDeaf: boolean }): Resources {
  const { background } = resources;
  return {
    ...resources,
    background: {
      run(name, work) {
        if (!heard.isDeaf) background.run(name, work);
      },
      drained: () => background.drained(),
    },
  };
}

async function addCustomer(resources: Resources, scope: Scope): Promise<string> {
  await onboardCustomer(resources, {
    id: scope.customerId,
    name: 'Sample Partner',
    hasLiveAccess: false,
  });
  return createApiKey(resources, scope, {
    name: 'a test key',
    random: { publicId: randomBytes(PUBLIC_ID_BYTES), secret: randomBytes(SECRET_BYTES) },
    approvedRanges: [],
    approvedBy: 'test',
  });
}
