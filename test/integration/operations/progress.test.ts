import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { happeningsOf } from '../../../src/db/operations/count-after-commit.ts';
import { countVersions } from '../../../src/db/payments/count-payments.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import type { Happening } from '../../../src/domain/happening.ts';
import type { StatusDetail } from '../../../src/domain/payments/payment-states.ts';
import type { GaugeName } from '../../../src/server/monitor/metric-list.ts';
import { readProgress } from '../../../src/server/monitor/read-progress.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { seedPayingCustomer, type Fate, type PayingCustomer } from '../../support/seed-payments.ts';
import { createTestClock } from '../../support/test-clock.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';
import { plantRows } from '../../support/plant-rows.ts';

const MINUTE_MS = 60_000;
const ORIGINS = [{ environment: 'live', connector: 'http-bank' }] as const;
const clock = createTestClock(new Date('2026-11-24T10:00:00Z'));
const happened: Happening[] = [];
let database: TestDatabase;
let live: PayingCustomer;
beforeAll(async () => {
  database = await createTestDatabase((_scope, tasks) => happened.push(...happeningsOf(tasks)));
  live = await seedPayingCustomer(database.db, 'live');
});
afterAll(() => database.close());

const plant = (sql: string) => plantRows(database, sql);

/** As a worker reads it: the value of the series with these labels; undefined where there is none. */
async function value(gauge: GaugeName, labels: Readonly<Record<string, string>> = {}) {
  const values = await readProgress(database.db, ORIGINS, clock.now());
  return values.find(
    (one) =>
      one.gauge === gauge &&
      Object.entries(labels).every(([label, wanted]) => one.labels[label] === wanted),
  )?.value;
}

const at = () => `'${clock.now().toISOString()}'`;
const pay = (fate: Fate) => live.pay({ fate, at: clock.now() });

describe('a worker tells', () => {
  it('how many payments of a state are open, and how long the oldest has not moved', async () => {
    const queued = { environment: 'live', status: 'PROCESSING', state: 'QUEUED' };
    expect(await value('openPayments', queued)).toBeUndefined();
    await pay('READY');
    clock.advance(MINUTE_MS);
    await pay('READY');
    clock.advance(MINUTE_MS);
    expect(await value('openPayments', queued)).toBe(2);
    expect(await value('openPaymentOldest', queued)).toBe(120);
    await pay('ACCEPTED');
    expect(await value('openPayments', { ...queued, status: 'SENT', state: 'IN_RAIL' })).toBe(1);
    await pay('COMPLETED');
    expect(await value('openPayments', { status: 'COMPLETED' })).toBeUndefined();
  });

  it('nothing of a payment for a later day before that day', async () => {
    const { id } = await pay('QUEUED');
    const day = new Date(clock.now().getTime() + 60 * MINUTE_MS).toISOString();
    await plant(`UPDATE payments SET status_detail = 'SCHEDULED', scheduled_for = '2026-11-24',
      release_at = '${day}' WHERE id = '${id}'`);
    const scheduled = { environment: 'live', state: 'SCHEDULED' };
    clock.advance(60 * MINUTE_MS);
    expect(await value('openPaymentOldest', scheduled)).toBe(0);
    clock.advance(MINUTE_MS);
    expect(await value('openPaymentOldest', scheduled)).toBe(60);
  });

  it('since when an outcome is unknown, also once the payment is on hold for it', async () => {
    expect(await value('unknownOutcomes', { environment: 'live' })).toBe(0);
    expect(await value('unknownOutcomeOldest', { environment: 'live' })).toBe(0);
    const { id } = await pay('UNKNOWN');
    await plant(`UPDATE payments SET status_detail = 'OUTCOME_UNKNOWN', funds_status = 'UNKNOWN' WHERE id = '${id}';
      UPDATE settlement_attempts SET unknown_since = ${at()} WHERE payment_id = '${id}'`);
    clock.advance(10 * MINUTE_MS);
    const before = await value('unknownOutcomeOldest', { environment: 'live' });
    expect(before).toBe(600);
    await plant(`UPDATE payments SET status = 'ON_HOLD', status_detail = 'STALLED', held_since = ${at()},
      updated_at = ${at()} WHERE id = '${id}'`);
    expect(await value('unknownOutcomes', { environment: 'live' })).toBe(1);
    expect(await value('unknownOutcomeOldest', { environment: 'live' })).toBe(before);
  });

  it('exceptions by kind, the newest statement, and what waits for operators', async () => {
    const kind = { environment: 'live', kind: 'UNEXPECTED_AT_BANK' };
    expect(await value('statementAge')).toBeUndefined();
    expect(await value('waiting', { kind: 'STATEMENT_REFUSED' })).toBe(0);
    await plant(`INSERT INTO statements (environment, connector, bank_statement_id, sequence, account, status,
        problems, listed_at)
      VALUES ('live', 'http-bank', 'st_1', 1, 'a', 'REFUSED', '[{"code": "SEQUENCE_JUMP"}]', ${at()}),
        ('live', 'other', 'st_2', 1, 'a', 'LISTED', '[]', ${at()})`);
    clock.advance(MINUTE_MS);
    await plant(`INSERT INTO statement_lines (statement_id, line, entry, amount, currency, direction, is_reversal,
        booked, environment, outcome, exception, judged_at, processed_at)
      SELECT id, 1, 1, 5, 'EUR', 'DBIT', false, true, 'live', 'EXCEPTION', 'UNEXPECTED_AT_BANK', ${at()}, ${at()}
      FROM statements WHERE bank_statement_id = 'st_1'`);
    clock.advance(MINUTE_MS);
    expect(await value('openExceptions', kind)).toBe(1);
    expect(await value('openExceptionOldest', kind)).toBe(60);
    expect(await value('statementAge', { environment: 'live', connector: 'http-bank' })).toBe(120);
    expect(await value('statementAge', { connector: 'other' })).toBeUndefined();
    expect(await value('waiting', { kind: 'STATEMENT_REFUSED' })).toBe(1);
    expect(await value('waitingOldest', { kind: 'STATEMENT_REFUSED' })).toBe(120);
  });

  it('signer accounts and their nonces, mails, and rows of the audit log without a seal', async () => {
    expect(await value('waitingMailOldest')).toBe(0);
    expect(await value('unsealedOldest')).toBe(0);
    const address = `0x${'b'.repeat(40)}`;
    await plant(`INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status,
        why, created_at, updated_at)
        VALUES ('live', 'BASE', '${address}', 0, 1, 'FROZEN', 'RESTORED', ${at()}, ${at()});
      INSERT INTO chain_nonces (environment, network, address, nonce, state, created_at, updated_at)
        VALUES ('live', 'BASE', '${address}', 0, 'OPEN', ${at()}, ${at()});
      INSERT INTO mails (id, kind, address_hash, address, contents, status, tries, created_at, due_at, expires_at)
        VALUES ('${newId('mai')}', 'LOGIN_CODE', sha256('a'), sha256('a'), sha256('a'), 'WAITING', 0, ${at()}, ${at()}, ${at()}::timestamptz + interval '1 day');
      INSERT INTO audit_log (at, actor, action, subject) VALUES (${at()}, 'operator:ada', 'sample', '-')`);
    clock.advance(MINUTE_MS);
    const base = { environment: 'live', network: 'BASE' };
    expect(await value('signerAccounts', { ...base, status: 'FROZEN' })).toBe(1);
    expect(await value('openNonces', base)).toBe(1);
    expect(await value('openNonceOldest', base)).toBe(60);
    expect(await value('waitingMails')).toBe(1);
    expect(await value('waitingMailOldest')).toBe(60);
    expect(await value('unsealedOldest')).toBe(60);
  });
});

