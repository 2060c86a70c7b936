import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToVerify } from '../../src/verify/reader.ts';
import { renderReport } from '../../src/verify/report.ts';
import type { Verdict } from '../../src/verify/verdict.ts';
import { verify } from '../../src/verify/verify.ts';
import type { LawfulHarness } from './lawful-harness.ts';
import { startVerifyCluster, type VerifyCluster } from './verify-cluster.ts';

let cluster: VerifyCluster;
beforeAll(async () => {
  cluster = await startVerifyCluster();
}, 60_000);
afterAll(() => cluster.stop(), 180_000);

async function judge(url: string): Promise<readonly Verdict[]> {
  const connection = await connectToVerify(url);
  try {
    return await verify({
      connection,
      clientLog: null,
      isWorkflowOpen: async () => true,
      startGraceSeconds: 30,
    });
  } finally {
    await connection.close();
  }
}

const violatedIds = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter((verdict) => verdict.status === 'violated').map((verdict) => verdict.id);

type Plant = readonly [what: string, sql: (harness: LawfulHarness) => string];

const dropUnique = (table: string, columns: string): string => `
  DO $$ DECLARE name text; BEGIN
    SELECT conname INTO STRICT name FROM pg_constraint
    WHERE conrelid = '${table}'::regclass AND contype = 'u'
      AND pg_get_constraintdef(oid) = 'UNIQUE (${columns})';
    EXECUTE 'ALTER TABLE ${table} DROP CONSTRAINT ' || quote_ident(name);
  END $$;`;
const transactionOf = (payment: string, kind: string): string =>
  `(SELECT id FROM ledger_transactions WHERE payment_id = '${payment}' AND kind = '${kind}')`;
const forgetTransaction = (payment: string, kind: string): string => `
  DELETE FROM ledger_entries WHERE transaction_id = ${transactionOf(payment, kind)};
  DELETE FROM ledger_transactions WHERE payment_id = '${payment}' AND kind = '${kind}';`;
const tellStatus = (resource: string, version: number, status: string): string => `
  UPDATE events SET body = jsonb_set(body::jsonb, '{data,status}', '"${status}"')::text
  WHERE resource_id = '${resource}' AND resource_version = ${version};`;
const copyEvent = (resource: string, version: number, newVersion: number): string => `
  INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
    resource_version, body, created_at)
  SELECT id || 'x', customer_id, environment, type, resource_type, resource_id, ${newVersion}, body,
    created_at FROM events WHERE resource_id = '${resource}' AND resource_version = ${version};`;
const forgetEvent = (resource: string, version: number): string =>
  `DELETE FROM events WHERE resource_id = '${resource}' AND resource_version = ${version};`;
/** When everything of the harness happened. */
const AT = new Date('2026-01-02T03:04:05.678Z');
const pruneUpTo = ({ customerId, environment }: LawfulHarness['scope'], before: Date): string => `
  INSERT INTO event_log_floors VALUES ('${customerId}', '${environment}', '${before.toISOString()}');`;
/** As though one payment's first version had been a day earlier, and was pruned. */
const pruneFirstVersion = ({ scope, completed }: LawfulHarness): string => `
  ${pruneUpTo(scope, AT)} ${forgetEvent(completed, 1)}
  UPDATE payments SET created_at = created_at - interval '1 day' WHERE id = '${completed}';
  UPDATE payment_history SET at = at - interval '1 day'
  WHERE payment_id = '${completed}' AND version = 1;`;
