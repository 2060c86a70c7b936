import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteOverdue } from '../../../src/db/customers/overdue-store.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { OVERDUE_KINDS } from '../../../src/domain/notices/overdue.ts';
import {
  tellOfOverdue,
  type OverdueMetric,
} from '../../../src/modules/customers/mail/tell-of-overdue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addWaitingPayment } from '../../support/deposit-harness.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../support/seed-payments.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { plantRows } from '../../support/plant-rows.ts';

const HOUR_MS = 3_600_000;
const vault = createTestVault();
const corridors = createCorridorTable();
// A Tuesday.
const clock = createTestClock(new Date('2026-11-24T10:00:00Z'));
let database: TestDatabase;
let live: PayingCustomer;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const role of ['OPERATIONS', 'COMPLIANCE'] as const) {
    await addTestOperator({ people: database.people, vault, clock }, role);
  }
  live = await seedPayingCustomer(database.db, 'live');
});
afterAll(() => database.close());

const plant = (sql: string) => plantRows(database, sql);

/** One run: how many mails it wrote, and the metric of each kind of which anything waits too long. */
async function run() {
  const before = await mails();
  const metrics: OverdueMetric[] = [];
  await tellOfOverdue({
    ...{ db: database.db, vault, clock, corridors, opsUrl: 'http://ops.localhost:8082' },
    measure: (metric) => metrics.push(metric),
  });
  expect(metrics.map(({ kind }) => kind).sort()).toEqual([...OVERDUE_KINDS].sort());
  const waiting = metrics.filter(({ count }) => count > 0);
  return {
    mails: (await mails()) - before,
    waiting: Object.fromEntries(waiting.map(({ kind, count }) => [kind, count])),
  };
}
const mails = async () => {
  const rows = await database.db.system((tx) =>
    tx.query(`SELECT id FROM mails WHERE kind = 'OPS_OVERDUE'`),
  );
  return rows.length;
};
const settle = (id: string) =>
  plant(`UPDATE payments SET status = 'FAILED', updated_at = now() WHERE id = '${id}'`);

