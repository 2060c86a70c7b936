import { expect } from 'vitest';
import type { Database } from '../../../src/db/client/database.ts';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PayoutConnector } from '../../../src/domain/payments/connector.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { createAcceptPayment } from '../../../src/modules/payments/accept-payment.ts';
import { createWebhookEndpoint } from '../../../src/modules/webhooks/create-webhook-endpoint.ts';
import { drainEndpoint } from '../../../src/modules/webhooks/drain-endpoint.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createCountedDatabase } from './counted-database.ts';
import { says } from './scripted-bank.ts';
import { startScriptedHarness, TIMING } from './settlement-harness.ts';
import { keyed, type Ref } from './together-harness.ts';

/** What a stage of payments sent to PostgreSQL. */
export interface Sent {
  readonly statements: number;
  readonly commits: number;
}

/** What payments cost, all together. */
export interface PaymentCosts {
  readonly accept: Sent;
  readonly settle: Sent;
  readonly deliver: Sent;
  readonly functionCalls: number;
  readonly rowsByIndex: number;
  readonly rowsInSequence: number;
  readonly walBytes: number;
}

type Work = Pick<PaymentCosts, 'functionCalls' | 'rowsByIndex' | 'rowsInSequence' | 'walBytes'>;

/** As many as a process has, so that each of them is asked. */
const CONNECTIONS = 4;

/** Each connection tells its numbers at once, and not some seconds later. */
const tellAll = (db: Database) =>
  Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      db.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.2)'),
    ),
  );

/** Where so many wait for each other: how they share transactions then does not depend on the machine. */
function openGate() {
  let missing = 0;
  let letThrough: () => void = () => undefined;
  let allThere: Promise<void> = Promise.resolve();
  return {
    expect(count: number): void {
      missing = count;
      allThere = new Promise((resolve) => (letThrough = resolve));
    },
    arrive(): Promise<void> {
      missing -= 1;
      if (missing === 0) letThrough();
      return allThere;
    },
  };
}

/** The log of requests and the limits of rates, which are written from time to time: for what was asked over HTTP. */
const NOT_COUNTED = `'api_requests', 'api_keys', 'rate_buckets', 'write_api_requests', 'lease_rate_tokens'`;

const WORK = `
  SELECT (SELECT sum(idx_tup_fetch) FROM pg_stat_user_tables
      WHERE relname NOT IN (${NOT_COUNTED}))::float8 AS "rowsByIndex",
    (SELECT sum(seq_tup_read) FROM pg_stat_user_tables
      WHERE relname NOT IN (${NOT_COUNTED}))::float8 AS "rowsInSequence",
    (SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions
      WHERE funcname NOT IN (${NOT_COUNTED}))::float8 AS "functionCalls",
    (SELECT sum(w.wal_bytes) FROM pg_stat_activity a CROSS JOIN pg_stat_get_backend_wal(a.pid) w
      WHERE a.datname = current_database() AND a.pid <> pg_backend_pid())::float8 AS "walBytes"`;

/** Connections that set everything up tell their numbers as they end. */
const END_OTHERS = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/**
 * One customer with one webhook endpoint, and a bank that settles each transfer at once. Payments are accepted, sent and
 * announced by one process, without HTTP and without Temporal.
 */
export async function startCountedPayments() {
  const harness = await startScriptedHarness();
  harness.bank.onPut = says('SETTLED');
  const receiver = await startReceiver();
  const { scope, payer, vault, clock } = harness;
  const deps = { vault, clock };
  const endpoint = await harness.database.db.write(scope, (tx) =>
    createWebhookEndpoint(deps, tx, scope, { url: receiver.url, types: ['payment.*'] }),
  );
  const [named] = await harness.rows<{ name: string }>('SELECT current_database() AS name');
  // For connections that are opened from now on.
  await harness.rows(`ALTER DATABASE "${named?.name ?? ''}" SET track_functions = 'all'`);
  await harness.rows(END_OTHERS);
  const { db, readStatements } = createCountedDatabase(harness.database.url);
  const accept = createAcceptPayment({ ...harness.deps, db });
  const { corridors, networks, addressScreening } = harness.deps;
  const answers = openGate();
  const connector: PayoutConnector = {
    ...harness.connector,
    async submit(transfer, limit) {
      const answer = await harness.connector.submit(transfer, limit);
      await answers.arrive();
      return answer;
    },
  };
  const activities = createPaymentActivities({
    ...{ ...deps, db, corridors, networks, addressScreening, screener: harness.screener },
    connectors: createConnectorRegistry([
      { environment: 'test', payout: connector, statements: null },
    ]),
    timing: { test: TIMING, live: TIMING },
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });

  const drain = async () => {
    const drained = await drainEndpoint(
      {
        ...{ ...deps, db, random: () => 0.5, openClient: openWebhookClient },
        ...{ allowLoopbackInTest: true, dashboardUrl: 'http://dashboard.localhost:8081' },
        limits: { runMs: 20_000, lingerMs: 0 },
      },
      { scope, endpointId: endpoint.id, isSlowQueue: true, signal: new AbortController().signal },
    );
    expect(drained).toMatchObject({ kind: 'IDLE' });
  };
  const countSent = async (stage: () => Promise<unknown>): Promise<Sent> => {
    readStatements();
    await stage();
    const texts = readStatements();
    const alone = texts.filter((text) => /_webhook_drain\b/.test(text));
    const commits = texts.filter((text) => text === 'COMMIT');
    return { statements: texts.length, commits: commits.length + alone.length };
  };
  const readWork = async (): Promise<Work> => {
    await tellAll(db);
    const [work] = await harness.rows<Work>(WORK);
    if (work === undefined) throw new Error('PostgreSQL tells nothing of its work');
    return work;
  };

  return {
    /** Payments of 1.00 EUR that come at once. */
    async pay(keys: readonly string[]): Promise<PaymentCosts> {
      const orders = keys.map((key) => keyed(payer, key, { amount: 100n }));
      const before = await readWork();
      let refs: Ref[] = [];
      const accepting = await countSent(async () => {
        const accepted = await Promise.all(orders.map((one) => accept(one.scope, one.request)));
        refs = accepted.map((answer) => {
          if (answer.isReplay) throw new Error('a new key was used before');
          return { ...scope, paymentId: answer.paymentId };
        });
      });
      answers.expect(keys.length);
      const settling = await countSent(async () => {
        const settle = (ref: Ref) => activities.settle({ ...ref, isFirst: true });
        const steps = await Promise.all(refs.map(settle));
        expect(steps).toEqual(refs.map(() => ({ kind: 'DONE', status: 'COMPLETED' })));
      });
      const delivering = await countSent(drain);
      const after = await readWork();
      return {
        ...{ accept: accepting, settle: settling, deliver: delivering },
        functionCalls: after.functionCalls - before.functionCalls,
        rowsByIndex: after.rowsByIndex - before.rowsByIndex,
        rowsInSequence: after.rowsInSequence - before.rowsInSequence,
        walBytes: after.walBytes - before.walBytes,
      };
    },
    analyze: () => harness.database.analyze(),
    async close() {
      await db.close();
      await receiver.close();
      await harness.close();
    },
  };
}