/** One more version of a payment, told like the one before, with one thing changed. */
const addVersion = (payment: string, change: string): string => `
  UPDATE payments SET ${change}, version = version + 1 WHERE id = '${payment}';
  INSERT INTO payment_history (customer_id, environment, payment_id, version, status, status_detail,
    funds_status, reconciliation_status, actor, at)
  SELECT p.customer_id, p.environment, p.id, p.version, p.status, p.status_detail, p.funds_status,
    p.reconciliation_status, 'nobody', e.created_at
  FROM payments p JOIN events e ON e.resource_id = p.id AND e.resource_version = p.version - 1
  WHERE p.id = '${payment}';
  INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
    resource_version, body, created_at)
  SELECT e.id || 'x', e.customer_id, e.environment, e.type, e.resource_type, e.resource_id, p.version,
    jsonb_set(e.body::jsonb, '{data,status}', to_jsonb(p.status))::text, e.created_at
  FROM payments p JOIN events e ON e.resource_id = p.id AND e.resource_version = p.version - 1
  WHERE p.id = '${payment}';`;

/** The code of the first session once more. */
const SECOND_OPENING = `
  INSERT INTO audit_log (at, actor, action, customer_id, subject, details)
  SELECT at + interval '1 minute', actor, action, customer_id, subject, details FROM audit_log
  WHERE action = 'session.open' ORDER BY id LIMIT 1`;
/** The act stays, what was written down of it goes. */
const unaudited = (action: string): string => `DELETE FROM audit_log WHERE action = '${action}'`;

