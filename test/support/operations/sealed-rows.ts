import pg from 'pg';
import { newId } from '../../../src/db/client/new-id.ts';
import { SEALED_COLUMNS } from '../../../src/modules/operations/resealing/sealed-columns.ts';
import { HASH_COLUMNS } from '../../../src/modules/operations/resealing/hash-columns.ts';
import { ADDRESS_PURPOSE } from '../../../src/modules/customers/mail/mail-rows.ts';
import type { Vault } from '../../../src/vault/vault.ts';

const AT = '2026-11-01T00:00:00Z';

/** Of one row, the columns that hold something, those that a vault fills as null. */
type Row = Readonly<Record<string, unknown>>;

/**
 * A row of every table with sealed columns or keyed hashes, as far as the guards refuse most of a change: ended, judged,
 * released. Their content is `<table>.<column>`. Nothing that they refer to is there.
 */
function sealedRows(): Readonly<Record<string, Row>> {
  const scope = { customer_id: newId('cus'), environment: 'live' };
  const [endUserId, paymentId, checkId] = [newId('eu'), newId('pay'), newId('kyc')];
  const times = { created_at: AT, updated_at: AT };
  return {
    end_users: {
      ...{ id: endUserId, ...scope, ...times, type: 'INDIVIDUAL', personal: null },
      ...{ screening_status: 'RELEASED', screening_list: 'one', screened_at: AT },
    },
    end_user_keys: { end_user_id: newId('eu'), ...scope, wrapped_key: null },
    users: {
      ...{ id: newId('usr'), customer_id: scope.customer_id, address_hash: null, created_at: AT },
      ...{ address: null, name: null, role: 'OWNER', status: 'ACTIVE' },
    },
    operators: {
      ...{ id: newId('opr'), address_hash: null, address: null, name: null, role: 'ADMIN' },
      ...{ confirmed_at: AT, created_at: AT },
    },
    address_changes: {
      ...{ person_id: newId('usr'), token_hash: null, cancel_hash: null, address_hash: null },
      ...{ address: null },
      ...{ created_at: AT, expires_at: '2026-11-02T00:00:00Z' },
    },
    devices: {
      ...{ device_hash: null, person_id: newId('usr'), created_at: AT },
      expires_at: '2027-01-01T00:00:00Z',
    },
    invitations: {
      ...{ id: newId('inv'), customer_id: scope.customer_id, user_id: newId('usr') },
      ...{ token_hash: null, created_at: AT, expires_at: '2026-11-08T00:00:00Z', ended_at: AT },
    },
    api_keys: {
      ...{ id: newId('key'), ...scope, public_id: 'a1b2c3d4e5f6', name: 'one', token_hmac: null },
      ...{ last4: 'abcd', scopes: ['payments:read'], created_at: AT, revoked_at: AT },
    },
    access_requests: {
      ...{ id: newId('acr'), address_hash: null, details: null, status: 'DECLINED' },
      ...{ decided_by: newId('opr'), decided_at: AT, created_at: AT, expires_at: '2027-11-01' },
    },
    mails: {
      ...{ id: newId('mai'), kind: 'CODE', address_hash: null, address: null, contents: null },
      ...{ created_at: AT, due_at: AT, expires_at: '2027-11-01' },
    },
    webhook_endpoints: {
      ...{ id: newId('whe'), ...scope, ...times, url: 'https://hooks.example', types: [] },
      ...{ secret: null, signing_keys: null, public_keys: '[{}]' },
    },
    webhook_attempts: {
      ...{ ...scope, endpoint_id: newId('whe'), event_id: newId('evt'), number: 1, at: AT },
      ...{ duration_ms: 1, status_code: 204, answer: null },
    },
    payment_batch_items: {
      ...{ ...scope, batch_id: newId('pba'), item_index: 3, idempotency_key: 'one' },
      ...{ state: 'REFUSED', sealed: null, error: 'invalid_parameter', judged_at: AT },
    },
    idempotency_keys: {
      ...{ ...scope, key: 'a partner/wrote: this', request_mac: null, status_code: 201 },
      ...{ response: null, created_at: AT },
    },
    bank_accounts: {
      ...{ id: newId('ba'), ...scope, ...times, end_user_id: endUserId, country: 'DE' },
      ...{ currency: 'EUR', rail: 'SEPA', holder_type: 'INDIVIDUAL', fingerprint: 'one' },
      ...{ personal: null, screening_status: 'RELEASED' },
    },
    wallets: {
      ...{ id: newId('wal'), ...scope, ...times, network: 'BASE', address: `0x${'a'.repeat(40)}` },
      ...{ ownership: 'HOSTED', vasp: null, proof_nonce: 'b'.repeat(32), status: 'DISABLED' },
    },
    kyc_checks: {
      ...{ id: checkId, ...scope, ...times, end_user_id: endUserId, round: 1 },
      ...{ status: 'APPROVED', link_token_hmac: null, link_token: null, link_expires_at: AT },
      provider_url: null,
    },
    kyc_documents: {
      ...{ id: newId('kdo'), ...scope, kyc_check_id: checkId, type: 'IDENTITY' },
      ...{ content_type: 'image/png', fingerprint: null, content: null, created_at: AT },
    },
    kyc_uploads: {
      ...{ id: newId('kdo'), ...scope, kyc_check_id: checkId, type: 'IDENTITY' },
      ...{ content_type: 'image/png', fingerprint: null, content: null, byte_count: 1 },
      ...{ created_at: AT, expires_at: AT },
    },
    screening_cases: {
      ...{ id: newId('scr'), ...scope, end_user_id: endUserId, list_version: 'one' },
      ...{ names_hash: null, entry_hashes: null, personal: null, opened_at: AT },
      ...{ outcome: 'RELEASED', decided_by: 'ada', decided_at: AT, reason: 'Another person.' },
    },
    payments: {
      ...{ id: paymentId, ...scope, ...times, end_user_id: endUserId, bank_account_id: 'ba_one' },
      ...{ idempotency_key: 'one', workflow_id: `payment/${paymentId}`, rail: 'SEPA' },
      ...{ currency: 'EUR', amount: 1, source_currency: 'EUR', source_amount: 1, personal: null },
      ...{ status: 'COMPLETED', status_detail: 'DELIVERED', funds_status: 'SETTLED' },
      ...{ finality: 'FINAL', final_at: AT, final_due_at: AT },
    },
    settlement_attempts: {
      ...{ reference: newId('cw').replace('_', '').toUpperCase(), ...scope },
      ...{ ...times, payment_id: paymentId, number: 1, rail: 'SEPA', request: null },
      ...{ phase: 'SETTLED', sent_at: AT, deadline_at: AT, ask_base_at: AT },
    },
    travel_rule_records: {
      ...{ payment_id: paymentId, ...scope, end_user_id: endUserId, record: null },
      ...{ status: 'ACCEPTED', created_at: AT, sent_at: AT, answered_at: AT },
    },
  };
}