describe('deliveries that are due', () => {
  let harness: WebhookHarness;
  beforeAll(async () => {
    harness = await createWebhookHarness();
  });
  afterAll(() => harness.close());

  it('count from the event, and those of an endpoint that fails are told of as that', async () => {
    const { environment } = harness.scope;
    const read = async (gauge: GaugeName) =>
      (await readProgress(harness.db, [], harness.clock.now())).find(
        (one) => one.gauge === gauge && one.labels['environment'] === environment,
      )?.value;
    expect(await read('deliveryOldest')).toBe(0);
    // Nothing listens there.
    const { id } = await harness.addEndpoint('http://127.0.0.1:9/hook');
    const now = harness.clock.now();
    await harness.db.write(harness.scope, (tx) =>
      recordEvent(tx, harness.scope, harness.draftOf('pay_1', 1), now),
    );
    harness.clock.advance(90_000);
    expect(await read('deliveryOldest')).toBe(90);
    expect(await read('failingEndpoints')).toBe(0);
    await harness.drain(id);
    harness.clock.advance(30_000);
    expect(await read('deliveryOldest')).toBe(0);
    expect(await read('failingEndpoints')).toBe(1);
    expect(await read('failingEndpointOldest')).toBeGreaterThanOrEqual(30);
  });
});

describe('what a transaction brought about', () => {
  it('is counted once it has committed, each end of a payment', async () => {
    happened.length = 0;
    await pay('RETURNED');
    expect(happened).toMatchObject([
      { kind: 'PAYMENT_ACCEPTED' },
      { kind: 'PAYMENT_FINISHED', outcome: 'COMPLETED' },
      { kind: 'PAYMENT_FINISHED', outcome: 'RETURNED' },
    ]);
  });

  it('is an unknown outcome once, whatever else changes meanwhile', () => {
    const counted: string[] = [];
    const tx = { afterCommit: ({ id }: { id: string }) => counted.push(id) } as never;
    const version = (number: number, statusDetail: StatusDetail, before: string) => ({
      payment: {
        ...({ id: 'pay_1', version: number, status: 'PROCESSING', statusDetail } as const),
        ...{ createdAt: clock.now(), updatedAt: clock.now(), releaseAt: null, funding: null },
      },
      event: { previous: { status: 'PROCESSING', statusDetail: before } },
    });
    countVersions(tx, [version(2, 'OUTCOME_UNKNOWN', 'SUBMITTING')]);
    countVersions(tx, [version(3, 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN')]);
    countVersions(tx, [version(4, 'RETRYING', 'OUTCOME_UNKNOWN')]);
    expect(counted).toEqual(['OUTCOME_UNKNOWN/pay_1/2']);
  });
});