const plants: Readonly<Record<string, readonly Plant[]>> = {
  I4: [
    [
      'a transaction that makes money out of nothing',
      ({ completed }) => `UPDATE ledger_entries SET amount = amount + 1
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'two transactions that are wrong by opposite amounts',
      ({ completed, returned }) => `
        UPDATE ledger_entries SET amount = amount + 1
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%';
        UPDATE ledger_entries SET amount = amount - 1
        WHERE transaction_id = ${transactionOf(returned, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'two lines that sum to zero only across currencies',
      ({ completed }) => `UPDATE ledger_entries SET currency = 'USD'
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'a transaction without entries',
      ({ scope, processing }) => `
        INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
        VALUES ('ltx_empty', '${scope.customerId}', 'test', 'RETURN', '${processing}', now())`,
    ],
    [
      'a line in another environment than its transaction',
      ({ completed }) => `UPDATE ledger_entries SET environment = 'live'
        WHERE transaction_id = ${transactionOf(completed, 'SETTLE')} AND account LIKE 'nostro%'`,
    ],
    [
      'lines of no transaction',
      ({ scope }) => `INSERT INTO ledger_entries
        (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
        ('ltx_none', 1, '${scope.customerId}', 'test', 'fees', 'EUR', 5),
        ('ltx_none', 2, '${scope.customerId}', 'test', 'rounding', 'EUR', -5)`,
    ],
  ],
  I5: [
    ['a stored balance that no entry explains', () => 'UPDATE balances SET pending = 5'],
    ['a balance that is one cent short', () => 'UPDATE balances SET available = available - 1'],
    ['entries without a stored balance', () => 'DELETE FROM balances'],
    [
      'a customer who spent more than there was, in both books',
      ({ scope }) => `
        ALTER TABLE balances DROP CONSTRAINT available_is_never_negative;
        INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
        VALUES ('ltx_over', '${scope.customerId}', 'test', 'FUND', now());
        INSERT INTO ledger_entries
          (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
          ('ltx_over', 1, '${scope.customerId}', 'test', 'available', 'EUR', -1000000),
          ('ltx_over', 2, '${scope.customerId}', 'test', 'fees', 'EUR', 1000000);
        UPDATE balances SET available = available - 1000000 WHERE currency = 'EUR'`,
    ],
  ],
  FX: [
    [
      'a conversion at another rate than was quoted',
      ({ quotedPaid }) => `UPDATE ledger_entries SET amount = amount + 1
        WHERE transaction_id = ${transactionOf(quotedPaid, 'SETTLE')} AND currency = 'EUR'
          AND amount < 0;
        UPDATE ledger_entries SET amount = amount - 1
        WHERE transaction_id = ${transactionOf(quotedPaid, 'SETTLE')} AND currency = 'EUR'
          AND account LIKE 'nostro%'`,
    ],
    [
      'a return that is credited at another rate',
      ({ quotedBack }) => `UPDATE payments SET return_info = return_info || '{"amount": "79999"}'
        WHERE id = '${quotedBack}'`,
    ],
    [
      'a conversion that never came into the position',
      ({ quotedPaid }) => `UPDATE ledger_entries SET account = 'suspense'
        WHERE transaction_id = ${transactionOf(quotedPaid, 'SETTLE')} AND account = 'fx'
          AND currency = 'USD'`,
    ],
    [
      'a cover trade without its ledger transaction',
      () => `INSERT INTO cover_trades (id, customer_id, environment, reference, sold_currency,
          sold_amount, sold_rail, bought_currency, bought_amount, bought_rail, transaction_id,
          recorded_at)
        VALUES ('cov_1', 'cus_house', 'test', 'T1', 'USD', 5, 'ACH', 'EUR', 4, 'SEPA', 'ltx_x', now())`,
    ],
    [
      'a hold without the fees',
      ({
        quotedPaid,
      }) => `UPDATE quotes SET source_amount = source_amount + 1, fixed_fee = fixed_fee + 1
        WHERE payment_id = '${quotedPaid}'`,
    ],
    [
      'a payment that is not as its quote says',
      ({ quotedPaid }) => `UPDATE payments SET rate = '0.9' WHERE id = '${quotedPaid}'`,
    ],
    [
      'a quote whose payment names another',
      ({ completed }) => `UPDATE quotes SET payment_id = '${completed}'
        WHERE id = (SELECT min(id) FROM quotes)`,
    ],
    [
      'a checkpoint that is no sum of entries',
      () => `INSERT INTO fx_checkpoints VALUES ('test', 'USD', 1, 'ltx_0')`,
    ],
  ],
  I6: [
    [
      'two payments under one key',
      ({ processing, failed }) => `
        ${dropUnique('payments', 'customer_id, environment, idempotency_key')}
        DELETE FROM idempotency_keys WHERE key = 'key-${failed}';
        UPDATE payments SET idempotency_key = 'key-${processing}' WHERE id = '${failed}'`,
    ],
    [
      'two payments with one workflow',
      ({ processing, failed }) => `
        ${dropUnique('payments', 'workflow_id')}
        UPDATE payments SET workflow_id = 'payment/test/${processing}' WHERE id = '${failed}'`,
    ],
    [
      'a payment whose key is forgotten',
      ({ completed }) => `DELETE FROM idempotency_keys WHERE key = 'key-${completed}'`,
    ],
    [
      'a payment whose key will be forgotten',
      ({ completed }) =>
        `UPDATE idempotency_keys SET expires_at = now() WHERE key = 'key-${completed}'`,
    ],
    [
      'a payment whose key answers with a refusal',
      ({ completed }) =>
        `UPDATE idempotency_keys SET status_code = 422 WHERE key = 'key-${completed}'`,
    ],
    [
      'a key that is bound for ever to a payment that never was',
      ({ scope }) => `INSERT INTO idempotency_keys
        (customer_id, environment, key, fingerprint, status_code, response, created_at)
        VALUES ('${scope.customerId}', 'test', 'lonely', '\\x00', 201, '\\x00', now())`,
    ],
  ],
  I7: [
    [
      'a gap in the versions',
      ({ completed }) => `UPDATE payment_history SET version = 9
        WHERE payment_id = '${completed}' AND version = 2`,
    ],
    [
      'a version without a row of its history',
      ({ processing }) => `UPDATE payments SET version = 2 WHERE id = '${processing}';
        ${copyEvent(processing, 1, 2)}`,
    ],
    [
      'a payment without history',
      ({ failed }) => `DELETE FROM payment_history WHERE payment_id = '${failed}'`,
    ],
    [
      'history of a payment that does not exist',
      ({ scope }) => `INSERT INTO payment_history VALUES ('${scope.customerId}', 'test', 'pay_none',
        1, 'PROCESSING', 'QUEUED', 'HELD', 'PENDING', 'nobody', now())`,
    ],
    [
      'an illegal move in the middle',
      ({ completed }) => `UPDATE payment_history SET status = 'EXPIRED'
        WHERE payment_id = '${completed}' AND version = 2; ${tellStatus(completed, 2, 'EXPIRED')}`,
    ],
    [
      'a payment that began in the middle',
      ({ completed }) => `UPDATE payment_history SET status = 'SENT'
        WHERE payment_id = '${completed}' AND version = 1; ${tellStatus(completed, 1, 'SENT')}`,
    ],
    ['a final status that was left', ({ failed }) => addVersion(failed, `status = 'COMPLETED'`)],
    [
      'a final payment whose detail changed',
      ({ failed }) => addVersion(failed, `status_detail = 'DELIVERED'`),
    ],
    [
      'a completed payment whose funds changed',
      ({ completed }) => addVersion(completed, `funds_status = 'BACK_IN_BALANCE'`),
    ],
    [
      'a payment that differs from its last version',
      ({ processing }) => `UPDATE payments SET funds_status = 'UNKNOWN' WHERE id = '${processing}'`,
    ],
    [
      'a move that no rule knows, allowed by the database',
      () => `INSERT INTO payment_moves VALUES ('FAILED', 'COMPLETED')`,
    ],
    [
      'a move that the rules know, forgotten by the database',
      () => `DELETE FROM payment_moves WHERE to_status = 'RETURNED' AND from_status = 'COMPLETED'`,
    ],
    ['a KYC check that jumped', ({ kycCheckId }) => tellStatus(kycCheckId, 2, 'REVOKED')],
    [
      'a KYC check that began as approved',
      ({ kycCheckId }) => tellStatus(kycCheckId, 1, 'IN_REVIEW'),
    ],
    [
      'a KYC check that is not what its last event told',
      ({ kycCheckId, endUserId }) => `
        UPDATE kyc_checks SET status = 'REJECTED' WHERE id = '${kycCheckId}';
        UPDATE end_users SET kyc_status = 'REJECTED' WHERE id = '${endUserId}'`,
    ],
    [
      'an end-user approved by no check',
      ({ endUserId }) => `UPDATE end_users SET kyc_round = 2 WHERE id = '${endUserId}'`,
    ],
    [
      'an end-user approved for longer than the check says',
      ({ kycCheckId }) => `UPDATE kyc_checks SET expires_at = now() WHERE id = '${kycCheckId}'`,
    ],
  ],
  I8: [
    ['a lost event of a payment', ({ completed }) => forgetEvent(completed, 2)],
    ['a lost event of an end-user', ({ endUserId }) => forgetEvent(endUserId, 1)],
    ['a lost event of a KYC check', ({ kycCheckId }) => forgetEvent(kycCheckId, 1)],
    ['a lost event of a bank account', ({ bankAccountId }) => forgetEvent(bankAccountId, 1)],
    [
      'a version told twice',
      ({ completed }) => `ALTER TABLE events DROP CONSTRAINT one_event_a_version;
        ${copyEvent(completed, 2, 2)}`,
    ],
    [
      'a version told twice and another not at all',
      ({ completed }) => `ALTER TABLE events DROP CONSTRAINT one_event_a_version;
        ${copyEvent(completed, 2, 2)} ${forgetEvent(completed, 3)}`,
    ],
    ['an event of a version that does not exist', ({ processing }) => copyEvent(processing, 1, 2)],
    [
      'an event of a payment that does not exist',
      ({ processing }) => `${copyEvent(processing, 1, 2)}
        UPDATE events SET resource_id = 'pay_none', resource_version = 1
        WHERE resource_id = '${processing}' AND resource_version = 2`,
    ],
    [
      'an event in the other environment',
      ({ bankAccountId }) =>
        `UPDATE events SET environment = 'live' WHERE resource_id = '${bankAccountId}'`,
    ],
    [
      'an event that was not written with its change',
      ({ completed }) => `UPDATE events SET created_at = created_at + interval '1 second'
        WHERE resource_id = '${completed}' AND resource_version = 2`,
    ],
    [
      'an event that tells another status than the version',
      ({ completed }) => tellStatus(completed, 2, 'ON_HOLD'),
    ],
    [
      'a lost event from after its log was pruned',
      ({ scope, completed }) => `${pruneUpTo(scope, AT)} ${forgetEvent(completed, 1)}`,
    ],
    [
      'a gap after its log was pruned',
      (harness) => `${pruneFirstVersion(harness)} ${forgetEvent(harness.completed, 3)}`,
    ],
    [
      'the last events lost after its log was pruned',
      (harness) => `${pruneFirstVersion(harness)}
        DELETE FROM events WHERE resource_id = '${harness.completed}'`,
    ],
    [
      'an event of a payment that does not exist, after its log was pruned',
      (harness) => `${pruneFirstVersion(harness)}
        UPDATE events SET resource_id = 'pay_none'
        WHERE resource_id = '${harness.failed}' AND resource_version = 2`,
    ],
    [
      'a log that was pruned too soon',
      ({ scope }) => pruneUpTo(scope, new Date(Date.now() - 89 * 24 * 3_600_000)),
    ],
  ],
  I15: [
    [
      'an address that was approved by hand',
      ({ scope, liveKeys: [, successor] }) => `
        INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, status, decided_by,
          created_at)
        VALUES ('${scope.customerId}', 'live', '${successor}', '198.51.100.7/32', 'APPROVED', 'x', now())`,
    ],
    [
      'an address that became another one after its approval',
      ({ liveKeys: [first] }) => `
        UPDATE api_key_addresses SET range = '198.51.100.0/24' WHERE api_key_id = '${first}'`,
    ],
    [
      'an approval of one operator alone',
      () => `
        ALTER TABLE approvals DROP CONSTRAINT two_operators_approve,
          DROP CONSTRAINT IF EXISTS two_accounts_approve;
        UPDATE approvals SET decided_by = proposed_by WHERE action = 'ADDRESS';
        UPDATE audit_log a SET actor = 'operator:' || p.decided_by FROM approvals p
        WHERE p.id = a.subject AND a.action LIKE 'approval.%'`,
    ],
    [
      'a copy on a key that takes no place of that one',
      ({ liveKeys: [first] }) => `
        UPDATE api_keys SET replaced_by = NULL WHERE id = '${first}'`,
    ],
    [
      'a payment that an operator alone made fail',
      ({ failed }) => `
        UPDATE payment_history SET actor = 'operator:opr_sample'
        WHERE payment_id = '${failed}' AND status = 'FAILED'`,
    ],
    [
      'an outcome confirmed by an approval of something else',
      ({ failed }) => `
        UPDATE settlement_attempts SET confirmed_by = (SELECT min(id) FROM approvals)
        WHERE payment_id = '${failed}'`,
    ],
  ],
  I16: [['a code that opened a second session, later', () => SECOND_OPENING]],
  I17: [
    [
      'a mail that waits though its time is over',
      () => `UPDATE mails SET status = 'WAITING', contents = '\\x00', ended_at = NULL,
        created_at = now() - interval '3 days', expires_at = now() - interval '2 days'`,
    ],
    ['a mail that is SENT though nobody tried it', () => 'UPDATE mails SET tries = 0'],
    [
      'a code that was sent after its time',
      () => `UPDATE mails SET expires_at = created_at + interval '1 second',
        ended_at = created_at + interval '1 hour'`,
    ],
    ['a mail that FAILED for no reason', () => `UPDATE mails SET status = 'FAILED'`],
  ],
  I18: [
    ['a key that somebody made', () => unaudited('api_key.created')],
    ['a rotation', () => unaudited('api_key.rotated')],
    ['an address that was asked for', () => unaudited('key_address.proposed')],
    ['an address that was approved', () => unaudited('key_address.approved')],
    ['a proposal', () => unaudited('approval.propose')],
    ['a decision', () => unaudited('approval.approve')],
    [
      'an act in the name of somebody else',
      () => `UPDATE audit_log SET actor = 'operator:opr_other' WHERE action = 'approval.approve'`,
    ],
    [
      'an act that was written down later',
      () => `UPDATE audit_log SET at = at + interval '1 second' WHERE action = 'approval.approve'`,
    ],
    [
      'a key that was revoked by a hand in the database',
      ({ liveKeys: [, successor] }) => `
        UPDATE api_keys SET revoked_at = now() WHERE id = '${successor}'`,
    ],
  ],
  I10: [
    [
      'money still reserved for a failed payment',
      ({ failed }) => `${forgetTransaction(failed, 'RELEASE')}
        UPDATE balances SET available = available - 1000, reserved = reserved + 1000
        WHERE currency = 'EUR'`,
    ],
    [
      'an unfinished payment that holds no money',
      ({ processing }) => `${forgetTransaction(processing, 'HOLD')}
        UPDATE balances SET available = available + 1000, reserved = reserved - 1000
        WHERE currency = 'EUR'`,
    ],
    [
      'money reserved for nothing',
      ({ scope }) => `
        INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
        VALUES ('ltx_free', '${scope.customerId}', 'test', 'HOLD', now());
        INSERT INTO ledger_entries
          (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
          ('ltx_free', 1, '${scope.customerId}', 'test', 'available', 'EUR', -7),
          ('ltx_free', 2, '${scope.customerId}', 'test', 'reserved', 'EUR', 7);
        UPDATE balances SET available = available - 7, reserved = reserved + 7 WHERE currency = 'EUR'`,
    ],
  ],
};

describe('verify', { timeout: 30_000 }, () => {
  it('misses no event that was pruned', async () => {
    const { harness } = cluster;
    const wholly = `${pruneUpTo(harness.scope, new Date(AT.getTime() + 1))} DELETE FROM events;`;
    for (const lawful of [wholly, pruneFirstVersion(harness)]) {
      expect(violatedIds(await judge(await cluster.copy(lawful)))).toEqual([]);
    }
  });

  it('finds nothing in a harness that the code wrote, and has looked at all of it', async () => {
    const verdicts = await judge(await cluster.copy());
    expect(renderReport(verdicts)).toMatchInlineSnapshot(`
      "I1 acknowledged payments exist ... SKIPPED: needs --client-log
      I2 the bank moved money at most once ... SKIPPED: needs the bank's own journal
      I3 final status is the bank's truth ... SKIPPED: needs the bank's own journal
      I4 ledger sums to zero ... 0 violations (15 checked)
      I5 balances equal their entries ... 0 violations (2 checked)
      I6 one payment per idempotency key ... 0 violations (6 checked)
      I7 only legal moves, no gaps ... 0 violations (15 checked)
      I8 one event per version ... 0 violations (23 checked)
      I9 every event is delivered or listed ... SKIPPED: needs the receivers' own logs
      I10 unfinished payments have a workflow, reserved money a payment ... 0 violations (1 checked)
      I11 nothing personal in the clear ... SKIPPED: needs planted names and all outputs
      I12 nothing is visible across scopes ... SKIPPED: needs the running service
      I13 reconciliation finds what is there ... SKIPPED: needs planted anomalies
      I14 memory, connections, backlog stay bounded ... SKIPPED: needs the running service
      I15 no live address or forced outcome without two operators ... 0 violations (2 checked)
      I16 a code opens one session ... 0 violations (2 checked)
      I17 each mail is sent or listed ... 0 violations (2 checked)
      I18 each act of a person is audited ... 0 violations (6 checked)
      FX position in currencies follows quotes and cover trades ... 0 violations (2 checked)"
    `);
  });

  for (const [id, planted] of Object.entries(plants)) {
    it.each(planted)(`${id} alone turns red: %s`, async (_what, sql) => {
      const verdicts = await judge(await cluster.copy(sql(cluster.harness)));
      expect(violatedIds(verdicts), renderReport(verdicts)).toEqual([id]);
    });
  }
});