const keyText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What the hash of a column is made of: of an address that which stands beside it, sealed. */
export const hashedText = (
  table: string,
  column: string,
): readonly [purpose: string, text: string] =>
  column === 'address_hash'
    ? [ADDRESS_PURPOSE, `${table}.address`]
    : ['sample', `${table}.${column}`];

/** Of a list, two. */
function storedHash(
  vault: Pick<Vault, 'keyedHash'>,
  { table, column, type }: (typeof HASH_COLUMNS)[number],
): unknown {
  const hash = vault.keyedHash(...hashedText(table, column));
  return type === 'bytea' ? hash : [hash, vault.keyedHash('sample', 'another')];
}

/** Stores one row of each, sealed and hashed by a vault, as a superuser for whom no guard speaks. */
export async function storeSealedRows(
  url: string,
  vault: Pick<Vault, 'seal' | 'keyedHash'>,
): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(`SET session_replication_role = 'replica'`);
    for (const [table, row] of Object.entries(sealedRows())) {
      const sealed = SEALED_COLUMNS.filter((one) => one.table === table).map((one) => {
        // Where the key has a number that the database chooses, the name of the row does not.
        const key = Object.keys(one.key).map((name) => keyText(row[name]));
        return [one.column, vault.seal(Buffer.from(`${table}.${one.column}`), one.rowOf(key))];
      });
      const hashed = HASH_COLUMNS.filter((one) => one.table === table).map((one) => [
        one.column,
        storedHash(vault, one),
      ]);
      const whole = { ...row, ...(Object.fromEntries([...hashed, ...sealed]) as Row) };
      const names = Object.keys(whole);
      const places = names.map((_name, at) => `$${String(at + 1)}`);
      await admin.query(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`,
        Object.values(whole),
      );
    }
  } finally {
    await admin.end();
  }
}