describe('an operator hears of what stands still', () => {
  it('a bank that answers ACCEPTED for ever: an hour after the arrival that the corridor promises, once a day', async () => {
    const { id } = await live.pay({ fate: 'ACCEPTED', at: clock.now() });
    // SEPA promises the end of Wednesday in Frankfurt, which is 23:00 UTC.
    clock.advance(37 * HOUR_MS + 59 * 60_000);
    expect(await run()).toEqual({ mails: 0, waiting: {} });
    clock.advance(2 * 60_000);
    const [first, ...others] = await Promise.all([run(), run(), run()]);
    expect(first.waiting).toEqual({ PAYMENT_LATE: 1 });
    expect(await mails()).toBe(1);
    expect(others).toHaveLength(2);
    clock.advance(23 * HOUR_MS);
    expect(await run()).toEqual({ mails: 0, waiting: { PAYMENT_LATE: 1 } });
    clock.advance(HOUR_MS);
    expect(await run()).toEqual({ mails: 1, waiting: { PAYMENT_LATE: 1 } });
    await settle(id);
    expect(await run()).toEqual({ mails: 0, waiting: {} });
  });

  it('a corridor that promises no arrival: after four days', async () => {
    const { id } = await live.pay({ fate: 'ACCEPTED', at: clock.now(), rail: 'SWIFT' });
    clock.advance(95 * HOUR_MS);
    expect((await run()).waiting).toEqual({});
    clock.advance(HOUR_MS + 60_000);
    expect(await run()).toEqual({ mails: 1, waiting: { PAYMENT_LATE: 1 } });
    await settle(id);
  });

  it('PROCESSING for an hour, yet not before its day or while its deposit may come', async () => {
    const quiet = await live.pay({ fate: 'QUEUED', at: clock.now() });
    const later = await live.pay({ fate: 'QUEUED', at: clock.now() });
    const releaseAt = new Date(clock.now().getTime() + 24 * HOUR_MS).toISOString();
    await plant(`UPDATE payments SET scheduled_for = '2026-12-03', release_at = '${releaseAt}'
      WHERE id = '${later.id}'`);
    clock.advance(59 * 60_000);
    expect((await run()).waiting).toEqual({});
    clock.advance(2 * 60_000);
    expect(await run()).toEqual({ mails: 1, waiting: { PAYMENT_QUIET: 1 } });
    clock.advance(25 * HOUR_MS);
    expect((await run()).waiting).toEqual({ PAYMENT_QUIET: 2 });
    await settle(quiet.id);
    await settle(later.id);
    const { paymentId } = await addWaitingPayment(database.db);
    const now = clock.now().toISOString();
    const end = new Date(clock.now().getTime() + 3 * HOUR_MS).toISOString();
    await plant(`UPDATE payments SET environment = 'live', updated_at = '${now}' WHERE id = '${paymentId}';
      UPDATE payment_fundings SET environment = 'live', expires_at = '${end}'`);
    clock.advance(2 * HOUR_MS);
    expect((await run()).waiting).toEqual({});
    clock.advance(2 * HOUR_MS + 60_000);
    expect(await run()).toMatchObject({ mails: 1, waiting: { PAYMENT_QUIET: 1 } });
    await settle(paymentId);
  });

  it('10,000 credits that belong to no customer are one mail, and one more of the same day is another', async () => {
    const credits = (from: number, to: number) =>
      plant(`INSERT INTO incoming_credits (id, environment, connector, booking_key, occurrence, statement_id, line,
          currency, amount, minor, received_at, unmatched_reason, ledger_transaction_id)
        SELECT 'cr_' || n, 'live', 'bank', sha256(n::text::bytea), 1, 1, n, 'EUR', 1, 100,
          '${clock.now().toISOString()}', 'NO_REFERENCE', 'ltx_' || n FROM generate_series(${String(from)}, ${String(to)}) n`);
    await credits(1, 10_000);
    expect((await run()).waiting).toEqual({});
    clock.advance(HOUR_MS + 60_000);
    expect(await run()).toEqual({ mails: 1, waiting: { CREDIT_UNMATCHED: 10_000 } });
    expect(await run()).toMatchObject({ mails: 0 });
    await credits(10_001, 10_001);
    clock.advance(HOUR_MS + 60_000);
    expect(await run()).toMatchObject({ mails: 1 });
    expect(await run()).toMatchObject({ mails: 0 });
    await plant('DELETE FROM incoming_credits');
  });

  it('holds, what no statement confirms, and what is not final in its time: each once it is late', async () => {
    const { id } = await live.pay({ fate: 'COMPLETED', at: clock.now() });
    const now = clock.now().toISOString();
    const states: Readonly<Record<string, readonly [string, number]>> = {
      PAYMENT_HELD_BY_RAIL: [
        `status = 'ON_HOLD', status_detail = 'AWAITING_LIQUIDITY', held_since = '${now}', updated_at = '${now}'`,
        HOUR_MS,
      ],
      PAYMENT_HELD: [
        `status = 'ON_HOLD', status_detail = 'RELEASE_STOPPED', held_since = '${now}', updated_at = '${now}'`,
        24 * HOUR_MS,
      ],
      PAYMENT_UNRECONCILED: [
        `id = 'pay_7zzzzzzzzzzzzzzzzzzzzzzzzz', status = 'COMPLETED', reconciliation_status = 'PENDING',
          updated_at = '${now}'`,
        5 * 24 * HOUR_MS,
      ],
      PAYMENT_NOT_FINAL: [
        `status = 'COMPLETED', finality = 'PROVISIONAL', reconciliation_status = 'RECONCILED', final_due_at = '${now}'`,
        24 * HOUR_MS,
      ],
    };
    const from = clock.now().getTime();
    let subject = id;
    for (const [kind, [change, afterMs]] of Object.entries(states)) {
      clock.advance(from - clock.now().getTime());
      await plant(`UPDATE payments SET ${change} WHERE id = '${subject}'`);
      subject = kind === 'PAYMENT_UNRECONCILED' ? 'pay_7zzzzzzzzzzzzzzzzzzzzzzzzz' : subject;
      clock.advance(afterMs);
      expect((await run()).waiting).toEqual({});
      clock.advance(1);
      expect(await run()).toEqual({ mails: 1, waiting: { [kind]: 1 } });
    }
    await settle(subject);
    await plant(`UPDATE payments SET finality = 'NONE' WHERE id = '${subject}'`);
  });

  it('what is not a payment: each once it is late', async () => {
    const { customerId } = live.scope;
    const at = clock.now().toISOString();
    const hash = `0x${'a'.repeat(64)}`;
    const rows: Readonly<Record<string, readonly [string, number]>> = {
      STATEMENT_UNREAD: [
        `INSERT INTO statements (environment, connector, bank_statement_id, sequence, account, status, listed_at)
          VALUES ('live', 'bank', 'st_1', 1, 'a', 'LISTED', '${at}')`,
        24 * HOUR_MS,
      ],
      STATEMENT_REFUSED: [
        `UPDATE statements SET status = 'REFUSED', problems = '[{"code": "SEQUENCE_JUMP"}]'`,
        HOUR_MS,
      ],
      LINE_EXCEPTION: [
        `UPDATE statements SET status = 'RECONCILED', problems = '[]';
         INSERT INTO statement_lines (statement_id, line, entry, amount, currency, direction, is_reversal, booked,
            environment, outcome, exception, judged_at, processed_at)
          SELECT id, 1, 1, 5, 'EUR', 'DBIT', false, true, 'live', 'EXCEPTION', 'UNEXPECTED_AT_BANK', '${at}', '${at}'
          FROM statements`,
        HOUR_MS,
      ],
      RELEASE_STOP: [
        `DELETE FROM statement_lines;
         INSERT INTO release_stops (environment, reason, stopped_by, stopped_at)
          VALUES ('live', 'r', 'ada', '${at}')`,
        24 * HOUR_MS,
      ],
      BATCH_RUNNING: [
        `DELETE FROM release_stops;
         INSERT INTO payment_batches (id, customer_id, environment, total, actor, request_id, created_at)
          VALUES ('bat_1', '${customerId}', 'live', 1, '{}', 'req_1', '${at}')`,
        HOUR_MS,
      ],
      DEPOSIT_SET_ASIDE: [
        `DELETE FROM payment_batches;
         INSERT INTO set_aside_deposits VALUES ('live', 'BASE', '${hash}', 0, '0x${'b'.repeat(40)}', 'TOO_LARGE', 1,
          '${at}', '${at}', '${at}')`,
        HOUR_MS,
      ],
      LATE_RETURN: [
        `DELETE FROM set_aside_deposits;
         INSERT INTO late_returns (payment_id, customer_id, environment, told_at)
          VALUES ('pay_1', '${customerId}', 'live', '${at}')`,
        HOUR_MS,
      ],
    };
    const from = clock.now().getTime();
    for (const [kind, [sql, afterMs]] of Object.entries(rows)) {
      clock.advance(from - clock.now().getTime());
      await plant(sql);
      clock.advance(afterMs);
      expect((await run()).waiting).toEqual({});
      clock.advance(1);
      expect(await run()).toEqual({ mails: 1, waiting: { [kind]: 1 } });
    }
    await plant('DELETE FROM late_returns');
  });

  it('a hot address that is low on gas, for as long as it is looked at', async () => {
    const at = clock.now().toISOString();
    await plant(`INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status,
        gas_looked_at, is_low_on_gas, low_on_gas_since, created_at, updated_at)
      VALUES ('live', 'BASE', '0x${'b'.repeat(40)}', 0, 0, 'OPEN', '${at}', true, '${at}', '${at}', '${at}')`);
    clock.advance(1);
    expect(await run()).toEqual({ mails: 1, waiting: { LOW_GAS: 1 } });
    clock.advance(23 * HOUR_MS);
    expect((await run()).waiting).toEqual({ LOW_GAS: 1 });
    clock.advance(2 * HOUR_MS);
    expect((await run()).waiting).toEqual({});
    await plant(`UPDATE chain_signer_accounts SET is_low_on_gas = false, low_on_gas_since = NULL,
      gas_looked_at = '${clock.now().toISOString()}'`);
    expect(await run()).toEqual({ mails: 0, waiting: {} });
  });

  it('a hot address that is frozen, again each day until it is thawed', async () => {
    const at = clock.now().toISOString();
    await plant(`INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status,
        why, created_at, updated_at)
      VALUES ('live', 'BASE', '0x${'c'.repeat(40)}', 0, 0, 'FROZEN', 'RESTORED', '${at}', '${at}')`);
    clock.advance(1);
    expect(await run()).toEqual({ mails: 1, waiting: { SIGNER_ACCOUNT_FROZEN: 1 } });
    clock.advance(24 * HOUR_MS);
    expect(await run()).toEqual({ mails: 1, waiting: { SIGNER_ACCOUNT_FROZEN: 1 } });
    await plant(`UPDATE chain_signer_accounts SET status = 'OPEN', why = NULL
      WHERE address = '0x${'c'.repeat(40)}'`);
    expect(await run()).toEqual({ mails: 0, waiting: {} });
  });

  it('each kind can be noted, also where nothing waits', async () => {
    const facts = {
      ...{ now: clock.now(), before: clock.now(), otherwise: new Date(0) },
      ...{ corridors: [], byRail: [], byOthers: [] },
    };
    for (const kind of OVERDUE_KINDS) {
      await database.db.system((tx) => noteOverdue(tx, kind, facts));
    }
  });

  it('of the sandbox, nobody hears', async () => {
    const test = await seedPayingCustomer(database.db, 'test');
    await test.pay({ fate: 'ACCEPTED', at: clock.now() });
    await test.pay({ fate: 'QUEUED', at: clock.now() });
    clock.advance(20 * 24 * HOUR_MS);
    expect(await run()).toEqual({ mails: 0, waiting: {} });
  });
});
