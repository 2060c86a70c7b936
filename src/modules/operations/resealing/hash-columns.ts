import type { HashColumn } from '../../../db/operations/keyed-hash-store.ts';

const byId = (
  place: `${string}.${string}`,
  type: HashColumn['type'] = 'bytea',
  id = 'id',
): HashColumn => {
  const [table = '', column = ''] = place.split('.');
  return { table, column, type, key: { [id]: 'text' } };
};

/**
 * Every column of keyed hashes that outlives a session. Seals of the audit log keep the pepper that made them, fingerprints
 * of bank accounts the first one. Sessions, codes and counters end within a day. The migrations grant the role
 * causeway_resealer the same columns.
 */
export const HASH_COLUMNS: readonly HashColumn[] = [
  byId('users.address_hash'),
  byId('operators.address_hash'),
  byId('address_changes.address_hash', 'bytea', 'person_id'),
  byId('address_changes.token_hash', 'bytea', 'person_id'),
  byId('address_changes.cancel_hash', 'bytea', 'person_id'),
  byId('access_requests.address_hash'),
  byId('mails.address_hash'),
  {
    ...{ table: 'devices', column: 'device_hash', type: 'bytea' },
    key: { device_hash: 'bytea', person_id: 'text' },
  },
  byId('invitations.token_hash'),
  byId('api_keys.token_hmac'),
  {
    ...{ table: 'idempotency_keys', column: 'request_mac', type: 'bytea' },
    key: { customer_id: 'text', environment: 'text', key: 'text' },
  },
  byId('kyc_checks.link_token_hmac'),
  byId('kyc_documents.fingerprint'),
  byId('kyc_uploads.fingerprint'),
  byId('screening_cases.names_hash'),
  byId('screening_cases.entry_hashes', 'bytea[]'),
];
