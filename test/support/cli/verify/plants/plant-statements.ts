import type { LawfulHarness } from '../lawful-harness.ts';

/** What is planted, and how: SQL over what the code wrote. */
export type Plant = readonly [what: string, sql: (harness: LawfulHarness) => string];

export const dropUnique = (table: string, columns: string): string => `
  DO $$ DECLARE name text; BEGIN
    SELECT conname INTO STRICT name FROM pg_constraint
    WHERE conrelid = '${table}'::regclass AND contype = 'u'
      AND pg_get_constraintdef(oid) = 'UNIQUE (${columns})';
    EXECUTE 'ALTER TABLE ${table} DROP CONSTRAINT ' || quote_ident(name);
  END $$;`;
export const transactionOf = (payment: string, kind: string): string =>
  `(SELECT id FROM ledger_transactions WHERE payment_id = '${payment}' AND kind = '${kind}')`;
export const forgetTransaction = (payment: string, kind: string): string => `
  DELETE FROM ledger_entries WHERE transaction_id = ${transactionOf(payment, kind)};
  DELETE FROM ledger_transactions WHERE payment_id = '${payment}' AND kind = '${kind}';`;
export const tellStatus = (resource: string, version: number, status: string): string => `
  UPDATE events SET body = jsonb_set(body::jsonb, '{data,status}', '"${status}"')::text
  WHERE resource_id = '${resource}' AND resource_version = ${version};`;
export const copyEvent = (resource: string, version: number, newVersion: number): string => `
  INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
    resource_version, body, created_at)
  SELECT id || 'x', customer_id, environment, type, resource_type, resource_id, ${newVersion}, body,
    created_at FROM events WHERE resource_id = '${resource}' AND resource_version = ${version};`;
export const forgetEvent = (resource: string, version: number): string =>
  `DELETE FROM events WHERE resource_id = '${resource}' AND resource_version = ${version};`;
/** When everything of the harness happened. */
export const AT = new Date('2026-01-02T03:04:05.678Z');
export const pruneUpTo = (
  { customerId, environment }: LawfulHarness['scope'],
  before: Date,
): string => `
  INSERT INTO event_log_floors VALUES ('${customerId}', '${environment}', '${before.toISOString()}');`;
/** As though one payment's first version had been a day earlier, and was pruned. */
export const pruneFirstVersion = ({ scope, completed }: LawfulHarness): string => `
  ${pruneUpTo(scope, AT)} ${forgetEvent(completed, 1)}
  UPDATE payments SET created_at = created_at - interval '1 day' WHERE id = '${completed}';
  UPDATE payment_history SET at = at - interval '1 day'
  WHERE payment_id = '${completed}' AND version = 1;`;
/** One more version of a payment, told like the one before, with one thing changed. */
export const addVersion = (payment: string, change: string): string => `
  UPDATE payments SET ${change}, version = version + 1 WHERE id = '${payment}';
  INSERT INTO payment_history (customer_id, environment, payment_id, version, status, status_detail,
    funds_status, reconciliation_status, actor, at)
  SELECT p.customer_id, p.environment, p.id, p.version, p.status, p.status_detail, p.funds_status,
    p.reconciliation_status, 'sample', e.created_at
  FROM payments p JOIN events e ON e.resource_id = p.id AND e.resource_version = p.version - 1
  WHERE p.id = '${payment}';
  INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
    resource_version, body, created_at)
  SELECT e.id || 'x', e.customer_id, e.environment, e.type, e.resource_type, e.resource_id, p.version,
    jsonb_set(e.body::jsonb, '{data,status}', to_jsonb(p.status))::text, e.created_at
  FROM payments p JOIN events e ON e.resource_id = p.id AND e.resource_version = p.version - 1
  WHERE p.id = '${payment}';`;

/** As though the payment of 10.00 EUR waited for a deposit; tokens are no matter of what is judged here. */
export const awaitDeposit = ({ scope, processing }: LawfulHarness): string => `
  INSERT INTO payment_fundings (payment_id, customer_id, environment, network, asset, address,
    amount_due, expires_at, created_at, updated_at)
  VALUES ('${processing}', '${scope.customerId}', 'test', 'BASE', 'USDC', '0x${'1'.repeat(40)}',
    1000, now(), now(), now());`;
export const holdNothing = ({ processing }: LawfulHarness): string => `
  ${forgetTransaction(processing, 'HOLD')}
  UPDATE balances SET available = available + 1000, reserved = reserved - 1000
  WHERE currency = 'EUR';`;
/** A part of the deposit is credited; in the ledger it is so much. */
export const bringPart = ({ scope, processing }: LawfulHarness, pending: number): string => `
  INSERT INTO deposits (id, customer_id, environment, network, tx_hash, ordinal, asset, from_address,
    to_address, amount, payment_id, block_number, block_hash, block_at, status, applied_to, to_payment,
    created_at, updated_at)
  VALUES ('dep_part', '${scope.customerId}', 'test', 'BASE', '0x${'2'.repeat(64)}', 0, 'USDC',
    '0x${'3'.repeat(40)}', '0x${'1'.repeat(40)}', 600, '${processing}', 7, '0x${'4'.repeat(64)}',
    now(), 'CREDITED', 'PAYMENT', 600, now(), now());
  INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
    resource_version, body, created_at)
  VALUES ('evt_part', '${scope.customerId}', 'test', 'deposit.credited', 'deposit', 'dep_part', 1,
    '{}', now());
  INSERT INTO ledger_transactions (id, customer_id, environment, kind, deposit_id, deposit_round,
    created_at) VALUES ('ltx_part', '${scope.customerId}', 'test', 'DEPOSIT', 'dep_part', 1, now());
  INSERT INTO ledger_entries
    (transaction_id, line, customer_id, environment, account, currency, amount) VALUES
    ('ltx_part', 1, '${scope.customerId}', 'test', 'nostro:BASE', 'USDC', -${pending}),
    ('ltx_part', 2, '${scope.customerId}', 'test', 'pending', 'USDC', ${pending});
  INSERT INTO balances (customer_id, environment, currency, pending)
  VALUES ('${scope.customerId}', 'test', 'USDC', ${pending});`;

/** The code of the first session once more. */
export const SECOND_OPENING = `
  INSERT INTO audit_log (at, actor, action, customer_id, subject, details)
  SELECT at + interval '1 minute', actor, action, customer_id, subject, details FROM audit_log
  WHERE action = 'session.open' ORDER BY id LIMIT 1`;
/** The act stays, what was written down of it goes. */
export const unaudited = (action: string): string =>
  `DELETE FROM audit_log WHERE action = '${action}'`;
